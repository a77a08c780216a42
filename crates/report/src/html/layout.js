// Where boxes of a drawing stand. Both functions set `x` and `y` of boxes that have `w` and `h`.

const GAP_X = 24;
const GAP_Y = 60;

// A tree: a box below its parent, in the middle above its children. `children` lists, for each box, the numbers of
// those below it; parents come before their children.
function layTree(boxes, children, roots) {
  const depth = new Int32Array(boxes.length);
  const heights = [];
  // The width of a box with all that is below it, and of what is below it alone.
  const whole = new Float64Array(boxes.length);
  const below = new Float64Array(boxes.length);
  for (let at = 0; at < boxes.length; at++) {
    heights[depth[at]] = Math.max(heights[depth[at]] || 0, boxes[at].h);
    for (const child of children[at]) depth[child] = depth[at] + 1;
  }
  const tops = [0];
  for (let level = 0; level < heights.length; level++) tops.push(tops[level] + heights[level] + GAP_Y);
  for (let at = boxes.length - 1; at >= 0; at--) {
    for (const child of children[at]) below[at] += whole[child] + GAP_X;
    below[at] = Math.max(0, below[at] - GAP_X);
    whole[at] = Math.max(boxes[at].w, below[at]);
  }
  const left = new Float64Array(boxes.length);
  let right = 0;
  for (const root of roots) {
    left[root] = right;
    right += whole[root] + GAP_X;
  }
  for (let at = 0; at < boxes.length; at++) {
    boxes[at].y = tops[depth[at]];
    boxes[at].x = left[at] + (whole[at] - boxes[at].w) / 2;
    let next = left[at] + (whole[at] - below[at]) / 2;
    for (const child of children[at]) {
      left[child] = next;
      next += whole[child] + GAP_X;
    }
  }
}

// A graph with a first box, in layers (Sugiyama, Tagawa & Toda 1981): each link leads downwards, but for those that
// close a circle. Boxes are on even layers. A label is on an odd layer, next to the box that its link comes from, so no label
// covers a box or another label. A link gets the `points` that its line goes through, from one box to the other, and the place
// `at` of its label.
function layLayers(boxes, links) {
  const count = boxes.length;
  if (count === 0) return;
  const out = boxes.map(() => []);
  links.forEach((link, at) => out[link.from].push(at));
  turnBack(count, links, out);
  const layer = longestWays(count, links).map((level) => 2 * level);
  const points = boxes.map((box, at) => ({ w: box.w, h: box.h, layer: layer[at], up: [], down: [] }));
  for (const link of links) {
    const [from, to] = link.back ? [link.to, link.from] : [link.from, link.to];
    link.way = [];
    if (from === to) {
      // Beside the box, and beside the labels of other such links.
      link.aside = points[from].w + ROUND;
      points[from].w = link.aside + (link.lines ? link.w : 0);
      continue;
    }
    const labelled = link.lines && (link.back ? layer[to] - 1 : layer[from] + 1);
    let last = from;
    for (let level = layer[from] + 1; level < layer[to]; level++) {
      const { w, h } = level === labelled ? link : { w: 8, h: 0 };
      points.push({ w, h, layer: level, up: [], down: [] });
      join(points, last, points.length - 1);
      last = points.length - 1;
      link.way.push(last);
    }
    join(points, last, to);
    if (labelled) link.spot = link.back ? last : link.way[0];
  }
  const layers = [];
  points.forEach((point, at) => (layers[point.layer] = layers[point.layer] || []).push(at));
  arrange(points, layers);
  spread(points, layers);
  const heights = layers.map((list) => list.reduce((most, at) => Math.max(most, points[at].h), 0));
  let top = 0;
  layers.forEach((list, level) => {
    for (const at of list) points[at].y = top;
    top += heights[level] + GAP_Y / 2;
  });
  boxes.forEach((box, at) => { box.x = points[at].x; box.y = points[at].y; });
  placeLines(boxes, links, points, heights);
}

// How far a link from a box to itself reaches beyond the box.
const ROUND = 22;

// Sets where the lines and the labels of links are.
function placeLines(boxes, links, points, heights) {
  const middle = (at) => points[at].x + points[at].w / 2;
  const ports = portsOf(boxes, links, middle);
  const bottom = (at) => points[at].y + heights[points[at].layer];
  for (const link of links) {
    const [upper, lower] = link.back ? [link.to, link.from] : [link.from, link.to];
    if (upper === lower) {
      const { x, y, w, h } = boxes[upper];
      link.points = [{ x: x + w - 20, y: y + h }, { x: x + w + ROUND - 4, y: y + h / 2 }, { x: x + w - 20, y }];
      if (link.lines) link.at = { x: x + link.aside + link.w / 2, y: y + (h - link.h) / 2 };
      continue;
    }
    const { from, to } = ports.get(link);
    const start = { x: from, y: boxes[upper].y + boxes[upper].h };
    const past = start.y < bottom(upper) ? [{ x: from, y: bottom(upper) }] : [];
    // Past boxes lines go straight, and aside only between layers.
    const bends = link.way.flatMap((at) => [{ x: middle(at), y: points[at].y }, { x: middle(at), y: bottom(at) }]);
    link.points = [start, ...past, ...bends, { x: to, y: boxes[lower].y }];
    if (link.back) link.points.reverse();
    if (link.lines) {
      const spot = points[link.spot];
      link.at = { x: middle(link.spot), y: spot.y + (heights[spot.layer] - link.h) / 2 };
    }
  }
}

