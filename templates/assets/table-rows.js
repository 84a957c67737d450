/* The rows of a table without its looks: decoding, words, sorting, filtering, statistics, CSV. */
(function () {
  "use strict";

  var NO_NUMBER = { "?": "unknown", "!": "undefined", "n": "nan", "+": "plus-infinity", "-": "minus-infinity" };
  var KINDS = Object.keys(NO_NUMBER);
  var FORMULA = /^[=+\-@\t\r\n]/;

  /* Keys that come from an address or a reader may be called anything, `constructor` too. */
  function dictionary() { return Object.create(null); }

  /* Calls act(value, first row, row after the last) for each run of coded cells; a token that is no number stays text. */
  function runs(coded, act) {
    var row = 0;
    if (coded === "") { return; }
    coded.split(",").forEach(function (token) {
      var star = token.indexOf("*");
      var tilde = star < 0 ? token.indexOf("~") : -1;
      if (tilde > 0) {
        var last = Number(token.slice(tilde + 1));
        for (var value = Number(token.slice(0, tilde)); value <= last; value += 1) { act(value, row, row += 1); }
        return;
      }
      var cell = star < 0 ? token : token.slice(0, star);
      act(NO_NUMBER[cell] ? cell : Number(cell), row, row += star < 0 ? 1 : Number(token.slice(star + 1)));
    });
  }

  function indexes(coded, rows) {
    var made = new Uint32Array(rows);
    runs(coded, function (value, from, to) { made.fill(value, from, to); });
    return made;
  }

  /* ── Numbers in words, as sitegen/figures.py says them ── */
  function grouped(value) {
    return (value < 0 ? "\u2212" : "") + String(Math.abs(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  }

  function rounded(value, unit) {
    var twice = 2 * value + unit;
    return (twice - twice % (2 * unit)) / (2 * unit);
  }

  function duration(ns) {
    if (ns >= 6e10) {
      var seconds = rounded(ns, 1e9);
      return grouped((seconds - seconds % 60) / 60) + "\u00a0min " + String(seconds % 60).padStart(2, "0") + "\u00a0s";
    }
    if (ns >= 1e9) { return (rounded(ns, 1e6) / 1000).toFixed(3) + "\u00a0s"; }
    if (ns >= 1e6) { return rounded(ns, 1e6) + "\u00a0ms"; }
    return ns >= 1e3 ? rounded(ns, 1e3) + "\u00a0µs" : ns + "\u00a0ns";
  }

  /* ── Columns: each row has the code of an entry; entries have words, and words have an order ── */
  function Column(source, rows) {
    this.key = source.key;
    this.kind = source.kind;
    this.source = source;
    this.rows = rows;
    this.numeric = source.kind === "number" || source.kind === "duration" || source.kind === "line";
    this.words = {};
    this.texts = source.texts || [];
  }

  /* What a column needs is made when it is needed first. */
  function lazily(name, make) {
    Object.defineProperty(Column.prototype, name, {
      get: function () {
        var made = make.call(this);
        Object.defineProperty(this, name, { value: made });
        return made;
      },
      configurable: true
    });
  }

  lazily("names", function () { return this.source.names.split("\n"); });
  lazily("target", function () { return this.source.targets ? indexes(this.source.target, this.rows) : null; });

  /* Numbers by row; others is the index of what stands there instead plus one, and zero for a number. */
  lazily("numbers", function () {
    var values = new Float64Array(this.rows);
    var others = new Uint8Array(this.rows);
    runs(this.source.cells, function (value, from, to) {
      if (typeof value === "number") {
        values.fill(value, from, to);
      } else {
        others.fill(KINDS.indexOf(value) + 1, from, to);
      }
    });
    return { values: values, others: others };
  });

  lazily("distinct", function () {
    var finite = this.finite(null);
    var last = 0;
    for (var at = 0; at < finite.length; at += 1) {
      if (at === 0 || finite[at] !== finite[last - 1]) { finite[last] = finite[at]; last += 1; }
    }
    return finite.subarray(0, last);
  });

  /* The entry of each row: its value's index, a number's place among all numbers, or the row itself for a name. */
  lazily("codes", function () {
    var codes = new Uint32Array(this.rows);
    var row, known;
    if (this.kind === "name") {
      for (row = 0; row < this.rows; row += 1) { codes[row] = row; }
    } else if (this.numeric) {
      known = this.distinct;
      for (row = 0; row < this.rows; row += 1) {
        codes[row] = this.numbers.others[row] ? known.length + this.numbers.others[row] - 1 : place(known, this.numbers.values[row]);
      }
    } else {
      codes = indexes(this.source.cells, this.rows);
    }
    return codes;
  });

  function place(ordered, value) {
    var low = 0;
    var high = ordered.length - 1;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (ordered[middle] < value) { low = middle + 1; } else { high = middle; }
    }
    return low;
  }

  lazily("entries", function () {
    if (this.kind === "name") { return this.rows; }
    return this.numeric ? this.distinct.length + KINDS.length : this.texts.length;
  });

  Column.prototype.said = function (value) {
    return this.kind === "duration" ? duration(value) : grouped(value);
  };

  Column.prototype.entry = function (code) {
    if (this.kind === "name") { return this.names[code]; }
    if (!this.numeric) { return this.texts[code]; }
    var known = this.distinct.length;
    return code < known ? this.said(this.distinct[code]) : this.words[NO_NUMBER[KINDS[code - known]]];
  };

  Column.prototype.text = function (row) {
    if (this.kind === "name") { return this.names[row]; }
    if (!this.numeric) { return this.texts[this.codes[row]]; }
    var other = this.numbers.others[row];
    return other ? this.words[NO_NUMBER[KINDS[other - 1]]] : this.said(this.numbers.values[row]);
  };

  Column.prototype.leads = function (row, name) {
    return this.target ? this.source.targets[this.target[row]].replace(/\{\}/g, name) : "";
  };

  /* The finite numbers of some rows, or of all, in order. */
  Column.prototype.finite = function (view) {
    var numbers = this.numbers;
    var length = view ? view.length : this.rows;
    var found = new Float64Array(length);
    var count = 0;
    for (var at = 0; at < length; at += 1) {
      var row = view ? view[at] : at;
      if (numbers.others[row] === 0) { found[count] = numbers.values[row]; count += 1; }
    }
    return found.subarray(0, count).sort();
  };

  /* ── Sorting: each entry has a rank; what has no value comes last both ways, and equal rows keep their order ── */
  function ranks(column, collator) {
    var made = new Uint32Array(column.entries);
    var code;
    if (column.kind === "name") {
      return column.source.order ? indexes(column.source.order, column.rows) : column.codes;
    }
    if (column.numeric) {
      for (code = 0; code < column.distinct.length; code += 1) { made[code] = code; }
      return made.fill(column.entries, column.distinct.length);
    }
    var order = column.texts.map(function (text, index) { return index; });
    order.sort(function (a, b) { return collator.compare(column.texts[a], column.texts[b]); });
    order.forEach(function (index, rank) {
      var same = rank > 0 && collator.compare(column.texts[order[rank - 1]], column.texts[index]) === 0;
      made[index] = same ? made[order[rank - 1]] : rank;
    });
    column.texts.forEach(function (text, index) { if (text === "") { made[index] = column.entries; } });
    return made;
  }

  function order(column, descending, collator) {
    var codes = column.codes;
    var rows = column.rows;
    var last = column.entries;
    var starts = new Uint32Array(last + 2);
    var made = new Uint32Array(rows);
    var row;
    var bucket = ranks(column, collator).map(function (rank) { return rank >= last ? last : descending ? last - 1 - rank : rank; });
    for (row = 0; row < rows; row += 1) { starts[bucket[codes[row]] + 1] += 1; }
    for (var at = 0; at < last; at += 1) { starts[at + 1] += starts[at]; }
    for (row = 0; row < rows; row += 1) {
      var into = bucket[codes[row]];
      made[starts[into]] = row;
      starts[into] += 1;
    }
    return made;
  }

  /* ── Filtering: all entries of a column are one long text, so that a word is sought once and not row by row ── */
  lazily("haystack", function () {
    var starts = new Uint32Array(this.entries + 1);
    var all = this.kind === "name" ? this.names : [];
    for (var code = all.length; code < this.entries; code += 1) { all.push(this.entry(code)); }
    var text = all.join("\n").toLowerCase();
    if (text.length !== all.join("\n").length) {  /* A letter that grows would move what follows. */
      text = (all = all.map(function (entry) { return entry.toLowerCase(); })).join("\n");
    }
    all.forEach(function (entry, index) { starts[index + 1] = starts[index] + entry.length + 1; });
    return { text: text, starts: starts };
  });

  /* Marks in `found` the rows whose entry holds the word. */
  function mark(column, word, found) {
    var codes = column.codes;
    var rows = column.rows;
    var hay = column.haystack;
    var hits = new Uint8Array(column.entries);
    var entry = 0;
    var any = false;
    for (var at = hay.text.indexOf(word); at >= 0; at = hay.text.indexOf(word, at)) {
      while (hay.starts[entry + 1] <= at) { entry += 1; }
      hits[entry] = 1;
      any = true;
      at = hay.starts[entry + 1];
    }
    for (var row = 0; any && row < rows; row += 1) { found[row] |= hits[codes[row]]; }
  }

  /* ── The whole ── */
  function Rows(source, language) {
    var rows = this.count = source.rows;
    this.columns = source.columns.map(function (column) { return new Column(column, rows); });
    this.byKey = dictionary();
    this.columns.forEach(function (column) { this.byKey[column.key] = column; }, this);
    this.facets = this.columns.filter(function (column) { return column.kind === "choice"; });
    this.collator = new Intl.Collator(/^zh/.test(language) ? "zh-Hans-u-co-pinyin" : language, { numeric: true });
    this.found = dictionary();
    this.orders = dictionary();
  }

  /* 1 for each row in which any column holds the word; words of the last filter are kept. */
  Rows.prototype.holding = function (word) {
    var found = this.found[word];
    if (!found) {
      found = new Uint8Array(this.count);
      this.columns.forEach(function (column) { mark(column, word, found); });
    }
    return found;
  };

  Rows.prototype.sorted = function (key, descending) {
    var name = (descending ? "-" : "") + key;
    if (!this.orders[name]) { this.orders[name] = order(this.byKey[key], descending, this.collator); }
    return this.orders[name];
  };

  /*
   * Which rows fit a filter, and for each facet how many rows each of its values would leave.
   * filter: { words: [lower-case], facets: { key: [values] } }
   */
  Rows.prototype.filter = function (filter) {
    var name = JSON.stringify([filter.words, filter.facets]);
    if (this.fitting && this.fitting.name === name) { return this.fitting; }
    var count = this.count;
    var facets = this.facets;
    var fails = new Uint16Array(count);
    var kept = dictionary();
    var counts = dictionary();
    var row;
    filter.words.forEach(function (word) {
      var found = kept[word] = this.holding(word);
      for (row = 0; row < count; row += 1) { fails[row] |= found[row] ^ 1; }
    }, this);
    this.found = kept;
    facets.forEach(function (column, index) {
      var wanted = filter.facets[column.key] || [];
      if (!wanted.length) { return; }
      var codes = column.codes;
      var failing = Uint16Array.from(column.source.values, function (value) { return wanted.indexOf(value) >= 0 ? 0 : 2 << index; });
      for (row = 0; row < count; row += 1) { fails[row] |= failing[codes[row]]; }
    });
    facets.forEach(function (column, index) {
      var others = 0xffff & ~(2 << index);
      var codes = column.codes;
      var into = counts[column.key] = new Uint32Array(column.texts.length);
      for (row = 0; row < count; row += 1) { if ((fails[row] & others) === 0) { into[codes[row]] += 1; } }
    });
    this.fitting = { name: name, fails: fails, counts: counts };
    return this.fitting;
  };

  /* The rows that fit, in the order of a column, or in their own for an empty key. */
  Rows.prototype.view = function (filter, key, descending) {
    var fails = this.filter(filter).fails;
    var ordered = key ? this.sorted(key, descending) : null;
    var view = new Uint32Array(this.count);
    var length = 0;
    for (var at = 0; at < this.count; at += 1) {
      var row = ordered ? ordered[at] : at;
      if (fails[row] === 0) { view[length] = row; length += 1; }
    }
    return view.subarray(0, length);
  };

  /* The statistics of a column over some rows, in the words of sitegen/pages/tables.py, in the order of its cells. */
  Rows.prototype.statistics = function (key, view) {
    var column = this.byKey[key];
    var finite = column.finite(view);
    var others = KINDS.map(function () { return 0; });
    var undefinedWord = column.words.undefined;
    for (var at = 0; at < view.length; at += 1) {
      var other = column.numbers.others[view[at]];
      if (other) { others[other - 1] += 1; }
    }
    var spread = [undefinedWord, undefinedWord, undefinedWord];
    if (finite.length) {
      var half = (finite[(finite.length - 1) >> 1] + finite[finite.length >> 1]) / 2;
      var median = column.kind === "duration" ? column.said(Math.floor(half + 0.5)) : grouped(half);
      spread = [column.said(finite[0]), median, column.said(finite[finite.length - 1])];
    }
    var counts = [others[0], others[1], others[2] + others[3] + others[4]];
    return [grouped(finite.length)].concat(spread, counts.map(grouped));
  };

  /* RFC 4180; numbers plain, and what a spreadsheet would compute begins with an apostrophe, as in attempts.csv. */
  Rows.prototype.csv = function (view, keys, titles) {
    var columns = keys.map(function (key) { return this.byKey[key]; }, this);
    function cell(text) {
      var safe = FORMULA.test(text) ? "'" + text : text;
      return /[",\r\n]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
    }
    var lines = [titles.map(cell).join(",")];
    view.forEach(function (row) {
      lines.push(columns.map(function (column) {
        var plain = column.numeric && column.numbers.others[row] === 0;
        return plain ? String(column.numbers.values[row]) : cell(column.text(row));
      }).join(","));
    });
    return lines.join("\r\n") + "\r\n";
  };

  window.sealbookTable = Rows;
})();
