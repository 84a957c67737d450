/* Searches the index of one language, which is a script of its own that is loaded on first use. */
(function () {
  "use strict";

  var SHOWN = 50;
  var AT_ONCE = 8;
  var AROUND = 60;
  var HAN = "\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
  var TERM = new RegExp("[" + HAN + "]+|(?:(?![" + HAN + "])[\\p{L}\\p{N}])+", "gu");
  var IS_HAN = new RegExp("[" + HAN + "]", "u");
  var IN_WORD = new RegExp("^(?![" + HAN + "])[\\p{L}\\p{N}]$", "u");

  /* The same as in the program that makes the index: text keeps its length. */
  function fold(text) {
    var lower = text.toLowerCase();
    if (lower.length !== text.length) {
      lower = Array.from(text, function (char) {
        var small = char.toLowerCase();
        return small.length === char.length ? small : char;
      }).join("");
    }
    return lower.replace(/ς/g, "σ");
  }

  function before(text, at) {
    var low = text.charCodeAt(at - 1);
    return at > 1 && low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1);
  }

  /* Every place of a part in folded text: a word at its beginning, anything with Chinese as it stands. */
  function places(text, part) {
    var found = [];
    for (var at = text.indexOf(part.text); at >= 0; at = text.indexOf(part.text, at + 1)) {
      if (part.han || at === 0 || !IN_WORD.test(before(text, at))) { found.push(at); }
    }
    return found;
  }

  /* Adds to counts what a line of postings says: sections as steps in base 36, each with a count unless that is 1. */
  function tell(postings, counts) {
    var section = 0;
    var step = 0;
    var times = 0;
    var counted = false;
    for (var at = 0; at <= postings.length; at += 1) {
      var code = at < postings.length ? postings.charCodeAt(at) : 32;
      if (code === 32) {
        section += step;
        counts[section] += counted ? times : 1;
        step = times = 0;
        counted = false;
      } else if (code === 58) {
        counted = true;
      } else {
        var digit = code < 58 ? code - 48 : code - 87;
        if (counted) { times = times * 36 + digit; } else { step = step * 36 + digit; }
      }
    }
  }

  /* Counts are one number a section, since a short word may stand in thousands of them. */
  function Finder(index) {
    this.anchors = index.anchors.split("\n");
    this.headings = index.headings.split("\n");
    this.texts = index.texts.split("\n");
    this.terms = index.terms ? index.terms.split("\n") : [];
    this.postings = index.postings.split("\n");
    this.pages = index.pages;
    this.firsts = [];  /* The first section of each page. */
    var first = 0;
    index.pages.forEach(function (page) { this.firsts.push(first); first += page[2]; }, this);
    this.count = first;
    this.foldedTexts = [];
    this.allHeadings = fold(index.headings);
    this.headingEnds = new Uint32Array(this.count);
    var end = 0;
    for (var section = 0; section < this.count; section += 1) {
      this.headingEnds[section] = end += this.headings[section].length + 1;
    }
  }

  Finder.prototype.page = function (section) {
    var low = 0;
    var high = this.firsts.length - 1;
    while (low < high) {
      var middle = (low + high + 1) >> 1;
      if (this.firsts[middle] <= section) { low = middle; } else { high = middle - 1; }
    }
    return this.pages[low];
  };

  Finder.prototype.heading = function (section) {
    return this.allHeadings.slice(section ? this.headingEnds[section - 1] : 0, this.headingEnds[section] - 1);
  };

  Finder.prototype.text = function (section) {
    if (this.foldedTexts[section] === undefined) { this.foldedTexts[section] = fold(this.texts[section]); }
    return this.foldedTexts[section];
  };

  /* Adds 1 for each section whose heading has the part: all headings are one text, so that it is sought once. */
  Finder.prototype.name = function (part, named) {
    var section = 0;
    var last = -1;
    places(this.allHeadings, part).forEach(function (at) {
      while (this.headingEnds[section] <= at) { section += 1; }
      if (section !== last) { named[section] += 1; }
      last = section;
    }, this);
  };

  /* How often each section holds a term that begins with `start`, or `start` alone. */
  Finder.prototype.look = function (start, whole) {
    var low = 0;
    var high = this.terms.length;
    var counts = new Uint32Array(this.count);
    while (low < high) {
      var middle = (low + high) >> 1;
      if (this.terms[middle] < start) { low = middle + 1; } else { high = middle; }
    }
    for (; low < this.terms.length && this.terms[low].startsWith(start); low += 1) {
      if (whole && this.terms[low] !== start) { break; }
      tell(this.postings[low], counts);
    }
    return counts;
  };

  /* What both hold, added up in the first. */
  function common(one, other) {
    for (var section = 0; section < one.length; section += 1) {
      one[section] = one[section] && other[section] ? one[section] + other[section] : 0;
    }
    return one;
  }

  /* A string with Chinese: pairs say where it may be, the stored text says where and how often it is. */
  Finder.prototype.literal = function (part) {
    var finder = this;
    var possible = null;
    function narrow(counts) { possible = possible ? common(possible, counts) : counts; }
    part.text.match(TERM).filter(function (run) { return IS_HAN.test(run); }).forEach(function (run) {
      var chars = Array.from(run);
      if (chars.length === 1) { narrow(finder.look(run, false)); }
      for (var at = 0; at + 1 < chars.length; at += 1) { narrow(finder.look(chars[at] + chars[at + 1], true)); }
    });
    if (Array.from(part.text).length <= 2 && part.text.match(TERM)[0] === part.text) { return possible; }
    return possible.map(function (count, section) {
      return count && places(finder.heading(section), part).length + places(finder.text(section), part).length;
    });
  };

  function parts(query) {
    var found = [];
    fold(query).split(/\s+/).forEach(function (piece) {
      if (IS_HAN.test(piece)) {
        found.push({ text: piece, han: true });
      } else {
        (piece.match(TERM) || []).forEach(function (word) { found.push({ text: word, han: false }); });
      }
    });
    return found;
  }

  /*
   The sections that hold every part of the query: how many they are, how many hits they have, and the best of them
   first, which are those that name most parts in their heading, then those with most hits.
   */
  Finder.prototype.find = function (query) {
    var finder = this;
    var wanted = parts(query);
    var counts = null;
    wanted.forEach(function (part) {
      var its = part.han ? finder.literal(part) : finder.look(part.text, false);
      counts = counts ? common(counts, its) : its;
    });
    counts = counts || new Uint32Array(this.count);
    var hits = 0;
    var most = 0;
    var sections = 0;
    counts.forEach(function (count) {
      hits += count;
      most = Math.max(most, count);
      sections += count ? 1 : 0;
    });
    var named = new Uint32Array(this.count);
    wanted.forEach(function (part) { finder.name(part, named); });
    /* One number each, the later ones better: numbers are sorted many times faster than what compares two objects. */
    var ranks = new Float64Array(sections);
    counts.forEach(function (count, section) {
      if (count) { ranks[sections -= 1] = (named[section] * (most + 1) + count) * finder.count + finder.count - 1 - section; }
    });
    ranks.sort();
    return {
      parts: wanted,
      hits: hits,
      sections: ranks.length,
      best: function (number) {
        return Array.from(ranks.slice(Math.max(0, ranks.length - number)).reverse(), function (rank) {
          var section = finder.count - 1 - rank % finder.count;
          return { section: section, hits: counts[section] };
        });
      }
    };
  };

  /* ── Showing ── */
  function element(name, words, kind) {
    var made = document.createElement(name);
    if (words) { made.textContent = words; }
    if (kind) { made.className = kind; }
    return made;
  }

  /* Puts text[from:to] into `box`, with every hit in a <mark>. Text is only ever set as text. */
  function marked(box, text, folded, wanted, from, to) {
    var spans = [];
    wanted.forEach(function (part) {
      places(folded, part).forEach(function (at) { spans.push([at, at + part.text.length]); });
    });
    spans.sort(function (a, b) { return a[0] - b[0]; });
    var at = from;
    spans.forEach(function (span) {
      var start = Math.max(span[0], at);
      var end = Math.min(span[1], to);
      if (end > start) {
        box.append(text.slice(at, start), element("mark", text.slice(start, end)));
        at = end;
      }
    });
    box.append(text.slice(at, to));
  }

  function cut(text, at) {
    var code = text.charCodeAt(at);
    return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
  }

  function snippet(text, folded, wanted) {
    var box = element("p", "", "small");
    var first = Math.min.apply(null, wanted.map(function (part) {
      var all = places(folded, part);
      return all.length ? all[0] : Infinity;
    }));
    first = first === Infinity ? 0 : first;
    var from = first > AROUND ? cut(text, first - AROUND) : 0;
    var to = first + 2 * AROUND < text.length ? cut(text, first + 2 * AROUND) : text.length;
    box.append(from ? "…" : "");
    marked(box, text, folded, wanted, from, to);
    box.append(to < text.length ? "…" : "");
    return box;
  }

  function item(finder, hit, wanted) {
    var page = finder.page(hit.section);
    var anchor = finder.anchors[hit.section];
    var heading = finder.headings[hit.section];
    var text = finder.texts[hit.section];
    var line = element("li");
    var link = element("a", "", "title");
    /* Every place starts with a folder of its own, so no place can be read as another scheme. */
    link.href = "../" + encodeURI(page[1]) + (anchor ? "#" + encodeURIComponent(anchor) : "");
    marked(link, heading || page[0], fold(heading || page[0]), wanted, 0, Infinity);
    line.append(link);
    if (heading && heading !== page[0]) { line.append(element("p", page[0], "small second")); }
    if (text) { line.append(snippet(text, finder.text(hit.section), wanted)); }
    return line;
  }

  window.sealbookFinder = function (index) { return new Finder(index); };

  var box = document.querySelector("[data-search]");
  if (!box) { return; }
  var input = box.querySelector("input");
  var status = box.querySelector("[data-status]");
  var list = box.querySelector("ol");
  var finder = null;
  var asked = false;
  var failed = false;
  var waiting = 0;
  var following = 0;

  function words(name) { return box.getAttribute("data-" + name); }

  function show() {
    var query = input.value.trim();
    window.cancelAnimationFrame(following);
    list.replaceChildren();
    status.textContent = "";
    if (!query) { return; }
    if (!finder) { status.textContent = words(failed ? "failed" : "loading"); return; }
    var answer = finder.find(query);
    var said = words("found").replace("{hits}", answer.hits).replace("{sections}", answer.sections);
    if (answer.sections > SHOWN) { said += " " + words("first").replace("{n}", SHOWN); }
    status.textContent = answer.sections ? said : words("none");
    var best = answer.best(SHOWN);
    function add(hits) {
      var made = document.createDocumentFragment();
      hits.forEach(function (hit) { made.append(item(finder, hit, answer.parts)); });
      list.append(made);
    }
    /* Those in view first: who types on need not wait for the others. */
    add(best.slice(0, AT_ONCE));
    following = window.requestAnimationFrame(function () {
      following = window.requestAnimationFrame(function () { add(best.slice(AT_ONCE)); });
    });
  }

  function load() {
    if (asked) { return; }
    asked = true;
    var script = element("script");
    script.src = words("index");
    script.onload = function () { finder = new Finder(window.sealbookIndex); show(); };
    script.onerror = function () { failed = true; show(); };
    document.head.append(script);
  }

  /* The query stands in the address, so that the way back and the other language keep it. */
  function remember() {
    try {
      window.history.replaceState(null, "", "#q=" + encodeURIComponent(input.value.trim()));
      window.dispatchEvent(new HashChangeEvent("hashchange"));
    } catch (error) {
      /* A browser that does not let a file change its address forgets the query. */
    }
  }

  function recall() {
    var hash = window.location.hash;
    if (hash.slice(0, 3) !== "#q=") { return; }
    var query;
    try { query = decodeURIComponent(hash.slice(3)); } catch (error) { return; }
    if (query === input.value.trim()) { return; }
    input.value = query;
    load();
    show();
  }

  list.addEventListener("click", remember);
  input.addEventListener("focus", load);
  input.addEventListener("input", function () {
    load();
    show();
    window.clearTimeout(waiting);
    waiting = window.setTimeout(remember, 300);
  });
  window.addEventListener("hashchange", recall);
  box.hidden = false;
  recall();
})();