// Where the lines of links begin and end: side by side on the lower and the upper side of a box, in the order of where they go.
function portsOf(boxes, links, middle) {
  const below = boxes.map(() => []);
  const above = boxes.map(() => []);
  const ports = new Map();
  for (const link of links) {
    const [upper, lower] = link.back ? [link.to, link.from] : [link.from, link.to];
    if (upper === lower) continue;
    ports.set(link, {});
    below[upper].push({ link, end: "from", x: middle(link.way[0]) });
    above[lower].push({ link, end: "to", x: middle(link.way[link.way.length - 1]) });
  }
  for (const sides of [below, above]) {
    sides.forEach((list, at) => {
      list.sort((one, other) => one.x - other.x);
      list.forEach(({ link, end }, place) => {
        ports.get(link)[end] = boxes[at].x + boxes[at].w * (place + 1) / (list.length + 1);
      });
    });
  }
  return ports;
}

function join(points, from, to) {
  points[from].down.push(to);
  points[to].up.push(from);
}

// Marks the links that close circles.
function turnBack(count, links, out) {
  const state = new Uint8Array(count);
  for (let start = 0; start < count; start++) {
    if (state[start]) continue;
    const todo = [[start, 0]];
    state[start] = 1;
    while (todo.length > 0) {
      const top = todo[todo.length - 1];
      const [at, next] = top;
      if (next === out[at].length) {
        state[at] = 2;
        todo.pop();
        continue;
      }
      top[1]++;
      const link = links[out[at][next]];
      link.back = state[link.to] === 1;
      if (state[link.to] === 0) {
        state[link.to] = 1;
        todo.push([link.to, 0]);
      }
    }
  }
}

// The layer of each box: as many as the longest way to it has links.
function longestWays(count, links) {
  const layer = new Int32Array(count);
  const missing = new Int32Array(count);
  const next = Array.from({ length: count }, () => []);
  for (const link of links) {
    const [from, to] = link.back ? [link.to, link.from] : [link.from, link.to];
    if (from === to) continue;
    next[from].push(to);
    missing[to]++;
  }
  const todo = [];
  for (let at = 0; at < count; at++) if (missing[at] === 0) todo.push(at);
  while (todo.length > 0) {
    const at = todo.pop();
    for (const to of next[at]) {
      layer[to] = Math.max(layer[to], layer[at] + 1);
      if (--missing[to] === 0) todo.push(to);
    }
  }
  return layer;
}

// How often points are put in order: a few times, but of so many that this takes long only twice, once downwards and once
// upwards.
function rounds(points, few) {
  return points.length > 30000 ? 2 : few;
}

// Puts the points of each layer in an order with few crossings, by the middles of their neighbours.
function arrange(points, layers) {
  const number = (list) => list.forEach((at, place) => { points[at].place = place; });
  layers.forEach(number);
  for (let round = 0; round < rounds(points, 8); round++) {
    const down = round % 2 === 0;
    const order = down ? layers : [...layers].reverse();
    for (const list of order) {
      for (const at of list) {
        const near = down ? points[at].up : points[at].down;
        const sum = near.reduce((all, other) => all + points[other].place, 0);
        points[at].middle = near.length > 0 ? sum / near.length : points[at].place;
      }
      list.sort((one, other) => points[one].middle - points[other].middle || points[one].place - points[other].place);
      number(list);
    }
  }
}

// Places the points of each layer side by side, near the middles of their neighbours.
function spread(points, layers) {
  for (const list of layers) {
    let right = 0;
    for (const at of list) {
      points[at].x = right;
      right += points[at].w + GAP_X;
    }
  }
  const middle = (at) => points[at].x + points[at].w / 2;
  for (let round = 0; round < rounds(points, 6); round++) {
    const down = round % 2 === 0;
    const order = down ? layers : [...layers].reverse();
    for (const list of order) {
      const wanted = list.map((at) => {
        const near = down ? points[at].up : points[at].down;
        if (near.length === 0) return points[at].x;
        return near.reduce((all, other) => all + middle(other), 0) / near.length - points[at].w / 2;
      });
      // From the left and from the right, and the mean of both, which keeps them apart, too.
      const left = [];
      list.forEach((at, place) => {
        const before = list[place - 1];
        const least = place === 0 ? -Infinity : left[place - 1] + points[before].w + GAP_X;
        left.push(Math.max(wanted[place], least));
      });
      const right = [];
      for (let place = list.length - 1; place >= 0; place--) {
        const most = place === list.length - 1 ? Infinity : right[place + 1] - points[list[place]].w - GAP_X;
        right[place] = Math.min(wanted[place], most);
      }
      list.forEach((at, place) => { points[at].x = (left[place] + right[place]) / 2; });
    }
  }
}
