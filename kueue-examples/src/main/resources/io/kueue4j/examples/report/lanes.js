// Lanes of the timeline: one for each queue or user, with as many rows as it had runs at a time.

const MIN_LANE = 18, LANE_GAP = 4, MIN_ROW = 4, MAX_ROW = 20;

/** The rows of the runs of some simulations, in lanes that are equally high in all of them. */
class Lanes {
  /** Creates lanes by "queue" or "user", which fit into a height if that is possible. */
  constructor(jobs, label, height) {
    this.of = jobs[label].of;
    this.names = jobs[label].names;
    const count = this.names.length, packed = jobs.sides.map(runs => this.pack(runs));
    // The rows of lane i are from offset[i] to before offset[i + 1].
    this.offset = new Int32Array(count + 1);
    for (let i = 0; i < count; i++) {
      this.offset[i + 1] = this.offset[i] + Math.max(1, ...packed.map(each => each.height[i]));
    }
    this.rows = jobs.sides.map((runs, i) => this.collect(runs, packed[i]));
    this.rowOf = packed.map(each => each.row);
    const room = (height - count * LANE_GAP) / this.offset[count];
    this.rowHeight = Math.min(MAX_ROW, Math.max(MIN_ROW, Math.floor(room)));
    this.top = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) {
      const rows = this.offset[i + 1] - this.offset[i];
      this.top[i + 1] = this.top[i] + Math.max(MIN_LANE, rows * this.rowHeight) + LANE_GAP;
    }
    this.height = Math.ceil(this.top[count]);
  }

  /** Gives each run a row of its lane so that those of one row do not overlap. */
  pack(runs) {
    const byStart = new Uint32Array(runs.count).map((_, i) => i)
        .sort((a, b) => runs.start[a] - runs.start[b] || a - b);
    const byEnd = byStart.slice().sort((a, b) => runs.end[a] - runs.end[b] || a - b);
    const row = new Int32Array(runs.count).fill(-1);
    const height = new Int32Array(this.names.length);
    const free = Array.from(height, () => []);
    let ended = 0;
    for (const run of byStart) {
      // A run of no length that starts now has no row yet.
      while (runs.end[byEnd[ended]] <= runs.start[run] && row[byEnd[ended]] >= 0) {
        free[this.of[runs.job[byEnd[ended]]]].push(row[byEnd[ended]]);
        ended++;
      }
      const lane = this.of[runs.job[run]];
      row[run] = free[lane].length ? free[lane].pop() : height[lane]++;
    }
    return {byStart, row, height};
  }

  /** A function that gives the runs of a row in the order of their starts. */
  collect(runs, packed) {
    const count = this.offset[this.names.length];
    const at = run => this.offset[this.of[runs.job[run]]] + packed.row[run];
    const begin = new Int32Array(count + 1);
    for (let run = 0; run < runs.count; run++) begin[at(run) + 1]++;
    for (let i = 0; i < count; i++) begin[i + 1] += begin[i];
    const next = begin.slice(), order = new Int32Array(runs.count);
    for (const run of packed.byStart) order[next[at(run)]++] = run;
    return row => order.subarray(begin[row], begin[row + 1]);
  }

  /** The number of all rows. */
  get rowCount() {
    return this.offset[this.names.length];
  }

  /** The lane at a height; the number of lanes below all of them. */
  laneAt(y) {
    let low = 0, high = this.names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.top[middle + 1] > y) high = middle; else low = middle + 1;
    }
    return low;
  }

  /** The row at a height, or -1. */
  rowAt(y) {
    const lane = this.laneAt(y);
    if (lane >= this.names.length) return -1;
    const row = this.offset[lane] + Math.floor((y - this.top[lane]) / this.rowHeight);
    return row < this.offset[lane + 1] ? row : -1;
  }

  /** The row of a run of a simulation. */
  rowOfRun(side, job, run) {
    return this.offset[this.of[job]] + this.rowOf[side][run];
  }

  /** The height at which a run of a simulation is drawn. */
  topOfRun(side, job, run) {
    return this.top[this.of[job]] + this.rowOf[side][run] * this.rowHeight;
  }
}

/** The first position of a row whose run ends after a time. */
function firstAfter(runs, row, time) {
  let low = 0, high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs.end[row[middle]] > time) high = middle; else low = middle + 1;
  }
  return low;
}
