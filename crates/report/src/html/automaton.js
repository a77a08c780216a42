// The control-flow automaton, function by function. Locations that follow each other without a branch are one box; a
// loop can be one box, too.

const LARGE = 150;

class Automaton {
  constructor(frame, model, goTo) {
    this.functions = model.functions;
    this.goTo = goTo;
    this.closed = new Map();
    this.shapes = new Map();
    this.drawing = new Drawing(frame, this);
    this.pick = frame.querySelector("select");
    this.functions.forEach((known, at) => {
      const line = known.line === undefined ? "" : `, line ${known.line}`;
      this.pick.append(element("option", `${known.name} (${known.size} locations${line})`, { value: at }));
    });
    this.pick.addEventListener("change", () => this.open(Number(this.pick.value)));
    // What sets up the program comes first, and is not what anybody looks for.
    const first = this.functions.findIndex((known) => !known.name.startsWith("@"));
    this.open(Math.max(first, 0));
  }

  open(number) {
    this.number = number;
    this.pick.value = String(number);
    this.shape = this.shapeIn(number);
    this.show();
  }

  shapeIn(number) {
    if (!this.shapes.has(number)) this.shapes.set(number, shapeOf(this.functions[number]));
    return this.shapes.get(number);
  }

  // The loops of a function that are closed. Those of a large one are closed at first.
  closedIn(number) {
    if (!this.closed.has(number)) {
      const isLarge = this.shapeIn(number).blocks.length > LARGE;
      this.closed.set(number, new Set(isLarge ? this.functions[number].loops.keys() : []));
    }
    return this.closed.get(number);
  }

  show(key) {
    const { boxes, links } = this.boxes();
    boxes.forEach(measure);
    links.forEach(measureLabel);
    layLayers(boxes, links);
    this.drawing.show({ boxes, links }, key);
    if (boxes.length === 0) this.drawing.told.textContent = "This function is too large to be drawn.";
  }

  // The outermost closed loop that a location is in.
  closedLoop(location, number = this.number) {
    const { loops, locations } = this.functions[number];
    let found;
    for (let at = locations[location].loop; at !== undefined; at = loops[at].parent) {
      if (this.closedIn(number).has(at)) found = at;
    }
    return found;
  }

  boxes() {
    const known = this.functions[this.number];
    const { blocks } = this.shape;
    const boxes = [];
    const numbers = new Map();
    const numberOf = blocks.map((block) => {
      const loop = this.closedLoop(block.head);
      const key = loop === undefined ? `b${block.head}` : `l${loop}`;
      if (!numbers.has(key)) {
        numbers.set(key, boxes.length);
        boxes.push(loop === undefined ? this.blockBox(block, key) : this.loopBox(loop, key));
      }
      return numbers.get(key);
    });
    const links = [];
    const have = new Set();
    blocks.forEach((block, at) => {
      for (const edge of block.edges) {
        const { to, text } = known.edges[edge];
        const [from, target] = [numberOf[at], numberOf[this.shape.blockOf[to]]];
        if (from === target && boxes[from].kind === "group") continue;
        const label = block.edges.length > 1 ? text : "";
        const name = `${from} ${target} ${label}`;
        if (have.has(name)) continue;
        have.add(name);
        links.push({ from, to: target, label });
      }
    });
    return { boxes, links };
  }

  blockBox(block, key, number = this.number) {
    const { locations } = this.functions[number];
    const head = locations[block.head];
    const begin = this.lineOf(block, number);
    const line = begin === undefined ? "" : `, line ${begin}`;
    const kinds = { error: "error", loop: "head" };
    const kind = kinds[head.kind] || "plain";
    const word = head.kind ? `${head.kind} ` : "";
    return { key, kind, title: `${word}${head.id}${line}`, lines: shortened(block.texts) };
  }

  // The line of a stretch: of its location, or of its first step that has one.
  lineOf(block, number = this.number) {
    const { locations, edges } = this.functions[number];
    const steps = [...block.inner, ...block.edges].map((at) => edges[at].line);
    return locations[block.head].line ?? steps.find((line) => line !== undefined);
  }

  loopBox(loop, key, number = this.number) {
    const { loops } = this.functions[number];
    const line = loops[loop].line === undefined ? "" : ` at line ${loops[loop].line}`;
    const size = this.inside(loop, number).length;
    return { key, kind: "group", title: `loop${line}`, lines: [`${size} locations`] };
  }

  inside(loop, number = this.number) {
    const { loops, locations } = this.functions[number];
    const isIn = (at) => at !== undefined && (at === loop || isIn(loops[at].parent));
    return [...locations.keys()].filter((at) => isIn(locations[at].loop));
  }

  toggle(key) {
    const known = this.functions[this.number];
    const closed = this.closedIn(this.number);
    const number = Number(key.slice(1));
    const loop = key[0] === "l" ? number : known.locations[number].loop;
    if (loop === undefined) return;
    if (closed.has(loop)) closed.delete(loop); else closed.add(loop);
    const after = closed.has(loop) ? `l${loop}` : `b${known.loops[loop].head}`;
    this.show(key[0] === "l" ? key : after);
    this.drawing.choose(this.drawing.boxes.findIndex((box) => box.key === after), false);
  }

  setAll(isOpen) {
    this.closed.set(this.number, new Set(isOpen ? [] : this.functions[this.number].loops.keys()));
    this.show();
  }

