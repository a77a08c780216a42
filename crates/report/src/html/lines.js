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

  // Brings a row into view. What is near it gets its rows and its heights only then, and moves it: so this is done again in
  // the next frames, until the row stays where it is.
  look(row) {
    this.wanted = row;
    let before;
    let stays = 0;
    const again = () => {
      if (this.wanted !== row) return;
      row.scrollIntoView({ block: "center", behavior: "instant" });
      const { top } = row.getBoundingClientRect();
      stays = top === before ? stays + 1 : 0;
      before = top;
      if (stays < 3) requestAnimationFrame(again);
    };
    again();
  }

  // Makes rows of all lines, as they are printed.
  spreadAll() {
    for (const stretch of document.querySelectorAll(".stretch")) this.spread(stretch);
  }

  // What a fragment names: a line, or another element. For a line that the page leaves out, the gap where it would be.
  target(id) {
    const line = /^f(\d+)-(\d+)$/.exec(id);
    if (!line) return document.getElementById(id);
    const [file, number] = [Number(line[1]), Number(line[2])];
    return this.row(file, number) ?? this.gap(file, number);
  }

  gap(file, number) {
    const gaps = document.querySelectorAll(`#f${file} + .code > .gap`);
    return [...gaps].find((gap) => Number(gap.dataset.first) <= number && number <= Number(gap.dataset.last)) ?? null;
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
