// The lines of the source. Of a long one, stretches of lines of which nothing is said are one element each, and become rows
// when somebody comes near: rows for all lines at once would take long.

class Lines {
  constructor() {
    const isNear = (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => this.spread(entry.target));
    this.watch = new IntersectionObserver(isNear, { rootMargin: "1000px" });
    for (const stretch of document.querySelectorAll(".stretch")) {
      stretch.style.setProperty("--lines", stretch.dataset.lines);
      this.watch.observe(stretch);
    }
  }

  // The row of a line.
  row(file, number) {
    const known = () => document.getElementById(`f${file}-${number}`);
    if (known()) return known();
    const stretches = [...document.querySelectorAll(`.stretch[data-file="${file}"]`)];
    const stretch = stretches.findLast((it) => Number(it.dataset.first) <= number);
    if (stretch) this.spread(stretch);
    return known();
  }

  // Makes rows of all lines, as they are printed.
  spreadAll() {
    for (const stretch of document.querySelectorAll(".stretch")) this.spread(stretch);
  }

  // What a fragment names: a line, or another element.
  target(id) {
    const line = /^f(\d+)-(\d+)$/.exec(id);
    return line ? this.row(Number(line[1]), Number(line[2])) : document.getElementById(id);
  }

  spread(stretch) {
    this.watch.unobserve(stretch);
    const { file, first } = stretch.dataset;
    const column = (pre) => pre?.textContent.split("\n");
    const counts = column(stretch.querySelector(".count"));
    const rows = column(stretch.lastElementChild).map((text, at) => {
      const number = Number(first) + at;
      const row = element("div", undefined, { class: "line", id: `f${file}-${number}` });
      const line = element("span", undefined, { class: "text" });
      line.append(element("span", String(number), { class: "number" }));
      if (counts) {
        line.append(element("span", counts[at], { class: "count" }));
        const covered = { "": undefined, "–": "unseen", "0": "missed" };
        const name = counts[at] in covered ? covered[counts[at]] : "covered";
        if (name) row.classList.add(name);
      }
      line.append(element("code", text));
      row.append(line);
      return row;
    });
    stretch.replaceWith(...rows);
  }
}
