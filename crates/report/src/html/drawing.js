// A drawing of boxes and links that can be moved, enlarged and searched. A box has `x`, `y`, `w`, `h`, `title`, `lines`,
// `kind` and `key`; a link has `from` and `to`, which are numbers of boxes, `label` and `kind`, and in a graph with layers the
// `points` of its line, the `lines` of its label, and the place `at` of this label. Other links have straight ways.

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
function fitting(text, most = MOST_CHARACTERS) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// At most this many characters of a label are in each of its lines, which are two for a long label.
const LABEL_CHARACTERS = 28;
const LABEL_LINE = FONT + 2;

// The lines of the label of a link, and their size. A label that is too long ends with dots.
function measureLabel(link) {
  if (!link.label) return;
  const text = link.label;
  const end = text.length > LABEL_CHARACTERS ? middleOf(text) : text.length;
  link.lines = [text.slice(0, end), text.slice(end).trim()].filter((line) => line !== "");
  link.lines = link.lines.map((line) => fitting(line, LABEL_CHARACTERS));
  link.w = Math.max(...link.lines.map((line) => line.length)) * CHARACTER + PADDING;
  link.h = link.lines.length * LABEL_LINE;
}

// Where a text becomes two lines: at the space that is nearest to its middle and leaves a first line that fits.
function middleOf(text) {
  const wanted = Math.min(LABEL_CHARACTERS, text.length / 2);
  let best = LABEL_CHARACTERS;
  let distance = Infinity;
  for (let at = text.indexOf(" "); at >= 0 && at <= LABEL_CHARACTERS; at = text.indexOf(" ", at + 1)) {
    if (Math.abs(at - wanted) < distance) [best, distance] = [at, Math.abs(at - wanted)];
  }
  return best;
}

// Labels in the middle of their lines, each on a ground of its own.
function paintLabels(paper, colour, labels) {
  paper.font = `${FONT}px ui-monospace, Menlo, Consolas, monospace`;
  paper.textAlign = "center";
  for (const { lines, x, y } of labels) {
    const width = Math.max(...lines.map((line) => paper.measureText(line).width)) + 4;
    paper.fillStyle = colour("paper");
    paper.fillRect(x - width / 2, y - 1, width, lines.length * LABEL_LINE);
    paper.fillStyle = colour("dim");
    lines.forEach((line, at) => paper.fillText(line, x, y + at * LABEL_LINE));
  }
  paper.textAlign = "left";
}

// How far some points reach: to the left, right, top and bottom.
function reach(points) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return [left, right, top, bottom];
}

// Below this scale lines have no arrows.
const SMALL = 0.15;

