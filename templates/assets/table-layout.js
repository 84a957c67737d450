/* How wide the columns of a table are: measured without laying anything out. */
(function () {
  "use strict";

  /* In pixels. */
  var WIDEST = 420;
  var NARROW = 115;
  var GAP = 14;
  var ARROW = 20;
  var SIGNS = { choice: 24, line: 18 };
  var WIDE_SPAN = "59 min 59 s";

  function font(element) {
    var style = window.getComputedStyle(element);
    return style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
  }

  /* Chinese characters take two places. */
  function places(text) {
    var wide = text.match(/[\u2e80-\uffef]/g);
    return text.length + (wide ? wide.length : 0);
  }

  function longer(a, b) { return places(b) > places(a) ? b : a; }

  /* Takes the typefaces of an empty table from its head and its body. */
  window.sealbookLayout = function (head, body) {
    var pen = document.createElement("canvas").getContext("2d");
    var cell = body.appendChild(document.createElement("tr")).appendChild(document.createElement("td"));
    var name = cell.appendChild(document.createElement("span"));
    var title = head.appendChild(document.createElement("th"));
    name.className = "mono";
    var fonts = { text: font(cell), name: font(name), title: font(title) };
    body.replaceChildren();
    head.replaceChildren();

    function wide(text, face) {
      pen.font = face;
      return pen.measureText(text).width;
    }

    function longest(column) {
      if (column.kind === "name") {
        return column.names.reduce(function (a, b) { return b.length > a.length ? b : a; }, "");
      }
      if (!column.numeric) { return column.texts.reduce(longer, ""); }
      var known = column.distinct;
      var said = known.length ? [column.said(known[0]), column.said(known[known.length - 1])] : [];
      if (column.kind === "duration") { said.push(WIDE_SPAN); }
      if (column.numbers.others.some(Boolean)) { said = said.concat(Object.values(column.words)); }
      return said.reduce(longer, "");
    }

    /* A column is as wide as its longest text, and at least as its title with an arrow. */
    function measured(column) {
      var text = wide(longest(column), column.kind === "name" ? fonts.name : fonts.text) + (SIGNS[column.kind] || 0);
      return Math.min(WIDEST, GAP + Math.ceil(Math.max(wide(column.title, fonts.title) + ARROW, text)));
    }

    /* The widths of some columns. Where the room is too narrow for all, texts give way, and numbers do not. */
    function fit(columns, room) {
      columns.forEach(function (column) { column.width = column.width || measured(column); });
      var name = Math.max(NARROW, room * (room < 500 ? 0.55 : 0.26));
      var soft = columns.map(function (column) {
        return column.numeric ? 0 : Math.max(0, column.width - (column.kind === "name" ? name : NARROW));
      });
      function sum(numbers) { return numbers.reduce(function (all, one) { return all + one; }, 0); }
      var over = sum(columns.map(function (column) { return column.width; })) - room;
      var share = over > 0 ? Math.min(1, over / (sum(soft) || 1)) : 0;
      return columns.map(function (column, index) { return column.width - soft[index] * share; });
    }

    return { fit: fit };
  };
})();
