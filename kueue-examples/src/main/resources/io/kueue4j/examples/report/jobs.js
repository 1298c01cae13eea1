// Jobs and their runs, from the columns that Timeline.java writes.

const ENDED = 0, STOPPED = 1, RUNNING = 2, WAITED = 3;

/** Jobs in the order of their submission; times are seconds since the epoch. */
function decodeJobs(json) {
  const count = json.submit.length, unit = json.unit / 1000;
  const submit = new Float64Array(count);
  let time = json.from / 1000;
  for (let i = 0; i < count; i++) submit[i] = time += json.submit[i] * unit;
  const jobs = {
    count,
    submit,
    names: decodeNames(json.names),
    queue: {of: Int32Array.from(json.queue), names: json.queues},
    user: {of: Int32Array.from(json.user), names: json.users},
  };
  jobs.sides = json.runs.map(runs => decodeRuns(runs, jobs, unit));
  return jobs;
}

function decodeNames(text) {
  const names = text.split('\n');
  names.pop();
  let last = '';
  return names.map(each => last = last.slice(0, parseInt(each[0], 36)) + each.slice(1));
}

/** The runs of one simulation, by job; those of job i are from first[i] to before first[i + 1]. */
function decodeRuns(json, jobs, unit) {
  const count = json.job.length;
  const runs = {
    title: json.title,
    count,
    job: new Int32Array(count),
    start: new Float64Array(count),
    end: new Float64Array(count),
    kind: Uint8Array.from(json.kind),
    first: new Int32Array(jobs.count + 1),
    submit: json.later ? jobs.submit.map((time, i) => time + json.later[i] * unit) : jobs.submit,
  };
  let job = 0;
  for (let i = 0; i < count; i++) {
    job += json.job[i];
    runs.job[i] = job;
    runs.start[i] = jobs.submit[job] + json.start[i] * unit;
    runs.end[i] = runs.start[i] + json.length[i] * unit;
    runs.first[job + 1]++;
  }
  for (let i = 0; i < jobs.count; i++) runs.first[i + 1] += runs.first[i];
  return runs;
}

/** How long a job waited for its first start, or has waited without one. */
function waited(runs, job) {
  const run = runs.first[job];
  if (run === runs.first[job + 1]) return 0;
  return (runs.kind[run] === WAITED ? runs.end[run] : runs.start[run]) - runs.submit[job];
}

/**
 * Packs runs into the rows of lanes so that those of one row do not overlap. The rows of lane i are
 * from offset[i] to before offset[i + 1].
 */
function packRuns(runs, laneOf, laneCount) {
  const byStart = new Uint32Array(runs.count).map((_, i) => i)
      .sort((a, b) => runs.start[a] - runs.start[b] || a - b);
  const byEnd = byStart.slice().sort((a, b) => runs.end[a] - runs.end[b] || a - b);
  const row = new Int32Array(runs.count).fill(-1);
  const height = new Int32Array(laneCount);
  const free = Array.from({length: laneCount}, () => []);
  let ended = 0;
  for (const run of byStart) {
    // A run of no length that starts now has no row yet.
    while (runs.end[byEnd[ended]] <= runs.start[run] && row[byEnd[ended]] >= 0) {
      free[laneOf[runs.job[byEnd[ended]]]].push(row[byEnd[ended]]);
      ended++;
    }
    const lane = laneOf[runs.job[run]];
    row[run] = free[lane].length ? free[lane].pop() : height[lane]++;
  }
  return {byStart, row, height};
}

/** The runs of each row of packed lanes in the order of their starts, as slices of one array. */
function rowsOf(runs, packed, laneOf, offset) {
  const rowCount = offset[offset.length - 1];
  const begin = new Int32Array(rowCount + 1);
  const at = run => offset[laneOf[runs.job[run]]] + packed.row[run];
  for (let run = 0; run < runs.count; run++) begin[at(run) + 1]++;
  for (let i = 0; i < rowCount; i++) begin[i + 1] += begin[i];
  const next = begin.slice();
  const order = new Int32Array(runs.count);
  for (const run of packed.byStart) order[next[at(run)]++] = run;
  return i => order.subarray(begin[i], begin[i + 1]);
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

function formatDuration(seconds) {
  const units = [[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']];
  const i = units.findIndex(([length]) => seconds >= length);
  if (i < 0 || i === 3) return formatNumber(seconds) + 's';
  const more = Math.floor(seconds % units[i][0] / units[i + 1][0]);
  return Math.floor(seconds / units[i][0]) + units[i][1] + (more ? more + units[i + 1][1] : '');
}
