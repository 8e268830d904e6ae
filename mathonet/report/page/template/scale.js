"use strict";
// Scales, ticks and numbers: everything of a chart that is arithmetic.

const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function power(exponent) {
  return "10" + String(exponent).split("").map((mark) => SUPERSCRIPT[mark]).join("");
}

// A number for people: some significant digits, a true minus sign, powers of ten for the very large and small.
function shown(value, digits = 5) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
  if (exponent >= 6 || exponent < -4) {
    return Number((value / 10 ** exponent).toPrecision(digits)).toString().replace("-", "−") + "·" + power(exponent);
  }
  return Number(value.toPrecision(digits)).toString().replace("-", "−");
}

// A number of an axis, in digits that tell it from its neighbours: 1953.58 among years.
function placed(value, scale, digits = 5) {
  const reach = Math.abs(scale.high - scale.low);
  const shared = value && reach ? Math.floor(Math.log10(Math.abs(value) / reach)) : 0;
  return shown(value, Math.min(digits + Math.max(shared, 0), 15));
}

class LinearScale {
  constructor(low, high, from, to, whole = false) {
    Object.assign(this, { low, high, from, to, whole });
  }
  at(value) {
    return this.from + ((value - this.low) / (this.high - this.low)) * (this.to - this.from);
  }
  value(place) {
    return this.low + ((place - this.from) / (this.to - this.from)) * (this.high - this.low);
  }
  ticks(count) {
    const rough = (this.high - this.low) / Math.max(count, 1);
    const size = 10 ** Math.floor(Math.log10(rough));
    let step = size * ([1, 2, 5, 10].find((each) => each * size >= rough * 0.999) || 10);
    const places = () => {
      const found = [];
      for (let k = Math.ceil(this.low / step - 1e-9); k * step <= this.high + 1e-9 * step; k += 1) {
        found.push(k * step);
      }
      return found;
    };
    // One tick alone says nothing about the scale.
    if (places().length < 2) step /= step === 5 * size ? 2.5 : 2;
    if (this.whole) step = Math.max(1, Math.round(step));
    const found = places();
    const largest = Math.max(...found.map(Math.abs), 0);
    const exponent = largest > 0 ? Math.floor(Math.log10(largest) + 1e-12) : 0;
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const label = (value) => {
      if (value === 0) return "0";
      if (exponent >= 5 || exponent < -3) {
        const extra = Math.max(0, exponent - Math.floor(Math.log10(step) + 1e-9));
        return (value / 10 ** exponent).toFixed(extra).replace("-", "−") + "·" + power(exponent);
      }
      return value.toFixed(Math.min(decimals, 12)).replace("-", "−");
    };
    return found.map((value) => ({ value, label: label(value) }));
  }
}

class LogScale {
  constructor(low, high, from, to) {
    Object.assign(this, { low, high, from, to });
  }
  at(value) {
    const whole = Math.log(this.high / this.low);
    return this.from + (Math.log(value / this.low) / whole) * (this.to - this.from);
  }
  value(place) {
    return this.low * Math.exp(((place - this.from) / (this.to - this.from)) * Math.log(this.high / this.low));
  }
  ticks(count) {
    const first = Math.ceil(Math.log10(this.low) - 1e-9);
    const last = Math.floor(Math.log10(this.high) + 1e-9);
    if (last - first < 1) {
      const fine = new LinearScale(this.low, this.high, this.from, this.to).ticks(count);
      return fine.filter((tick) => tick.value > 0);
    }
    const step = Math.max(1, Math.ceil((last - first) / Math.max(count, 1)));
    if (last - first < 2 && count > 3) {
      const fine = [];
      for (let exponent = first - 1; exponent <= last; exponent += 1) {
        [1, 2, 5].forEach((part) => fine.push(part * 10 ** exponent));
      }
      const inside = fine.filter((value) => value >= this.low && value <= this.high);
      return inside.map((value) => ({ value, label: shown(value, 2) }));
    }
    const found = [];
    for (let exponent = first; exponent <= last; exponent += step) {
      found.push({ value: 10 ** exponent, label: exponent === 0 ? "1" : exponent === 1 ? "10" : power(exponent) });
    }
    return found;
  }
}

// Least and largest of some numbers, missing ones left out.
function extent(values, seen = () => true) {
  let low = Infinity;
  let high = -Infinity;
  values.forEach((value, place) => {
    if (value === null || !seen(place)) return;
    if (value < low) low = value;
    if (value > high) high = value;
  });
  return [low, high];
}

function padded([low, high], share, log) {
  if (!(low <= high)) return log ? [0.1, 1] : [0, 1];
  if (log) {
    const factor = Math.max((high / low) ** share, 1.3);
    return [low / factor, high * factor];
  }
  const room = high > low ? (high - low) * share : Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

// Place of the number nearest to a value; the numbers need not be sorted.
function nearest(values, value) {
  let best = -1;
  let least = Infinity;
  values.forEach((each, place) => {
    if (each === null) return;
    const away = Math.abs(each - value);
    if (away < least) [least, best] = [away, place];
  });
  return best;
}

function node(name, attributes = {}, parent = null, text = null) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== null) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function tag(name, attributes = {}, parent = null, text = null) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== null) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}
