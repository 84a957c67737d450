/* Adds to pages that are complete without it: copying, the scheme switch, sorting and filtering. */
(function () {
  "use strict";

  function each(list, act) {
    Array.prototype.forEach.call(list, act);
  }

  /* ── Colour scheme ── */
  function dark() {
    var chosen = document.documentElement.getAttribute("data-scheme");
    return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  each(document.querySelectorAll("[data-scheme-switch]"), function (button) {
    function name() {
      button.textContent = button.getAttribute(dark() ? "data-to-light" : "data-to-dark");
    }
    button.hidden = false;
    name();
    button.addEventListener("click", function () {
      var next = dark() ? "light" : "dark";
      document.documentElement.setAttribute("data-scheme", next);
      try {
        window.localStorage.setItem("sealbook-scheme", next);
      } catch (error) {
        /* The choice then lasts for this page. */
      }
      name();
    });
  });

  /* The language switch keeps the place within the page, and the view of a table. */
  each(document.querySelectorAll("a[data-language-switch]"), function (link) {
    var plain = link.getAttribute("href");
    var query = window.location.search;
    function follow() {
      link.setAttribute("href", plain + query + window.location.hash);
    }
    follow();
    window.addEventListener("hashchange", follow);
    document.addEventListener("sealbook:query", function (event) {
      query = event.detail;
      follow();
    });
  });

  /* ── The way to the search page: a field in the place of the link ── */
  each(document.querySelectorAll("a[data-search-link]"), function (link) {
    var input = document.createElement("input");
    input.type = "search";
    input.placeholder = link.textContent;
    input.setAttribute("aria-label", link.textContent);
    input.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && !event.isComposing && input.value.trim()) {
        window.location.href = link.getAttribute("href") + "#q=" + encodeURIComponent(input.value.trim());
      }
    });
    link.replaceWith(input);
  });

  /* ── What scrolls inside the page can be scrolled with the keyboard, and only while it scrolls ── */
  function reachable(box) {
    var scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    if (scrolls) { box.setAttribute("tabindex", "0"); } else { box.removeAttribute("tabindex"); }
  }

  if (window.ResizeObserver) {
    var scrolling = new ResizeObserver(function (seen) { seen.forEach(function (one) { reachable(one.target); }); });
    each(document.querySelectorAll(".scroll, .prose table, pre"), function (box) { scrolling.observe(box); });
  }

  /* ── Copying ── */
  function copied(button) {
    var before = button.textContent;
    button.textContent = document.body.getAttribute("data-copied");
    window.setTimeout(function () { button.textContent = before; }, 1600);
  }

  function copy(text, button) {
    function fallback() {
      var area = document.createElement("textarea");
      area.value = text;
      area.setAttribute("readonly", "");
      area.className = "visually-hidden";
      document.body.appendChild(area);
      area.select();
      if (document.execCommand("copy")) { copied(button); }
      area.remove();
      button.focus();
    }
    if (navigator.clipboard && navigator.clipboard.writeText) {
      navigator.clipboard.writeText(text).then(function () { copied(button); }, fallback);
    } else {
      fallback();
    }
  }

  window.sealbookCopy = copy;

  function copyButton() {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = document.body.getAttribute("data-copy");
    return button;
  }

  each(document.querySelectorAll("pre[data-copy], .prose pre"), function (pre) {
    var button = copyButton();
    var box = pre.parentElement;
    if (!box.classList.contains("code")) {
      box = document.createElement("div");
      box.className = "code";
      pre.parentElement.insertBefore(box, pre);
      box.appendChild(pre);
    }
    button.addEventListener("click", function () { copy(pre.textContent.replace(/\n$/, ""), button); });
    box.appendChild(button);
  });

  each(document.querySelectorAll("button[data-copy]"), function (button) {
    button.hidden = false;
    button.addEventListener("click", function () { copy(button.getAttribute("data-copy"), button); });
  });

  /* ── Small tables: sorting keeps what is unknown or no finite number last both ways, and is stable ── */
  var NO_NUMBER = /^(?:nan|[+\-−]?(?:inf(?:inity)?|∞))$/i;

  function key(row, column) {
    var cell = row.cells[column];
    if (!cell) { return null; }
    var value = cell.hasAttribute("data-value") ? cell.getAttribute("data-value") : cell.textContent.trim();
    if (value === "" || NO_NUMBER.test(value)) { return null; }
    var number = Number(value);
    return isFinite(number) ? number : value;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") { return a - b; }
    if (typeof a !== typeof b) { return typeof a === "number" ? -1 : 1; }
    return String(a).localeCompare(String(b), document.documentElement.lang, { numeric: true });
  }

  function sortRows(table, column, descending) {
    var body = table.tBodies[0];
    var rows = Array.prototype.map.call(body.rows, function (row, index) {
      return { row: row, key: key(row, column), index: index };
    });
    rows.sort(function (a, b) {
      if (a.key === null || b.key === null) {
        return a.key === b.key ? a.index - b.index : a.key === null ? 1 : -1;
      }
      var order = compare(a.key, b.key);
      return (descending ? -order : order) || a.index - b.index;
    });
    rows.forEach(function (item) { body.appendChild(item.row); });
  }

  each(document.querySelectorAll("table[data-sort]"), function (table) {
    var heads = table.tHead.rows[0].cells;
    each(heads, function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener("click", function () {
        var descending = head.getAttribute("aria-sort") === "ascending";
        each(heads, function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sortRows(table, column, descending);
      });
    });
  });

  /* ── Filters: chips of one kind exclude each other; all kinds and the words must agree ── */
  each(document.querySelectorAll("[data-filters]"), function (box) {
    var table = document.getElementById(box.getAttribute("data-filters"));
    var search = box.querySelector("input");
    var chips = box.querySelectorAll(".chip");
    var shown = box.querySelector("[data-shown]");
    var rows = Array.prototype.map.call(table.tBodies[0].rows, function (row) {
      return { row: row, text: row.textContent.toLowerCase() };
    });

    function apply() {
      var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      var chosen = {};
      each(chips, function (chip) {
        if (chip.getAttribute("aria-pressed") === "true") {
          chosen[chip.getAttribute("data-kind")] = chip.getAttribute("data-value");
        }
      });
      var count = 0;
      rows.forEach(function (item) {
        var fits = words.every(function (word) { return item.text.indexOf(word) >= 0; });
        Object.keys(chosen).forEach(function (kind) {
          fits = fits && item.row.getAttribute("data-" + kind) === chosen[kind];
        });
        item.row.hidden = !fits;
        count += fits ? 1 : 0;
      });
      shown.textContent = count + " / " + rows.length;
    }

    each(chips, function (chip) {
      chip.addEventListener("click", function () {
        var pressed = chip.getAttribute("aria-pressed") !== "true";
        each(chips, function (other) {
          if (other.getAttribute("data-kind") === chip.getAttribute("data-kind")) {
            other.setAttribute("aria-pressed", "false");
          }
        });
        chip.setAttribute("aria-pressed", String(pressed));
        apply();
      });
    });
    search.addEventListener("input", apply);
    box.hidden = false;
    apply();
  });
})();
