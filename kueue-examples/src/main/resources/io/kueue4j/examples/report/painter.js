// Draws what is visible of the lanes of one simulation into the canvas of a plot.

const WAITS = [
  {below: 60, text: 'under a minute', light: '#0072b2', dark: '#56b4e9'},
  {below: 3600, text: 'under an hour', light: '#007a5a', dark: '#4fd1a5'},
  {below: 43200, text: 'under 12 hours', light: '#b87900', dark: '#e6d15c'},
  {below: Infinity, text: 'longer', light: '#a1151b', dark: '#ff9a9a'},
];

const waitColors = () => WAITS.map(each => scheme.matches ? each.dark : each.light);

/** The position in WAITS of each job. */
function waitClasses(runs) {
  return Uint8Array.from({length: runs.first.length - 1},
      (_, job) => WAITS.findIndex(each => waited(runs, job) < each.below));
}

class Painter {
  /**
   * Creates a painter for the state of one plot at present.
   *
   * plot: the plot; side: the number of the simulation; runs: its runs; waitClass: their classes;
   * lanes: the lanes; scroll: the height of what is above the view; matches: 1 for each job that
   * was found, null without a search; job: the selected job, or -1
   */
  constructor(state) {
    Object.assign(this, state);
    const {bbox, scales} = this.plot;
    this.canvas = this.plot.ctx;
    this.ratio = devicePixelRatio;
    this.box = bbox;
    this.min = scales.x.min;
    this.max = scales.x.max;
    this.scale = bbox.width / (this.max - this.min);
    this.colors = {text: color('--text'), line: color('--line'), track: color('--track')};
    this.waitColors = waitColors();
  }

  draw() {
    const {canvas, box, lanes, ratio} = this;
    canvas.save();
    canvas.beginPath();
    canvas.rect(0, box.top, box.left + box.width, box.height);
    canvas.clip();
    const bottom = this.scroll + box.height / ratio;
    for (let i = lanes.laneAt(this.scroll); i < lanes.names.length && lanes.top[i] < bottom; i++) {
      this.drawLane(i);
    }
    if (this.job >= 0) this.drawSelected();
    canvas.restore();
  }

  /** The place on the canvas of a height in the lanes. */
  y(height) {
    return this.box.top + (height - this.scroll) * this.ratio;
  }

  drawLane(lane) {
    const {canvas, box, lanes, ratio} = this, top = this.y(lanes.top[lane]);
    canvas.fillStyle = this.colors.line;
    canvas.fillRect(0, top - LANE_GAP / 2 * ratio, box.left + box.width, ratio);
    canvas.font = 12 * ratio + 'px system-ui, sans-serif';
    canvas.textBaseline = 'top';
    canvas.textAlign = 'right';
    canvas.fillStyle = this.colors.text;
    canvas.fillText(lanes.names[lane], box.left - 6 * ratio, Math.max(top, box.top) + 2 * ratio,
        box.left - 8 * ratio);
    const hidden = Math.max(0, Math.floor((this.scroll - lanes.top[lane]) / lanes.rowHeight));
    for (let row = lanes.offset[lane] + hidden; row < lanes.offset[lane + 1]; row++) {
      const y = top + (row - lanes.offset[lane]) * lanes.rowHeight * ratio;
      if (y > box.top + box.height) break;
      this.drawRow(lanes.rows[this.side](row), y);
    }
  }

  /** Draws a row; what was found is drawn over the rest. One run per pixel is enough. */
  drawRow(row, y) {
    const {runs, matches} = this, first = firstAfter(runs, row, this.min);
    for (const pass of matches ? [0, 1] : [1]) {
      let until = 0;
      for (let i = first; i < row.length && runs.start[row[i]] < this.max; i++) {
        const run = row[i], job = runs.job[run], right = (runs.end[run] - this.min) * this.scale;
        if (i > first && right <= until || matches && matches[job] !== pass) continue;
        const left = Math.max((runs.start[run] - this.min) * this.scale, until);
        const fill = pass ? this.waitColors[this.waitClass[job]] : this.colors.track;
        this.drawRun(runs.kind[run], left, Math.min(right, this.box.width), y, fill);
        until = Math.max(right, left + 1);
      }
    }
  }

  drawRun(kind, left, right, y, fill) {
    const {canvas, ratio} = this, x = this.box.left + left;
    const gap = this.lanes.rowHeight > 6 ? ratio : 0;
    const height = this.lanes.rowHeight * ratio - gap;
    const width = Math.max(ratio, right - left - (right - left > 4 ? gap : 0));
    canvas.fillStyle = fill;
    if (kind === WAITED) {
      canvas.fillRect(x, y + height / 2 - ratio, width, 2 * ratio);
    } else {
      canvas.fillRect(x, y, width, height);
    }
    if (kind === STOPPED && width > 4) {
      canvas.fillStyle = this.colors.text;
      canvas.fillRect(x + width - 2 * ratio, y, 2 * ratio, height);
    }
  }

  /** Draws frames around the runs of the selected job, and lines for its waits. */
  drawSelected() {
    const {canvas, lanes, runs, job, ratio} = this;
    const x = time => this.box.left
        + (Math.min(Math.max(time, this.min), this.max) - this.min) * this.scale;
    canvas.strokeStyle = canvas.fillStyle = this.colors.text;
    canvas.lineWidth = 2 * ratio;
    const height = lanes.rowHeight * ratio;
    let since = runs.submit[job];
    for (let run = runs.first[job]; run < runs.first[job + 1]; run++) {
      const y = this.y(lanes.topOfRun(this.side, job, run)), start = x(runs.start[run]);
      canvas.fillRect(x(since), y + height / 2 - ratio, start - x(since), 2 * ratio);
      canvas.strokeRect(start, y, Math.max(3 * ratio, x(runs.end[run]) - start), height);
      since = runs.end[run];
    }
  }
}
