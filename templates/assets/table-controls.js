/* What a reader filters a table by, and how an address says it. */
(function () {
  "use strict";

  function make(name, attributes, text) {
    var made = document.createElement(name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text !== undefined) { made.textContent = text; }
    return made;
  }

  /*
   * The values of a column as buttons, or as a list where they are many. The words stand in the page, one item a value.
   * change(choose) is called with a function from the chosen values to those chosen now.
   * Returns { content: for each value what its cells show, tell(counts, chosen) }.
   */
  window.sealbookFacet = function (place, column, any, number, change) {
    var values = column.source.values;
    var content = [];
    column.texts = [];
    Array.prototype.forEach.call(place.querySelectorAll("li"), function (item) {
      var kept = document.createDocumentFragment();
      Array.prototype.forEach.call(item.childNodes, function (node) { kept.appendChild(node.cloneNode(true)); });
      content.push(kept);
      column.texts.push((item.querySelector(".word") || item).textContent);
    });

    function buttons() {
      var made = values.map(function (value, code) {
        if (!value) { return null; }
        var button = place.appendChild(make("button", { type: "button", "class": "chip", "data-value": value }));
        button.append(content[code].cloneNode(true), " ", make("span", { "class": "tally" }));
        button.addEventListener("click", function () {
          change(function (chosen) {
            var rest = chosen.filter(function (one) { return one !== value; });
            return rest.length < chosen.length ? rest : rest.concat(value);
          });
        });
        return button;
      });
      return function (counts, chosen) {
        made.forEach(function (button, code) {
          if (!button) { return; }
          button.setAttribute("aria-pressed", String(chosen.indexOf(values[code]) >= 0));
          button.lastChild.textContent = number(counts[code]);
        });
      };
    }

    function list() {
      var select = place.appendChild(make("select", { "aria-label": column.title }));
      select.appendChild(make("option", { value: "" }, any));
      var options = values.map(function (value) { return value ? select.appendChild(make("option", { value: value })) : null; });
      select.addEventListener("change", function () {
        change(function () { return select.value ? [select.value] : []; });
      });
      return function (counts, chosen) {
        options.forEach(function (option, code) {
          if (option) { option.textContent = column.texts[code] + " · " + number(counts[code]); }
        });
        select.value = chosen[0] || "";
      };
    }

    return { content: content, tell: ("listed" in place.dataset ? list : buttons)() };
  };

  /*
   * What is printed are the static rows, as far as they match, below a word about it.
   * Returns a function of what a row fails, by its number, and of those words.
   */
  window.sealbookPrinted = function (root) {
    var rows = root.querySelectorAll(".static tbody tr");
    var told = root.querySelector("[data-printed]");
    return function (fails, words) {
      Array.prototype.forEach.call(rows, function (row, index) { row.hidden = fails[index] !== 0; });
      told.textContent = words;
    };
  };

  /*
   * A view as an address and back: ?q=…&outcome=a,b&sort=-duration&columns=… What the table does not know is left out.
   * A view is { q, facets: { key: [values] }, sort, descending, shown: [columns] }.
   */
  window.sealbookAddress = function (rows, columns, named, usual) {
    function read(search) {
      var given = new URLSearchParams(search);
      function list(key) { return (given.get(key) || "").split(",").filter(Boolean); }
      var sort = given.get("sort") || "";
      var facets = {};
      rows.facets.forEach(function (column) {
        facets[column.key] = list(column.key).filter(function (value) { return column.source.values.indexOf(value) >= 0; });
      });
      var wanted = given.has("columns") ? list("columns") : usual;
      return {
        q: given.get("q") || "",
        facets: facets,
        sort: rows.byKey[sort.replace(/^-/, "")] ? sort.replace(/^-/, "") : "",
        descending: sort.charAt(0) === "-",
        shown: columns.filter(function (column) { return column === named || wanted.indexOf(column.key) >= 0; })
      };
    }

    function write(state) {
      var parts = [];
      function add(key, value) { if (value) { parts.push(key + "=" + encodeURIComponent(value).replace(/%2C/g, ",")); } }
      add("q", state.q.trim());
      rows.facets.forEach(function (column) { add(column.key, state.facets[column.key].join(",")); });
      add("sort", state.sort && (state.descending ? "-" : "") + state.sort);
      var keys = state.shown.map(function (column) { return column.key; }).join(",");
      add("columns", keys === usual.join(",") ? "" : keys);
      return parts.length ? "?" + parts.join("&") : "";
    }

    return { read: read, write: write };
  };
})();
