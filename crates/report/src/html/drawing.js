// A drawing of boxes and links that can be moved, enlarged and searched. A box has `x`, `y`, `w`, `h`, `title`, `lines`,
// `kind` and `key`; a link has `from` and `to`, which are numbers of boxes, `label`, `kind` and `bends`.

const FONT = 12;
const LINE = 16;
const PADDING = 8;
const CHARACTER = 7.3;
const MOST_CHARACTERS = 44;

// The size of a box for its title and lines.
function measure(box) {
  const longest = Math.max(box.title.length, ...box.lines.map((line) => line.length));
  box.w = Math.min(longest, MOST_CHARACTERS) * CHARACTER + 2 * PADDING;
  box.h = (1 + box.lines.length) * LINE + PADDING;
}

// A text that fits into a box.
function fitting(text) {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

// Texts beside lines, each on a ground of its own, and none over another one or over a box: a text moves down or up to the
// nearest place that is free.
function paintLabels(paper, colour, labels, boxes) {
  const height = FONT + 2;
  const taken = boxes.map((box) => ({ x: box.x, width: box.w, top: box.y, bottom: box.y + box.h }));
  paper.font = `${FONT}px ui-monospace, Menlo, Consolas, monospace`;
  for (const { text, x, y } of labels) {
    const width = paper.measureText(text).width + 4;
    const isFree = (top) => !taken.some(
      (other) => x - 2 < other.x + other.width && other.x < x + width + 2 && top < other.bottom && other.top < top + height,
    );
    const ways = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6].map((steps) => y - 1 + steps * (height / 2));
    const top = ways.find(isFree) ?? y - 1;
    taken.push({ x, width, top, bottom: top + height });
    paper.fillStyle = colour("paper");
    paper.fillRect(x - 2, top, width, height);
    paper.fillStyle = colour("dim");
    paper.fillText(text, x, top + 1);
  }
}

