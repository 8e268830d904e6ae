// Chart: one panel as SVG. Hovering shows values, dragging zooms, a double click shows all again.

let charts = 0;
const LETTER = 6.7;
const SEQUENTIAL = ["#00204d", "#31446b", "#666970", "#958f78", "#cbba69", "#ffea46"];
const DIVERGING = ["#0b559f", "#6baed6", "#f2f2f2", "#f4a261", "#b5460f"];

class Chart {
  constructor(host, panel, columns, hooks = {}) {
    Object.assign(this, { host, panel, columns, hooks });
    this.hidden = new Set();
    this.range = null;
    this.selected = null;
    this.clip = `clip${(charts += 1)}`;
    this.svg = node("svg", { class: "chart", tabindex: "0", role: "img" }, host);
    this.svg.setAttribute("aria-label", `Chart: ${panel.title || panel.y} against ${panel.x}`);
    this.tip = tag("div", { class: "tip", role: "status" }, host);
    this.tip.hidden = true;
    this.listen();
  }

  column(key) {
    return this.columns[key] || [];
  }

  get series() {
    return this.panel.series.filter((each) => !this.hidden.has(each.name));
  }

  domain() {
    if (this.panel.image) return { x: this.panel.image.x, y: this.panel.image.y };
    const parts = this.series.length ? this.series : this.panel.series;
    const join = (all) => [Math.min(...all.map((e) => e[0])), Math.max(...all.map((e) => e[1]))];
    const bars = parts.filter((each) => each.kind === "bars");
    let x = this.range && this.range.x;
    if (!x) {
      x = padded(join(parts.map((each) => extent(this.column(each.x)))), 0.03, false);
      bars.forEach((each) => {
        const half = this.barWidth(each) / 2;
        const [low, high] = extent(this.column(each.x));
        x = [Math.min(x[0], low - 1.3 * half), Math.max(x[1], high + 1.3 * half)];
      });
    }
    let y = this.range && this.range.y;
    if (!y) {
      const found = parts.flatMap((each) => {
        const places = this.column(each.x);
        const inside = (place) => places[place] >= x[0] && places[place] <= x[1];
        const keys = each.kind === "band" ? [each.low, each.high] : [each.y];
        return keys.map((key) => extent(this.column(key), inside));
      });
      y = join(found.filter((each) => each[0] <= each[1]));
      if (bars.length || this.panel.floor) y = [Math.min(y[0], 0), Math.max(y[1], 0)];
      y = padded(y, 0.07, this.panel.logy);
      if (this.panel.floor) y[0] = 0;
      if (bars.length && y[0] > -1e-12 - 0.08 * y[1] && Math.min(...bars.flatMap((b) => this.column(b.y))) >= 0) y[0] = 0;
      if (this.panel.diagonal && !this.range) x = y = [Math.min(x[0], y[0]), Math.max(x[1], y[1])];
    }
    return { x, y };
  }

  barWidth(each) {
    const places = this.column(each.x);
    return places.length > 1 ? 0.8 * Math.abs(places[1] - places[0]) : 0.8;
  }

