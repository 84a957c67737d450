/* Adds to pages that are complete without it: copying, the scheme switch, the way to the search. */
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

  /* ── Chinese titles break between words, where the browser knows them ── */
  if (window.Intl && Intl.Segmenter && /^zh/.test(document.documentElement.lang)) {
    var segmenter = new Intl.Segmenter("zh", { granularity: "word" });
    each(document.querySelectorAll("h1, h2"), function (title) {
      each(Array.prototype.slice.call(title.childNodes), function (node) {
        if (node.nodeType !== Node.TEXT_NODE) { return; }
        var parts = document.createDocumentFragment();
        each(Array.from(segmenter.segment(node.data)), function (part, index) {
          if (index && part.isWordLike) { parts.appendChild(document.createElement("wbr")); }
          parts.appendChild(document.createTextNode(part.segment));
        });
        node.replaceWith(parts);
      });
      title.classList.add("words");
    });
  }

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
})();