class Drawing {
  constructor(frame, source) {
    this.source = source;
    this.frame = frame;
    this.canvas = frame.querySelector("canvas");
    this.told = frame.querySelector(".told");
    this.chosenPart = frame.querySelector(".chosen");
    this.search = frame.querySelector("input[type=search]");
    this.boxes = [];
    this.links = [];
    this.chosen = -1;
    this.view = { x: 0, y: 0, scale: 1 };
    this.matches = [];
    this.match = -1;
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.draw());
  }

  // Shows other boxes and links; `key` names the box that is to stay where it is.
  show({ boxes, links }, key) {
    const before = this.boxes.find((box) => box.key === key);
    this.boxes = boxes;
    this.links = links;
    this.around = boxes.map(() => ({ up: [], down: [] }));
    links.forEach((link) => {
      if (link.kind === "cover") return;
      this.around[link.from].down.push(link.to);
      this.around[link.to].up.push(link.from);
    });
    const now = boxes.findIndex((box) => box.key === key);
    this.chosen = now;
    if (before && now >= 0) {
      this.view.x += boxes[now].x - before.x;
      this.view.y += boxes[now].y - before.y;
      this.draw();
    } else {
      this.begin();
    }
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    const isFirst = !this.width;
    // What is in the middle stays there.
    if (!isFirst) this.view.x += (this.width - clientWidth) / 2 / this.view.scale;
    this.width = clientWidth;
    this.height = clientHeight;
    this.canvas.width = clientWidth * ratio;
    this.canvas.height = clientHeight * ratio;
    if (isFirst) this.begin(); else this.draw();
  }

  // The first box at the top, in a size that can be read.
  begin() {
    if (!this.width || this.boxes.length === 0) return;
    const root = this.boxes[0];
    this.view.scale = Math.min(1, Math.max(0.6, this.width / (root.w + 24)));
    this.view.x = root.x + root.w / 2 - this.width / 2 / this.view.scale;
    this.view.y = root.y - 16 / this.view.scale;
    this.draw();
  }

  // All of the drawing.
  fit() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const box of this.boxes) {
      left = Math.min(left, box.x);
      top = Math.min(top, box.y);
      right = Math.max(right, box.x + box.w);
      bottom = Math.max(bottom, box.y + box.h);
    }
    for (const link of this.links) {
      for (const end of this.ends(link, this.boxes[link.from], this.boxes[link.to])) {
        left = Math.min(left, end.x);
        right = Math.max(right, end.x);
      }
    }
    const room = 24;
    const scale = Math.min((this.width - room) / (right - left), (this.height - room) / (bottom - top), 1.5);
    this.view.scale = scale;
    this.view.x = (left + right) / 2 - this.width / 2 / scale;
    this.view.y = (top + bottom) / 2 - this.height / 2 / scale;
    this.draw();
  }

  zoom(by, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(4, Math.max(0.0005, this.view.scale * by));
    this.view.x += x / this.view.scale - x / scale;
    this.view.y += y / this.view.scale - y / scale;
    this.view.scale = scale;
    this.draw();
  }

  move(x, y) {
    this.view.x += x / this.view.scale;
    this.view.y += y / this.view.scale;
    this.draw();
  }

  // Brings a box into view.
  look(number) {
    const box = this.boxes[number];
    if (this.view.scale < 0.5) this.view.scale = 0.8;
    const { scale } = this.view;
    this.view.x = box.x + box.w / 2 - this.width / 2 / scale;
    this.view.y = box.y + Math.min(box.h / 2, 100) - this.height / 2 / scale;
    this.draw();
  }

  choose(number, look = true) {
    this.chosen = number;
    if (number >= 0) {
      this.chosenPart.replaceChildren(...this.source.describe(this.boxes[number].key));
      if (look) this.look(number);
    }
    this.draw();
  }

  draw() {
    if (this.isWaiting || !this.width) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.paint();
    });
  }

  paint() {
    const style = getComputedStyle(this.frame);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const paper = this.canvas.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    const { x, y, scale } = this.view;
    paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    paper.fillStyle = colour("paper");
    paper.fillRect(0, 0, this.width, this.height);
    paper.setTransform(ratio * scale, 0, 0, ratio * scale, -x * scale * ratio, -y * scale * ratio);
    const [right, bottom] = [x + this.width / scale, y + this.height / scale];
    const isSeen = (box) => box.x < right && box.x + box.w > x && box.y < bottom && box.y + box.h > y;
    const isRead = scale > 0.35;
    paper.font = `${FONT}px ui-monospace, Menlo, Consolas, monospace`;
    paper.textBaseline = "top";
    const labels = this.paintLinks(paper, colour, isRead, { x, y, right, bottom });
    const fills = { plain: "box", group: "group", error: "bad", open: "warn", unmodelled: "warn", covered: "good", head: "group", "cut off": "soft" };
    for (const [number, box] of this.boxes.entries()) {
      if (!isSeen(box)) continue;
      paper.fillStyle = colour(fills[box.kind] || "box");
      paper.strokeStyle = number === this.chosen ? colour("accent") : colour("line");
      paper.lineWidth = number === this.chosen ? 3 : 1;
      paper.setLineDash(box.kind === "covered" ? [5, 3] : []);
      if (scale * box.h < 2) {
        paper.fillStyle = paper.strokeStyle;
        paper.fillRect(box.x, box.y, box.w, box.h);
        continue;
      }
      paper.fillRect(box.x, box.y, box.w, box.h);
      paper.strokeRect(box.x, box.y, box.w, box.h);
      if (box.kind === "group") {
        paper.strokeRect(box.x + 3, box.y + 3, box.w - 6, box.h - 6);
      }
      if (!isRead) continue;
      paper.fillStyle = colour(box.kind === "cut off" ? "dim" : "ink");
      paper.font = `bold ${FONT}px ui-monospace, Menlo, Consolas, monospace`;
      paper.fillText(fitting(box.title), box.x + PADDING, box.y + PADDING / 2 + 2);
      paper.font = `${FONT}px ui-monospace, Menlo, Consolas, monospace`;
      box.lines.forEach((line, at) => {
        paper.fillText(fitting(line), box.x + PADDING, box.y + PADDING / 2 + (at + 1) * LINE + 2);
      });
    }
    paper.setLineDash([]);
    paintLabels(paper, colour, labels, this.boxes.filter(isSeen));
  }

  // Paints lines, and gives the texts beside them with their places: these come last, above lines and boxes.
  paintLinks(paper, colour, isRead, seen) {
    const labels = [];
    for (const link of this.links) {
      const [from, to] = [this.boxes[link.from], this.boxes[link.to]];
      const ends = this.ends(link, from, to);
      const xs = ends.map((end) => end.x);
      const ys = ends.map((end) => end.y);
      if (Math.max(...xs) < seen.x - 60 || Math.min(...xs) > seen.right + 60) continue;
      if (Math.max(...ys) < seen.y || Math.min(...ys) > seen.bottom) continue;
      paper.strokeStyle = link.kind === "cover" ? colour("cover") : colour("line");
      paper.setLineDash(link.kind === "cover" ? [5, 4] : []);
      paper.lineWidth = link.isOnPath ? 3 : 1.2;
      if (link.isOnPath) paper.strokeStyle = colour("accent");
      paper.beginPath();
      paper.moveTo(ends[0].x, ends[0].y);
      for (let at = 1; at < ends.length; at++) {
        const [one, other] = [ends[at - 1], ends[at]];
        const middle = (one.y + other.y) / 2;
        paper.bezierCurveTo(one.x, middle, other.x, middle, other.x, other.y);
      }
      paper.stroke();
      paper.setLineDash([]);
      const end = ends[ends.length - 1];
      const way = ends[ends.length - 2].y > end.y ? 1 : -1;
      paper.fillStyle = paper.strokeStyle;
      paper.beginPath();
      paper.moveTo(end.x, end.y);
      paper.lineTo(end.x - 4, end.y + 8 * way);
      paper.lineTo(end.x + 4, end.y + 8 * way);
      paper.fill();
      if (isRead && link.label) {
        const text = fitting(link.label);
        const [start, next] = ends;
        // In a tree each box has one link that leads to it; elsewhere what matters is where a link comes from.
        // Where many links leave a box, there is no room for what they say.
        if (link.of === undefined || link.of > 3) labels.push({ text, x: end.x + 6, y: link.back ? end.y + 8 : end.y - 22 });
        else labels.push({ text, x: start.x + (next.x - start.x) * 0.35 + 6, y: start.y + 6 + link.place * 13 });
      }
    }
    return labels;
  }

  // The points of a link from the lower end of a box to the upper end of another one.
  ends(link, from, to) {
    if (link.kind === "cover") {
      return [{ x: from.x + from.w / 2, y: from.y + from.h }, { x: to.x + to.w, y: to.y + to.h / 2 }];
    }
    if (link.from === link.to) {
      const [x, y] = [from.x + from.w, from.y];
      return [{ x: x - 20, y: y + from.h }, { x: x + 18, y: y + from.h / 2 }, { x: x - 20, y }];
    }
    const spread = from.w * 0.5;
    const share = link.of > 1 ? link.place / (link.of - 1) - 0.5 : 0;
    const start = { x: from.x + from.w / 2 + share * spread, y: from.y + (link.back ? 0 : from.h) };
    const end = { x: to.x + to.w / 2 + (link.back ? to.w * 0.3 : 0), y: to.y + (link.back ? to.h : 0) };
    return [start, ...(link.bends || []), end];
  }

  at(event) {
    const place = this.canvas.getBoundingClientRect();
    return { x: event.clientX - place.left, y: event.clientY - place.top };
  }

  boxAt({ x, y }) {
    const [left, top] = [this.view.x + x / this.view.scale, this.view.y + y / this.view.scale];
    return this.boxes.findIndex(
      (box) => left >= box.x && left <= box.x + box.w && top >= box.y && top <= box.y + box.h,
    );
  }

  listen() {
    const { canvas } = this;
    const fingers = new Map();
    let moved = 0;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { x, y } = this.at(event);
      this.zoom(Math.exp(-Math.sign(event.deltaY) * 0.18), x, y);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, this.at(event));
      moved = 0;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = this.at(event);
      moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      const other = [...fingers.entries()].find(([id]) => id !== event.pointerId);
      fingers.set(event.pointerId, now);
      if (!other) {
        if (moved > 4) this.move(before.x - now.x, before.y - now.y);
        return;
      }
      const apart = (one) => Math.hypot(one.x - other[1].x, one.y - other[1].y);
      this.zoom(apart(now) / Math.max(1, apart(before)), other[1].x, other[1].y);
    });
    const up = (event) => {
      const isClick = fingers.size === 1 && moved <= 4 && event.type === "pointerup";
      fingers.delete(event.pointerId);
      if (isClick) this.choose(this.boxAt(this.at(event)), false);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("dblclick", (event) => this.toggle(this.boxAt(this.at(event))));
    canvas.addEventListener("keydown", (event) => this.key(event));
    this.frame.querySelector(".tools").addEventListener("click", (event) => {
      const name = event.target.dataset.do;
      if (name === "in") this.zoom(1.3);
      else if (name === "out") this.zoom(1 / 1.3);
      else if (name === "fit") this.fit();
      else if (name === "next") this.nextMatch();
      else if (name === "expand" || name === "collapse") this.source.setAll(name === "expand");
    });
    this.search.addEventListener("input", () => {
      const word = this.search.value.trim().toLowerCase();
      this.match = -1;
      this.matches = word === "" ? [] : this.source.find(word);
      this.told.textContent = word === "" ? "" : `${this.matches.length} matches`;
    });
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.nextMatch();
    });
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way && (event.shiftKey || this.chosen < 0)) {
      if (event.shiftKey) this.move(way[0] * 60, way[1] * 60); else this.choose(0);
    } else if (way) {
      this.walk(way);
    } else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else if (event.key === "Enter") this.toggle(this.chosen);
    else return;
    event.preventDefault();
  }

  // From the chosen box to the next one in a direction.
  walk([x, y]) {
    const { up, down } = this.around[this.chosen];
    if (y !== 0) {
      const next = y < 0 ? up[0] : down[0];
      if (next !== undefined) this.choose(next);
      return;
    }
    const beside = up.length > 0 ? this.around[up[0]].down : [];
    const next = beside[beside.indexOf(this.chosen) + x];
    if (next !== undefined) this.choose(next);
  }

  toggle(number) {
    if (number >= 0) this.source.toggle(this.boxes[number].key);
  }

  nextMatch() {
    if (this.matches.length === 0) return;
    this.match = (this.match + 1) % this.matches.length;
    this.told.textContent = `${this.match + 1} of ${this.matches.length} matches`;
    const key = this.source.reveal(this.matches[this.match]);
    const number = this.boxes.findIndex((box) => box.key === key);
    if (number >= 0) {
      this.choose(number);
      this.chosenPart.replaceChildren(...this.source.describe(key, this.matches[this.match]));
    }
  }
}

// Elements for what is said of a box.
function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// `1 state`, `2 states`.
function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function button(text, act) {
  const made = element("button", text, { type: "button" });
  made.addEventListener("click", act);
  return made;
}
