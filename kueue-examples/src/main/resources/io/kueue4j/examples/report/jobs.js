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

function formatDuration(seconds) {
  const units = [[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']];
  const i = units.findIndex(([length]) => seconds >= length);
  if (i < 0 || i === 3) return formatNumber(seconds) + 's';
  const more = Math.floor(seconds % units[i][0] / units[i + 1][0]);
  return Math.floor(seconds / units[i][0]) + units[i][1] + (more ? more + units[i + 1][1] : '');
}