// The smallest scale at which texts are read easily, and the room that is left around all of a drawing.
const LEAST_SCALE = 0.7;
const ROOM = 24;

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
    for (const link of links) {
      link.points ??= this.points(link);
      link.reach = reach(link.points);
    }
    this.bounds = this.measureAll();
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

  // The first box at the top, in a size that can be read; with all that is beside it, if there is room.
  begin() {
    if (!this.width || this.boxes.length === 0) return;
    const root = this.boxes[0];
    const { left, right } = this.bounds;
    const whole = (this.width - ROOM) / (right - left);
    const isWhole = whole >= LEAST_SCALE;
    const middle = isWhole ? (left + right) / 2 : root.x + root.w / 2;
    this.view.scale = Math.min(1, isWhole ? whole : Math.max(LEAST_SCALE, this.width / (root.w + ROOM)));
    this.view.x = middle - this.width / 2 / this.view.scale;
    this.view.y = root.y - 16 / this.view.scale;
    this.draw();
  }

  // How far the boxes, the links and the labels reach.
  measureAll() {
    const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    const take = (x, y, w = 0, h = 0) => {
      bounds.left = Math.min(bounds.left, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.right = Math.max(bounds.right, x + w);
      bounds.bottom = Math.max(bounds.bottom, y + h);
    };
    for (const { x, y, w, h } of this.boxes) take(x, y, w, h);
    for (const { reach: [left, right, top, bottom], at, w, h } of this.links) {
      take(left, top, right - left, bottom - top);
      if (at) take(at.x - w / 2, at.y, w, h);
    }
    return bounds;
  }

  // All of the drawing.
  fit() {
    const { left, top, right, bottom } = this.bounds;
    const scale = Math.min((this.width - ROOM) / (right - left), (this.height - ROOM) / (bottom - top), 1.5);
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
    const known = new Map();
    const colour = (name) => {
      if (!known.has(name)) known.set(name, style.getPropertyValue(`--${name}`).trim());
      return known.get(name);
    };
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
    // What is too small for a fill and a frame has the colour of the words.
    const marks = { error: "bad-ink", open: "warn-ink", unmodelled: "warn-ink", covered: "cover" };
    for (const [number, box] of this.boxes.entries()) {
      if (!isSeen(box)) continue;
      const isChosen = number === this.chosen;
      if (scale * box.h < 3) {
        const [w, h] = [box.w, box.h].map((size) => Math.max(size, (isChosen ? 7 : 2) / scale));
        paper.fillStyle = colour(isChosen ? "accent" : marks[box.kind] || "dim");
        paper.fillRect(box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, w, h);
        continue;
      }
      paper.fillStyle = colour(fills[box.kind] || "box");
      paper.strokeStyle = colour(isChosen ? "accent" : "line");
      paper.lineWidth = Math.max(isChosen ? 3 : 1, 1 / scale);
      paper.setLineDash(isRead && box.kind === "covered" ? [5, 3] : []);
      paper.fillRect(box.x, box.y, box.w, box.h);
      paper.strokeRect(box.x, box.y, box.w, box.h);
      if (isRead && box.kind === "group") {
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
    paintLabels(paper, colour, labels);
  }

  // Paints lines, and gives the labels with their places: these come last, above lines.
  paintLinks(paper, colour, isRead, seen) {
    const { scale } = this.view;
    const labels = [];
    for (const link of this.links) {
      const { points } = link;
      const end = points[points.length - 1];
      const [left, right, top, bottom] = link.reach;
      if (left > seen.right + 60 || right < seen.x - 60 || top > seen.bottom || bottom < seen.y) continue;
      const isCover = link.kind === "cover";
      paper.strokeStyle = colour(link.isOnPath ? "accent" : isCover ? "cover" : "line");
      paper.setLineDash(isCover ? [5, 4].map((length) => length / Math.min(1, scale)) : []);
      // Many of these lines are long: in a small drawing they would hide the tree.
      paper.globalAlpha = isCover && scale < SMALL ? 0.4 : 1;
      // A line of less than a pixel could hardly be seen.
      paper.lineWidth = Math.max(link.isOnPath ? 3 : 1.2, (link.isOnPath ? 2 : 1) / scale);
      paper.beginPath();
      paper.moveTo(points[0].x, points[0].y);
      for (let at = 1; at < points.length; at++) {
        const [one, other] = [points[at - 1], points[at]];
        const middle = (one.y + other.y) / 2;
        if (isRead && one.x !== other.x) paper.bezierCurveTo(one.x, middle, other.x, middle, other.x, other.y);
        else paper.lineTo(other.x, other.y);
      }
      paper.stroke();
      if (scale < SMALL) continue;
      paper.setLineDash([]);
      const way = points[points.length - 2].y > end.y ? 1 : -1;
      paper.fillStyle = paper.strokeStyle;
      paper.beginPath();
      paper.moveTo(end.x, end.y);
      paper.lineTo(end.x - 4, end.y + 8 * way);
      paper.lineTo(end.x + 4, end.y + 8 * way);
      paper.fill();
      if (!isRead || !link.label) continue;
      if (link.at) labels.push({ lines: link.lines, ...link.at });
      else {
        // In a tree each box has one link that leads to it, and nothing else is above the box.
        const room = Math.floor((this.boxes[link.to].w + GAP_X - 8) / CHARACTER);
        labels.push({ lines: [fitting(link.label, room)], x: end.x, y: end.y - 26 });
      }
    }
    paper.globalAlpha = 1;
    paper.setLineDash([]);
    return labels;
  }

  // The points of the line of a link that has none: from the lower side of a box to the upper side of another one, or to the
  // box that covers it.
  points({ from, to, kind }) {
    const [one, other] = [this.boxes[from], this.boxes[to]];
    const start = { x: one.x + one.w / 2, y: one.y + one.h };
    if (kind === "cover") return [start, { x: other.x + other.w, y: other.y + other.h / 2 }];
    return [start, { x: other.x + other.w / 2, y: other.y }];
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
