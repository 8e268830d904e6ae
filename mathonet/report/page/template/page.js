// The page: figures with their views, the choice of a candidate, copying, light and dark, printing.

const DATA = JSON.parse(document.getElementById("data").textContent);

class Figure {
  constructor(host, content) {
    Object.assign(this, { host, content, charts: [] });
    const bar = tag("div", { class: "bar" }, host);
    this.legend = tag("div", { class: "legend" }, bar);
    const tools = tag("div", { class: "tools" }, bar);
    if (content.choose) {
      const label = tag("label", {}, tools, `${content.choose} `);
      const list = tag("select", { "aria-label": content.choose }, label);
      content.views.forEach((view, place) => tag("option", { value: place }, list, view.label));
      list.addEventListener("change", () => this.show(Number(list.value)));
    }
    if (content.views.some((view) => view.panels.some((panel) => !panel.image))) {
      const button = (text, title, action) => {
        tag("button", { type: "button", class: "tool", title, "aria-label": title }, tools, text)
          .addEventListener("click", action);
      };
      button("+", "Zoom in", () => this.each((chart) => chart.magnify(0.5)));
      button("−", "Zoom out", () => this.each((chart) => chart.magnify(2)));
      button("⟲", "Show all", () => this.each((chart) => chart.zoom(null)));
    }
    this.body = tag("div", { class: "panels" }, host);
    this.show(0);
  }

  each(action) {
    this.spread = true;
    this.charts.forEach(action);
    this.spread = false;
  }

  show(place) {
    this.body.replaceChildren();
    const { panels } = this.content.views[place];
    this.charts = panels.map((panel) => {
      const hooks = { zoomed: (range) => this.zoomed(range), pick: this.pick };
      return new Chart(tag("div", { class: "panel" }, this.body), panel, DATA.columns, hooks);
    });
    this.keys(panels);
    this.draw();
  }

  // Panels one below the other begin at one place.
  draw() {
    this.charts.forEach((chart) => {
      chart.least = 0;
      chart.draw();
    });
    const least = Math.max(...this.charts.map((chart) => chart.margin));
    this.charts.filter((chart) => chart.margin < least).forEach((chart) => {
      chart.least = least;
      chart.draw();
    });
  }

  zoomed(range) {
    if (!this.content.linked || this.spread) return;
    this.charts.forEach((chart) => {
      chart.range = range && { x: range.x, y: null };
    });
    this.draw();
  }

  keys(panels) {
    this.legend.replaceChildren();
    const several = panels.filter((panel) => new Set(panel.series.map((each) => each.name)).size > 1);
    const named = new Map(several.flatMap((panel) => panel.series).map((each) => [each.name, each]));
    named.forEach((each, name) => {
      const key = tag("button", { type: "button", class: `entry ${each.kind}`, "aria-pressed": "true" }, this.legend);
      tag("span", { class: "key", style: `--key: var(--${each.colour})` }, key);
      tag("span", {}, key, name);
      key.addEventListener("click", () => {
        const off = key.getAttribute("aria-pressed") === "true";
        key.setAttribute("aria-pressed", String(!off));
        this.charts.forEach((chart) => chart.hidden[off ? "add" : "delete"](name));
        this.draw();
      });
    });
  }
}

const FIGURES = {};
document.querySelectorAll("[data-figure]").forEach((host) => {
  const content = DATA.figures[host.dataset.figure];
  if (content) FIGURES[host.dataset.figure] = new Figure(host, content);
});

// One list of candidates: the list, the chart and the shown equation follow each other.
function follow(front) {
  const number = front.dataset.front;
  const chart = FIGURES[`front${number}`].charts[0];
  const curve = FIGURES[`curve${number}`];
  const list = front.querySelector("select.candidates");
  const entries = [...front.querySelectorAll("[data-entry]")];
  const own = curve ? [...curve.charts[0].panel.series] : [];
  const choose = (place) => {
    entries.forEach((entry) => {
      entry.hidden = Number(entry.dataset.entry) !== place;
    });
    list.value = String(place);
    chart.selected = place;
    chart.ring();
    if (!curve) return;
    const key = entries[place].dataset.curve;
    const line = { kind: "line", name: "this candidate", x: "q.t", y: key, colour: "c2", dashed: true };
    const [panel] = curve.content.views[0].panels;
    panel.series = key ? [...own, line] : own;
    curve.keys([panel]);
    curve.draw();
  };
  list.addEventListener("change", () => choose(Number(list.value)));
  front.querySelectorAll("[data-step]").forEach((button) => {
    button.addEventListener("click", () => {
      const place = Number(list.value) + Number(button.dataset.step);
      if (place >= 0 && place < entries.length) choose(place);
    });
  });
  chart.hooks.pick = choose;
  choose(Number(front.dataset.chosen));
}
document.querySelectorAll("[data-front]").forEach(follow);

// Tabs: equations of which only one is looked at.
document.querySelectorAll("select[data-tabs]").forEach((list) => {
  const tabs = [...document.querySelectorAll(`[data-tab="${list.dataset.tabs}"]`)];
  const show = () => {
    tabs.forEach((each, place) => each.classList.toggle("away", place !== Number(list.value)));
    redraw();
  };
  list.addEventListener("change", show);
  show();
});

function redraw() {
  Object.values(FIGURES).forEach((figure) => {
    if (figure.host.clientWidth) figure.draw();
  });
}

let width = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  if (document.documentElement.clientWidth === width) return;
  width = document.documentElement.clientWidth;
  redraw();
});

document.querySelectorAll("[data-copy]").forEach((button) => {
  const said = button.textContent;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      const area = tag("textarea", { class: "offscreen" }, document.body);
      area.value = source.textContent;
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = said;
    }, 1500);
  });
});

const theme = document.getElementById("theme");
function dress(name) {
  document.documentElement.dataset.theme = name;
  const dark = name === "dark" || (!name && matchMedia("(prefers-color-scheme: dark)").matches);
  theme.textContent = dark ? "Light" : "Dark";
  theme.dataset.next = dark ? "light" : "dark";
}
let kept = "";
try {
  kept = localStorage.getItem("mathonet-theme") || "";
} catch {
  // A page from a file may not be allowed to remember.
}
dress(kept);
theme.addEventListener("click", () => {
  dress(theme.dataset.next);
  try {
    localStorage.setItem("mathonet-theme", document.documentElement.dataset.theme);
  } catch {
    // As above.
  }
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dress(document.documentElement.dataset.theme));

// On paper everything is open, and every equation has its turn.
const closed = [];
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details.print:not([open])").forEach((each) => {
    each.open = true;
    closed.push(each);
  });
});
window.addEventListener("afterprint", () => closed.splice(0).forEach((each) => {
  each.open = false;
}));
document.documentElement.classList.add("drawn");
