/* The rows of a table without its looks: sorting, filtering, statistics, CSV. */
(function () {
  "use strict";

  var FORMULA = /^[=+\-@\t\r\n]/;
  var tools = window.sealbookColumns;
  if (!tools) { return; }  /* The table says that a script is missing. */
  var Column = tools.Column;
  var grouped = tools.grouped;
  var indexes = tools.indexes;

  /* Keys that come from an address or a reader may be called anything, `constructor` too. */
  function dictionary() { return Object.create(null); }

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

  /* ── Filtering ── */

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
    var others = column.others(view);
    var undefinedWord = column.words.undefined;
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
