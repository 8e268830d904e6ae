// What a chart does when it is pointed at: values, zoom, choice; by mouse, finger or keys.

Object.assign(Chart.prototype, {
  listen() {
    const { svg } = this;
    const spot = (event) => {
      const frame = svg.getBoundingClientRect();
      const scale = frame.width ? svg.viewBox.baseVal.width / frame.width : 1;
      return [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale];
    };
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button === 0 && !this.panel.image) this.from = spot(event);
      else this.point(...spot(event));
    });
    svg.addEventListener("pointermove", (event) => {
      const at = spot(event);
      if (this.from && Math.abs(at[0] - this.from[0]) > 6) this.stretch(at);
      else this.point(...at);
    });
    svg.addEventListener("pointerup", (event) => {
      if (event.pointerType === "mouse") this.release(spot(event));
      else this.choose();
    });
    svg.addEventListener("pointerleave", (event) => {
      this.from = null;
      this.drag.setAttribute("visibility", "hidden");
      // What a finger has shown stays until it points elsewhere.
      if (event.pointerType === "mouse") this.leave();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!svg.contains(event.target)) this.leave();
    });
    svg.addEventListener("dblclick", () => this.zoom(null));
    svg.addEventListener("blur", () => this.leave());
    svg.addEventListener("keydown", (event) => this.key(event));
  },

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && this.panel.series.length) {
      const each = this.series.find((part) => part.kind !== "band" && part.kind !== "line") || this.series[0];
      const places = this.column(each.x);
      this.cursor = Math.min(Math.max((this.cursor ?? -1) + step, 0), places.length - 1);
      this.point(this.across.at(places[this.cursor]), this.up.at(this.column(each.y)[this.cursor] ?? 0));
    } else if (event.key === "Enter") this.choose();
    else if (event.key === "Escape") this.leave();
    else if (event.key === "+") this.magnify(0.5);
    else if (event.key === "-") this.magnify(2);
    else if (event.key === "0") this.zoom(null);
    else return;
    event.preventDefault();
  },

  stretch(at) {
    const { box } = this;
    this.leave();
    const free = this.panel.pick === "point";
    const [x0, x1] = [this.from[0], at[0]].sort((a, b) => a - b);
    const [y0, y1] = free ? [this.from[1], at[1]].sort((a, b) => a - b) : [box.top, box.bottom];
    const size = { x: x0, y: y0, width: x1 - x0, height: y1 - y0, visibility: "visible" };
    Object.entries(size).forEach(([key, value]) => this.drag.setAttribute(key, value));
  },

  release(at) {
    const from = this.from;
    this.from = null;
    this.drag.setAttribute("visibility", "hidden");
    if (!from) return;
    if (Math.abs(at[0] - from[0]) < 8) {
      this.choose();
      return;
    }
    const range = (scale, a, b) => [scale.value(a), scale.value(b)].sort((c, d) => c - d);
    const free = this.panel.pick === "point" && Math.abs(at[1] - from[1]) > 8;
    this.zoom({ x: range(this.across, from[0], at[0]), y: free ? range(this.up, from[1], at[1]) : null });
  },

  choose() {
    if (this.held !== null && this.held !== undefined && this.hooks.pick) this.hooks.pick(this.held);
  },

  zoom(range) {
    this.range = range;
    this.leave();
    this.draw();
    if (this.hooks.zoomed) this.hooks.zoomed(range);
  },

  magnify(factor) {
    const part = (scale, log) => {
      const [low, high] = log ? [Math.log(scale.low), Math.log(scale.high)] : [scale.low, scale.high];
      const [middle, half] = [(low + high) / 2, ((high - low) / 2) * factor];
      return [middle - half, middle + half].map((value) => (log ? Math.exp(value) : value));
    };
    const y = this.panel.pick === "point" ? part(this.up, this.panel.logy) : null;
    this.zoom({ x: part(this.across, false), y });
  },

  leave() {
    this.tip.hidden = true;
    this.held = null;
    if (this.marks) this.marks.replaceChildren();
  },

  point(x, y) {
    if (!this.box) return;
    const { box } = this;
    if (x < box.left - 8 || x > box.right + 8 || y < box.top - 14 || y > box.bottom + 14) {
      this.leave();
      return;
    }
    if (this.panel.image) this.atPixel(x, y);
    else if (this.panel.pick === "point") this.atPoint(x, y);
    else this.atPlace(x);
  },

  // All series at the place nearest to the pointer.
  atPlace(x) {
    const lead = this.series.find((each) => each.kind === "dots") || this.series[0];
    if (!lead) return;
    const wanted = this.across.value(x);
    const start = nearest(this.column(lead.x), wanted);
    if (start < 0) return;
    const value = this.column(lead.x)[start];
    this.marks.replaceChildren();
    const at = this.across.at(value);
    node("line", { class: "cross", x1: at, x2: at, y1: this.box.top, y2: this.box.bottom }, this.marks);
    const rows = [[null, this.panel.x, placed(value, this.across)]];
    const told = new Set();
    this.series.forEach((each) => {
      if (each.kind === "band") return;
      const place = nearest(this.column(each.x), value);
      const height = this.column(each.y)[place];
      if (height !== null && height !== undefined) {
        const spot = { cx: this.across.at(this.column(each.x)[place]), cy: this.up.at(height), r: 4 };
        node("circle", { ...spot, fill: `var(--${each.colour})` }, this.marks);
      }
      if (!told.has(each.name)) rows.push([each, each.name, shown(height)]);
      told.add(each.name);
    });
    const label = this.panel.labels ? this.panel.labels[start] : null;
    this.tell(rows, label, at, this.box.top);
  },

  // The nearest point of all series.
  atPoint(x, y) {
    let best = null;
    let least = 40 ** 2;
    this.series.forEach((each) => {
      const xs = this.column(each.x);
      const ys = this.column(each.y);
      // Points of a line stand back behind those that stand for something.
      const back = each.kind === "line" && this.panel.series.some((part) => part.kind === "dots") ? 100 : 0;
      xs.forEach((value, place) => {
        if (value === null || ys[place] === null) return;
        const away = (this.across.at(value) - x) ** 2 + (this.up.at(ys[place]) - y) ** 2 + back;
        if (away < least) [least, best] = [away, { each, place, x: value, y: ys[place] }];
      });
    });
    if (!best) {
      this.leave();
      return;
    }
    this.marks.replaceChildren();
    const at = [this.across.at(best.x), this.up.at(best.y)];
    node("circle", { class: "spot", cx: at[0], cy: at[1], r: 6 }, this.marks);
    this.held = best.each.places ? best.each.places[best.place] : null;
    const label = this.panel.labels && best.each.places ? this.panel.labels[this.held] : null;
    const rows = [
      [best.each, best.each.name, ""],
      [null, this.panel.x, placed(best.x, this.across)],
      [null, this.panel.y, placed(best.y, this.up)],
    ];
    this.tell(rows, label, at[0], at[1]);
  },

  atPixel(x, y) {
    const { image } = this.panel;
    const share = (scale, place) => Math.min(Math.max((place - scale.from) / (scale.to - scale.from), 0), 0.9999);
    const column = Math.floor(share(this.across, x) * image.columns);
    const row = Math.floor(share(this.up, y) * image.rows);
    const value = this.column(image.key)[row * image.columns + column];
    const rows = [
      [null, this.panel.x, shown(this.across.value(x), 4)],
      [null, this.panel.y, shown(this.up.value(y), 4)],
      [null, "value", shown(value)],
    ];
    this.tell(rows, null, x, y);
  },

  tell(rows, label, x, y) {
    this.tip.replaceChildren();
    if (label) tag("div", { class: "says" }, this.tip, label);
    rows.forEach(([each, name, value]) => {
      const row = tag("div", { class: "row" }, this.tip);
      if (each) tag("span", { class: `key ${each.kind}`, style: `--key: var(--${each.colour})` }, row);
      tag("span", { class: "name" }, row, name);
      tag("span", { class: "value" }, row, value);
    });
    this.tip.hidden = false;
    const scale = this.host.clientWidth / this.svg.viewBox.baseVal.width;
    const room = this.host.clientWidth - this.tip.offsetWidth;
    const beside = x * scale + 14 + this.tip.offsetWidth <= this.host.clientWidth;
    const left = beside ? x * scale + 14 : x * scale - 14 - this.tip.offsetWidth;
    this.tip.style.left = `${Math.min(Math.max(left, 0), Math.max(room, 0))}px`;
    this.tip.style.top = `${Math.max(y * scale - this.tip.offsetHeight - 12, -8)}px`;
  },
});
