/* Replaces the static rows of a table by all of its rows: only those in view are drawn, and the address keeps the view. */
(function () {
  "use strict";

  var ROW = 32;
  var AHEAD = 8;
  var QUIET = 200;
  var STEPS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

  function each(list, act) { Array.prototype.forEach.call(list, act); }

  function make(name, attributes, text) {
    var made = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text !== undefined) { made.textContent = text; }
    return made;
  }

  function start(root) {
    var says = root.dataset;
    var missing = root.querySelector("[data-missing]");
    if (!window.sealbookRows || !window.sealbookTable || !window.sealbookFacet || !window.sealbookLayout) {
      missing.textContent = says.saysMissing;
      missing.hidden = false;
      return;
    }
    var rows = new window.sealbookTable(window.sealbookRows, document.documentElement.lang);
    var controls = root.querySelector("[data-controls]");
    var search = controls.querySelector("[data-words]");
    var status = controls.querySelector("[data-count]");
    var boxes = controls.querySelectorAll("input[type=checkbox]");
    var statistics = root.querySelector("[data-statistics]");
    var facets = {};
    var columns = [];
    var state = { q: "", facets: {}, sort: "", descending: false, shown: [] };
    var view = new Uint32Array(0);
    var cursor = -1;
    var drawn = "";

    /* ── What the page says about its columns ── */
    each(boxes, function (box) {
      var column = rows.byKey[box.value];
      column.title = box.nextElementSibling.textContent;
      column.unit = box.dataset.unit;
      column.from = box.dataset.source;
      column.words = {
        unknown: says.unknown, undefined: says.undefined, nan: says.nan,
        "plus-infinity": says.plusInfinity, "minus-infinity": says.minusInfinity
      };
      columns.push(column);
    });
    function standard() {
      return columns.filter(function (column, index) { return boxes[index].defaultChecked; }).map(function (column) { return column.key; });
    }
    var note = rows.byKey[root.dataset.note];
    var named = columns.filter(function (column) { return column.kind === "name"; })[0];

    /* ── The address ── */
    var address = window.sealbookAddress(rows, columns, named, standard());
    function query() { return address.write(state); }

    var later = 0;
    function keep() {
      window.clearTimeout(later);
      later = 0;
      window.history.replaceState(null, "", (query() || window.location.pathname) + window.location.hash);
    }
    function changed() {  /* Browsers refuse an address that changes with every key of a fast typist. */
      document.dispatchEvent(new CustomEvent("sealbook:query", { detail: query() }));
      window.clearTimeout(later);
      later = window.setTimeout(keep, QUIET);
    }
    window.addEventListener("pagehide", function () { if (later) { keep(); } });

    /* ── The grid ── */
    var table = make("table", {
      role: "grid", tabindex: "0", "aria-label": document.querySelector("h1").textContent, "aria-describedby": root.dataset.table + ".how"
    });
    var group = table.appendChild(make("colgroup"));
    var head = table.appendChild(make("thead")).appendChild(make("tr", { "aria-rowindex": "1" }));
    var gapBefore = table.appendChild(make("tbody", { "aria-hidden": "true", "class": "gap" })).appendChild(make("tr"));
    var body = table.appendChild(make("tbody"));
    var gapAfter = table.appendChild(make("tbody", { "aria-hidden": "true", "class": "gap" })).appendChild(make("tr"));
    var box = make("div", { "class": "window" });
    var empty = make("p", { "class": "empty", hidden: "" }, says.saysNone);
    var layout;
    box.appendChild(table);
    each([gapBefore, gapAfter], function (gap) { gap.appendChild(make("td")); });

    function heads() {
      group.replaceChildren();
      head.replaceChildren();
      state.shown.forEach(function (column, index) {
        group.appendChild(make("col"));
        var cell = head.appendChild(make("th", { scope: "col", "aria-colindex": String(index + 1) }));
        if (column.numeric) { cell.className = "number"; }
        if (state.sort === column.key) { cell.setAttribute("aria-sort", state.descending ? "descending" : "ascending"); }
        var button = cell.appendChild(make("button", { type: "button", "class": "sort", "data-sort": column.key }, column.title));
        button.addEventListener("click", function () { sort(column.key); });
      });
      table.setAttribute("aria-colcount", String(state.shown.length));
      each([gapBefore, gapAfter], function (gap) { gap.firstChild.colSpan = state.shown.length; });
      fit();
    }

    function fit() {
      var widths = layout.fit(state.shown, box.clientWidth || root.clientWidth);
      each(group.children, function (col, index) { col.style.width = widths[index] + "px"; });
      table.style.minWidth = Math.floor(widths.reduce(function (sum, one) { return sum + one; }, 0)) + "px";
    }

    function sort(key) {
      var again = state.sort === key;
      state.sort = again && state.descending ? "" : key;
      state.descending = again && !state.descending;
      heads();
      apply();
      head.querySelector("[data-sort='" + key + "']").focus();
    }

    function cell(column, row, name, current) {
      var made = make(column.kind === "name" ? "th" : "td", column.kind === "name" ? { scope: "row" } : {});
      if (column.kind === "choice") {
        made.appendChild(facets[column.key].content[column.codes[row]].cloneNode(true));
      } else if (column.target) {
        var kind = column.kind === "name" ? "mono" : column.kind === "line" ? "seal" : "bound";
        var link = made.appendChild(make("a", { "class": kind, href: column.leads(row, name), tabindex: current ? "0" : "-1" }, column.text(row)));
        if (column.from) { link.title = column.from; }
      } else {
        made.textContent = column.text(row);
      }
      if (column.numeric) { made.className = "number"; }
      if (column === named && note && note.codes[row]) { made.append(" ", make("span", { "class": "small" }, note.texts[note.codes[row]])); }
      if (!column.numeric && made.textContent.length > 8) { made.title = made.textContent; }
      return made;
    }

    function line(at) {
      var row = view[at];
      var name = named.names[row];
      var made = make("tr", { id: root.dataset.table + ".row." + at, "aria-rowindex": String(at + 2) });
      if (at === cursor) { made.className = "cursor"; made.setAttribute("aria-selected", "true"); }
      if (note && note.codes[row]) { made.classList.add("superseded"); }
      state.shown.forEach(function (column) { made.appendChild(cell(column, row, name, at === cursor)); });
      return made;
    }

    function draw(force) {
      var first = Math.max(0, Math.min(Math.floor(box.scrollTop / ROW), view.length) - AHEAD);
      var last = Math.min(view.length, first + Math.ceil(window.innerHeight / ROW) + 2 * AHEAD);
      if (!force && drawn === first + "-" + last) { return; }
      drawn = first + "-" + last;
      var made = document.createDocumentFragment();
      for (var at = first; at < last; at += 1) { made.appendChild(line(at)); }
      body.replaceChildren(made);
      gapBefore.firstChild.style.height = first * ROW + "px";
      gapAfter.firstChild.style.height = (view.length - last) * ROW + "px";
      gapBefore.parentNode.hidden = first === 0;
      gapAfter.parentNode.hidden = last === view.length;
      if (cursor >= first && cursor < last) {
        table.setAttribute("aria-activedescendant", root.dataset.table + ".row." + cursor);
      } else {
        table.removeAttribute("aria-activedescendant");
      }
    }

    function move(to) {
      cursor = Math.max(0, Math.min(view.length - 1, to));
      var room = box.clientHeight - head.offsetHeight;
      if (cursor * ROW < box.scrollTop) { box.scrollTop = cursor * ROW; }
      if ((cursor + 1) * ROW > box.scrollTop + room) { box.scrollTop = (cursor + 1) * ROW - room; }
      draw(true);
    }

    function open(at) { window.location.href = named.leads(view[at], named.names[view[at]]); }

    /* ── Filters ── */
    function words() { return state.q.toLowerCase().split(/\s+/).filter(Boolean); }

    function apply() {
      var filter = { words: words(), facets: state.facets };
      var counts = rows.filter(filter).counts;
      view = rows.view(filter, state.sort, state.descending);
      cursor = -1;
      box.scrollTop = 0;
      table.setAttribute("aria-rowcount", String(view.length + 1));
      box.hidden = view.length === 0;
      empty.hidden = view.length > 0;
      status.textContent = counted(says.saysCount);
      Object.keys(facets).forEach(function (key) { facets[key].tell(counts[key], state.facets[key]); });
      draw(true);
      changed();
      performance.mark("sealbook:table-drawn");
    }

    function counted(words) { return words.replace("{shown}", number(view.length)).replace("{total}", number(rows.count)); }

    function number(value) { return columns[0].said.call({ kind: "number" }, value); }

    var asked = 0;
    function soon() {
      if (!asked) { asked = window.requestAnimationFrame(function () { asked = 0; apply(); summarise(); }); }
    }

    var prepareForPrint = window.sealbookPrinted(root);
    var summing = 0;
    function summarise() {  /* After the rows are drawn: it may take longer than they do. */
      window.clearTimeout(summing);
      summing = window.setTimeout(function () {
        var all = view.length === rows.count;
        each(statistics ? statistics.tBodies[0].rows : [], function (row) {
          rows.statistics(row.dataset.column, view).forEach(function (text, index) { row.cells[index + 1].textContent = text; });
        });
        if (statistics) {
          statistics.querySelector("[data-over]").textContent = all ? says.saysAll : says.saysOver.replace("{n}", number(view.length));
        }
        root.setAttribute("data-summed", String(view.length));
        prepareForPrint(rows.fitting.fails, all ? "" : counted(says.saysPrinted));
      });
    }

    each(controls.querySelectorAll("[data-facet]"), function (place) {
      var column = rows.byKey[place.dataset.facet];
      facets[column.key] = window.sealbookFacet(place, column, says.saysAny, number, function (choose) {
        state.facets[column.key] = choose(state.facets[column.key]);
        soon();
      });
    });

    /* ── What a reader does ── */
    search.addEventListener("input", function () { state.q = search.value; soon(); });
    controls.querySelector("[data-clear]").addEventListener("click", function () {
      state.q = search.value = "";
      rows.facets.forEach(function (column) { state.facets[column.key] = []; });
      soon();
    });
    controls.querySelector("[data-csv]").addEventListener("click", function (event) {
      var titles = state.shown.map(function (column) { return column.title + (column.unit ? " (" + column.unit + ")" : ""); });
      var keys = state.shown.map(function (column) { return column.key; });
      window.sealbookCopy(rows.csv(view, keys, titles), event.currentTarget);
    });
    each(boxes, function (tick) {
      tick.addEventListener("change", function () {
        state.shown = columns.filter(function (column, index) { return boxes[index].checked; });
        heads();
        draw(true);
        changed();
      });
    });
    box.addEventListener("scroll", function () { draw(false); }, { passive: true });
    window.addEventListener("resize", function () { fit(); draw(true); });
    body.addEventListener("click", function (event) {
      var row = event.target.closest("tr");
      if (!row || event.target.closest("a") || event.ctrlKey || event.metaKey || event.shiftKey || String(window.getSelection())) { return; }
      open(Number(row.getAttribute("aria-rowindex")) - 2);
    });
    table.addEventListener("keydown", function (event) {
      if (event.target !== table || event.ctrlKey || event.metaKey || event.altKey || !view.length) { return; }
      var page = Math.max(1, Math.floor((box.clientHeight - head.offsetHeight) / ROW) - 1);
      var step = event.key === "PageDown" ? page : event.key === "PageUp" ? -page : STEPS[event.key];
      if (step) {
        move(cursor < 0 && step === 1 ? 0 : cursor + step);
      } else if (event.key === "Enter" && cursor >= 0) {
        open(cursor);
      } else {
        return;
      }
      event.preventDefault();
    });
    document.addEventListener("keydown", function (event) {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) { return; }
      if (event.target.closest("input, textarea, select, [contenteditable]")) { return; }
      event.preventDefault();
      search.focus();
    });

    state = address.read(window.location.search);
    search.value = state.q;
    each(boxes, function (tick) { tick.checked = state.shown.indexOf(rows.byKey[tick.value]) >= 0; });
    var how = make("p", { "class": "small second how", id: root.dataset.table + ".how" }, says.saysHow);
    root.append(empty, box, how);
    controls.hidden = false;
    root.classList.add("live");  /* Nothing is measured while the static rows are still laid out. */
    layout = window.sealbookLayout(head, body);
    heads();
    apply();
    root.setAttribute("data-ready", "");
    if (view.length !== rows.count) { summarise(); }
    var led = window.location.hash && document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
    if (led && root.contains(led)) { controls.scrollIntoView(); }
    performance.mark("sealbook:table-ready");
    prepare(0);

    /* What the first filter needs, while nobody waits for it. */
    function prepare(index) {
      if (index < rows.columns.length && window.requestIdleCallback) {
        window.requestIdleCallback(function () { void rows.columns[index].haystack; prepare(index + 1); });
      }
    }
  }

  each(document.querySelectorAll("[data-table]"), start);
})();