  draw() {
    const width = Math.round(this.host.clientWidth) || 600;
    const height = this.panel.height || 240;
    const { x, y } = this.domain();
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const box = { top: 26, bottom: height - 38, right: width - (this.panel.image ? 74 : 12), left: 0 };
    const Up = this.panel.logy ? LogScale : LinearScale;
    const up = new Up(y[0], y[1], box.bottom, box.top, this.panel.whole && !this.panel.logy);
    const rows = up.ticks(Math.max(2, Math.floor((box.bottom - box.top) / 38)));
    this.margin = 14 + LETTER * Math.max(2, ...rows.map((tick) => tick.label.length));
    box.left = Math.max(this.margin, this.least || 0);
    const across = new LinearScale(x[0], x[1], box.left, box.right, this.panel.whole);
    Object.assign(this, { box, across, up });
    this.axes(rows, width);
    const clip = node("clipPath", { id: this.clip }, node("defs", {}, this.svg));
    const frame = { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
    node("rect", frame, clip);
    const inside = node("g", { "clip-path": `url(#${this.clip})` }, this.svg);
    if (this.panel.image) this.image(inside, width);
    if (this.panel.zero && y[0] < 0 && y[1] > 0) {
      node("line", { class: "rule", x1: box.left, x2: box.right, y1: up.at(0), y2: up.at(0) }, inside);
    }
    if (this.panel.diagonal) {
      const [low, high] = [Math.max(x[0], y[0]), Math.min(x[1], y[1])];
      if (low < high) {
        const ends = { x1: across.at(low), y1: up.at(low), x2: across.at(high), y2: up.at(high) };
        node("line", { class: "rule", ...ends }, inside);
      }
    }
    this.series.forEach((each) => this.add(each, inside));
    this.marks = node("g", { class: "marks" }, this.svg);
    this.drag = node("rect", { class: "drag", visibility: "hidden" }, this.svg);
    this.ring();
  }

  axes(rows, width) {
    const { box, across, up } = this;
    const axis = node("g", { class: "axis" }, this.svg);
    rows.forEach((tick) => {
      const y = up.at(tick.value);
      node("line", { class: "grid", x1: box.left, x2: box.right, y1: y, y2: y }, axis);
      node("text", { x: box.left - 6, y: y + 4, "text-anchor": "end" }, axis, tick.label);
    });
    const wanted = across.ticks(Math.max(2, Math.floor((box.right - box.left) / 80)));
    wanted.forEach((tick) => {
      const x = across.at(tick.value);
      node("line", { class: "tick", x1: x, x2: x, y1: box.bottom, y2: box.bottom + 4 }, axis);
      const label = node("text", { x, y: box.bottom + 17, "text-anchor": "middle" }, axis, tick.label);
      label.setAttribute("x", Math.min(x, width - 1 - label.getComputedTextLength() / 2));
    });
    node("line", { class: "base", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }, axis);
    const above = this.panel.title ? `${this.panel.title}  (${this.panel.y} upwards)` : this.panel.y;
    fit(node("text", { class: "label", x: 2, y: 13 }, axis), above, width - 4);
    const below = { class: "label", x: box.right, y: box.bottom + 33, "text-anchor": "end" };
    fit(node("text", below, axis), this.panel.x, box.right - 2);
  }

  add(each, parent) {
    const xs = this.column(each.x);
    const ys = this.column(each.y);
    const { across, up } = this;
    const colour = `var(--${each.colour})`;
    const point = (place, values = ys) => {
      const [x, y] = [xs[place], values[place]];
      if (x === null || y === null || x === undefined || y === undefined) return null;
      return `${across.at(x).toFixed(1)} ${up.at(y).toFixed(1)}`;
    };
    if (each.kind === "dots") {
      const path = xs.map((_, place) => point(place)).filter(Boolean).map((at) => `M${at}h0`).join("");
      const size = each.large ? 11 : xs.length > 900 ? 3.4 : xs.length > 300 ? 5 : 7;
      node("path", { class: "dots", d: path, stroke: colour, "stroke-width": size }, parent);
    } else if (each.kind === "band") {
      const low = this.column(each.low);
      const high = this.column(each.high);
      const there = xs.map((_, place) => place).filter((place) => point(place, low) && point(place, high));
      const path = [...there.map((p) => point(p, high)), ...there.reverse().map((p) => point(p, low))];
      if (path.length) node("path", { class: "band", d: `M${path.join("L")}Z`, fill: colour }, parent);
    } else if (each.kind === "bars") {
      const half = this.barWidth(each) / 2;
      xs.forEach((x, place) => {
        const [left, right] = [across.at(x - half), across.at(x + half)];
        const [top, bottom] = [up.at(Math.max(ys[place], 0)), up.at(Math.min(ys[place], 0))];
        const size = { x: left, y: top, width: right - left, height: Math.max(bottom - top, 0.5) };
        node("rect", { class: "bar", fill: colour, ...size }, parent);
      });
    } else {
      let path = "";
      let pen = false;
      let last = null;
      xs.forEach((x, place) => {
        const at = point(place);
        if (!at) pen = false;
        else {
          if (pen && each.kind === "steps") path += `L${across.at(x).toFixed(1)} ${last.split(" ")[1]}`;
          path += `${pen ? "L" : "M"}${at}`;
          pen = true;
          last = at;
        }
      });
      const dash = each.dashed ? { "stroke-dasharray": "6 4" } : {};
      node("path", { class: "line", d: path, stroke: colour, ...dash }, parent);
      if (each.marked || each.kind === "steps") {
        const dots = xs.map((_, place) => point(place)).filter(Boolean).map((at) => `M${at}h0`).join("");
        node("path", { class: "dots", d: dots, stroke: colour, "stroke-width": 6 }, parent);
      }
      const first = each.start ? xs.map((_, place) => point(place)).find(Boolean) : null;
      if (first) {
        const [cx, cy] = first.split(" ");
        node("circle", { class: "start", cx, cy, r: 4.5, fill: "var(--paper)", stroke: "var(--chosen)" }, parent);
      }
    }
  }

  image(parent, width) {
    const { image } = this.panel;
    const { box } = this;
    const values = this.column(image.key);
    let [low, high] = extent(values);
    if (image.signed) [low, high] = [-Math.max(-low, high), Math.max(-low, high)];
    if (!(high > low)) [low, high] = [low - 1, low + 1];
    const stops = image.signed ? DIVERGING : SEQUENTIAL;
    const canvas = tag("canvas", { width: image.columns, height: image.rows });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(image.columns, image.rows);
    values.forEach((value, place) => {
      const row = image.rows - 1 - Math.floor(place / image.columns);
      const at = 4 * (row * image.columns + (place % image.columns));
      pixels.data.set(value === null ? [0, 0, 0, 0] : blend(stops, (value - low) / (high - low)), at);
    });
    context.putImageData(pixels, 0, 0);
    const size = { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
    node("image", { href: canvas.toDataURL(), preserveAspectRatio: "none", class: "pixels", ...size }, parent);
    const bar = tag("canvas", { width: 1, height: 64 });
    const strip = bar.getContext("2d").createImageData(1, 64);
    for (let row = 0; row < 64; row += 1) strip.data.set(blend(stops, 1 - row / 63), 4 * row);
    bar.getContext("2d").putImageData(strip, 0, 0);
    const place = { x: box.right + 10, y: box.top, width: 10, height: box.bottom - box.top };
    node("image", { href: bar.toDataURL(), preserveAspectRatio: "none", ...place }, this.svg);
    const ends = [[high, box.top + 9], [low, box.bottom]];
    ends.forEach(([value, y]) => node("text", { class: "small", x: width - 50, y }, this.svg, shown(value, 2)));
  }

  ring() {
    this.svg.querySelectorAll(".ring").forEach((each) => each.remove());
    this.series.forEach((each) => {
      const place = each.places ? each.places.indexOf(this.selected) : -1;
      if (place < 0) return;
      const at = { cx: this.across.at(this.column(each.x)[place]), cy: this.up.at(this.column(each.y)[place]) };
      node("circle", { class: "ring", r: 9.5, ...at }, this.svg);
    });
  }
}

// Text without its middle where it is too wide: names often differ at their ends, and units stand there.
function fit(made, text, room) {
  made.textContent = text;
  for (let most = text.length - 1; most > 8 && made.getComputedTextLength() > room; most -= 1) {
    const tail = Math.floor((most - 1) / 2);
    made.textContent = `${text.slice(0, most - 1 - tail).trimEnd()}…${text.slice(-tail).trimStart()}`;
  }
}

function blend(stops, share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const at = Math.min(Math.floor(place), stops.length - 2);
  const part = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mix = (k) => part(stops[at], k) + (place - at) * (part(stops[at + 1], k) - part(stops[at], k));
  return [mix(0), mix(1), mix(2), 255];
}
