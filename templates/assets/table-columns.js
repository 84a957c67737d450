/* The columns of a table without their looks: decoding, numbers in words, and what each holds in its order. */
(function () {
  "use strict";

  var NO_NUMBER = { "?": "unknown", "!": "undefined", "n": "nan", "+": "plus-infinity", "-": "minus-infinity" };
  var KINDS = Object.keys(NO_NUMBER);

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

  /* How many of some rows hold each kind of what is no number. */
  Column.prototype.others = function (view) {
    var found = KINDS.map(function () { return 0; });
    for (var at = 0; at < view.length; at += 1) {
      var other = this.numbers.others[view[at]];
      if (other) { found[other - 1] += 1; }
    }
    return found;
  };

  /* All entries as one long text, so that a word is sought once and not row by row. */
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

  window.sealbookColumns = { Column: Column, grouped: grouped, indexes: indexes };
})();
