/* Shows the rows of one state. Without scripts every row is there, and the counts stand above them. */
(function () {
  "use strict";

  function each(list, act) {
    Array.prototype.forEach.call(list, act);
  }

  each(document.querySelectorAll("[data-chips]"), function (box) {
    var chips = box.querySelectorAll(".chip");
    var shown = box.querySelector("[data-shown]");
    var rows = document.querySelectorAll("tr[data-state]");
    var groups = document.querySelectorAll("[data-rows]");

    function apply(state) {
      var count = 0;
      each(rows, function (row) {
        row.hidden = state !== "" && row.getAttribute("data-state") !== state;
        count += row.hidden ? 0 : 1;
      });
      each(groups, function (group) {
        group.hidden = state !== "" && !group.querySelector("tr[data-state]:not([hidden])");
      });
      shown.textContent = count + " / " + rows.length;
    }

    each(chips, function (chip) {
      chip.addEventListener("click", function () {
        var pressed = chip.getAttribute("aria-pressed") !== "true";
        each(chips, function (other) { other.setAttribute("aria-pressed", "false"); });
        chip.setAttribute("aria-pressed", String(pressed));
        apply(pressed ? chip.getAttribute("data-value") : "");
      });
    });
    box.hidden = false;
    apply("");
  });
})();