  // The boxes with a word, in all functions: those in closed loops, too, and those of the loops. Each is told by the number of
  // its function, a location, and the loop that it stands for.
  find(word) {
    const isIn = (text) => text.toLowerCase().includes(word);
    const found = [];
    this.functions.forEach((known, number) => {
      const { blocks, blockOf } = this.shapeIn(number);
      const loops = new Set();
      blocks.forEach((block, at) => {
        const loop = this.closedLoop(block.head, number);
        if (loop !== undefined && !loops.has(loop)) {
          loops.add(loop);
          const { title, lines } = this.loopBox(loop, "", number);
          if ([title, ...lines].some(isIn)) found.push([number, block.head, loop]);
        }
        const isNamed = at === blockOf[0] && isIn(known.name);
        if (isNamed || this.words(block, number).some(isIn)) found.push([number, block.head]);
      });
    });
    return found;
  }

  // What the box of a stretch shows, what is read where it is chosen, and the lines of all of its edges.
  words(block, number) {
    const { edges } = this.functions[number];
    const { title, lines } = this.blockBox(block, "", number);
    const words = [title, ...lines, ...block.texts];
    for (const at of [...block.inner, ...block.edges]) {
      const { text, line } = edges[at];
      words.push(line === undefined ? text : `${text} line ${line}`);
    }
    return words;
  }

  reveal([number, location, loop]) {
    if (number !== this.number) this.open(number);
    // A loop may have been expanded since.
    if (loop !== undefined && this.closedLoop(location) === loop) return `l${loop}`;
    const { loops, locations } = this.functions[number];
    let changed = false;
    for (let at = locations[location].loop; at !== undefined; at = loops[at].parent) {
      changed = this.closedIn(number).delete(at) || changed;
    }
    if (changed) this.show();
    return `b${this.shape.blocks[this.shape.blockOf[location]].head}`;
  }

  describe(key) {
    const known = this.functions[this.number];
    const number = Number(key.slice(1));
    const parts = [];
    if (key[0] === "l") {
      parts.push(element("h3", `Loop in ${known.name}`));
      parts.push(element("p", `${this.inside(number).length} locations.`));
      const { line } = known.loops[number];
      if (line !== undefined && known.file !== undefined) parts.push(this.sourceButton(line, `Line ${line} of the source`));
      parts.push(button("Expand the loop", () => this.toggle(key)));
      return parts;
    }
    const block = this.shape.blocks[this.shape.blockOf[number]];
    const { loop } = known.locations[number];
    const line = this.lineOf(block);
    parts.push(element("h3", `${known.name}, ${known.locations[number].id}`));
    if (line !== undefined && known.file !== undefined) {
      parts.push(this.sourceButton(line, `Line ${line} of the source`));
    }
    if (loop !== undefined) parts.push(button("Collapse the loop", () => this.toggle(key)));
    const list = element("ul");
    // Each line that follows is named where it begins.
    let last = line;
    const step = (text, at) => {
      const item = element("li", text);
      if (at !== undefined && at !== last && known.file !== undefined) item.append(" ", this.sourceButton(at, `line ${at}`));
      last = at ?? last;
      list.append(item);
    };
    block.texts.forEach((text, at) => step(text, known.edges[block.steps[at]].line));
    for (const edge of block.edges) {
      if (block.edges.length > 1) step(`branch: ${known.edges[edge].text}`, known.edges[edge].line);
    }
    parts.push(list);
    for (const name of new Set(block.calls)) {
      const callee = this.functions.findIndex((other) => other.name === name);
      if (callee >= 0) parts.push(button(`Automaton of ${name}`, () => this.open(callee)));
    }
    return parts;
  }

  // What leads to a line of the source of this function.
  sourceButton(line, text) {
    const { file } = this.functions[this.number];
    return button(text, () => this.goTo(file, line));
  }
}

// At most a few lines of a box; the others are read where the box is chosen.
function shortened(texts) {
  return texts.length <= 6 ? texts : [...texts.slice(0, 5), `… ${texts.length - 5} more`];
}

// The stretches without a branch of a function: where each begins, what is done on it, and the edges at its end.
function shapeOf(known) {
  const { locations, edges } = known;
  const out = locations.map(() => []);
  const into = new Int32Array(locations.length);
  edges.forEach((edge, at) => {
    out[edge.from].push(at);
    into[edge.to]++;
  });
  const isHead = locations.map((location, at) => location.kind !== undefined || into[at] !== 1);
  edges.forEach((edge) => {
    if (out[edge.from].length > 1 || locations[edge.from].loop !== locations[edge.to].loop) isHead[edge.to] = true;
  });
  const blockOf = new Int32Array(locations.length).fill(-1);
  const blocks = [];
  const begin = (head) => {
    // `steps` are the edges that `texts` are of.
    const block = { head, texts: [], steps: [], calls: [], inner: [], edges: [] };
    let at = head;
    for (;;) {
      blockOf[at] = blocks.length;
      if (out[at].length !== 1) break;
      const edge = edges[out[at][0]];
      if (edge.text !== "") {
        block.texts.push(edge.text);
        block.steps.push(out[at][0]);
      }
      if (edge.calls !== undefined) block.calls.push(edge.calls);
      if (isHead[edge.to] || blockOf[edge.to] >= 0) break;
      block.inner.push(out[at][0]);
      at = edge.to;
    }
    block.edges = out[at];
    for (const edge of block.edges) {
      if (edges[edge].calls !== undefined) block.calls.push(edges[edge].calls);
    }
    blocks.push(block);
  };
  locations.forEach((_, at) => { if (isHead[at]) begin(at); });
  locations.forEach((_, at) => { if (blockOf[at] < 0) begin(at); });
  return { blocks, blockOf };
}
