// The timeline of jobs: a lane for each queue or user, whose runs are drawn into a plot of uPlot.

const VIEW_HEIGHT = 440, MIN_LANE = 18, LANE_GAP = 4, MAX_FOUND = 20;
const WAITS = [
  {below: 60, text: 'under a minute', light: '#0072b2', dark: '#56b4e9'},
  {below: 3600, text: 'under an hour', light: '#007a5a', dark: '#4fd1a5'},
  {below: 43200, text: 'under 12 hours', light: '#b87900', dark: '#e6d15c'},
  {below: Infinity, text: 'longer', light: '#a1151b', dark: '#ff9a9a'},
];

function createTimeline(root, jobs) {
  const find = id => root.querySelector('#' + id);
  const sides = jobs.sides.map(runs => ({runs, waitClass: waitClasses(runs)}));
  let laneOf, laneNames, laneTop, rowHeight, contentHeight, offset;
  let matches = null, found = [], selected = -1, hovered = -1;

  function waitClasses(runs) {
    const classes = new Uint8Array(jobs.count);
    for (let job = 0; job < jobs.count; job++) {
      classes[job] = WAITS.findIndex(each => waited(runs, job) < each.below);
    }
    return classes;
  }

  /** Packs all runs into lanes, of the same heights on all sides. */
  function layOut(label) {
    laneOf = jobs[label].of;
    laneNames = jobs[label].names;
    const packed = sides.map(side => packRuns(side.runs, laneOf, laneNames.length));
    offset = new Int32Array(laneNames.length + 1);
    for (let i = 0; i < laneNames.length; i++) {
      offset[i + 1] = offset[i] + Math.max(1, ...packed.map(each => each.height[i]));
    }
    sides.forEach((side, i) => side.row = rowsOf(side.runs, packed[i], laneOf, offset));
    const room = VIEW_HEIGHT - AXIS_HEIGHT - laneNames.length * LANE_GAP;
    rowHeight = Math.min(20, Math.max(4, Math.floor(room / offset[laneNames.length])));
    laneTop = new Float64Array(laneNames.length + 1);
    for (let i = 0; i < laneNames.length; i++) {
      const rows = offset[i + 1] - offset[i];
      laneTop[i + 1] = laneTop[i] + Math.max(MIN_LANE, rows * rowHeight) + LANE_GAP;
    }
    contentHeight = Math.ceil(laneTop[laneNames.length]) + AXIS_HEIGHT;
  }

  /** The lane at a height above the axis. */
  function laneAt(y) {
    let low = 0, high = laneNames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (laneTop[middle + 1] > y) high = middle; else low = middle + 1;
    }
    return low;
  }

  function draw(side, plot) {
    const {ctx, bbox} = plot, ratio = devicePixelRatio, scroll = side.view.scrollTop;
    const palette = {
      waits: WAITS.map(each => scheme.matches ? each.dark : each.light),
      text: color('--text'), line: color('--line'), track: color('--track'),
    };
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, bbox.top, bbox.left + bbox.width, bbox.height);
    ctx.clip();
    ctx.font = 12 * ratio + 'px system-ui, sans-serif';
    ctx.textBaseline = 'top';
    ctx.textAlign = 'right';
    const bottom = scroll + bbox.height / ratio;
    for (let lane = laneAt(scroll); lane < laneNames.length && laneTop[lane] < bottom; lane++) {
      const top = bbox.top + (laneTop[lane] - scroll) * ratio;
      ctx.fillStyle = palette.line;
      ctx.fillRect(0, top - LANE_GAP / 2 * ratio, bbox.left + bbox.width, ratio);
      ctx.fillStyle = palette.text;
      ctx.fillText(laneNames[lane], bbox.left - 6 * ratio, Math.max(top, bbox.top) + 2 * ratio,
          bbox.left - 8 * ratio);
      const visible = offset[lane] + Math.max(0, Math.floor((scroll - laneTop[lane]) / rowHeight));
      for (let row = visible; row < offset[lane + 1]; row++) {
        const y = top + (row - offset[lane]) * rowHeight * ratio;
        if (y > bbox.top + bbox.height) break;
        drawRow(side, plot, side.row(row), y, palette);
      }
    }
    drawSelected(side, plot, palette);
    ctx.restore();
  }

  function drawRow(side, plot, row, y, palette) {
    const {ctx, bbox} = plot, {runs, waitClass} = side, {min, max} = plot.scales.x;
    const scale = bbox.width / (max - min), gap = rowHeight > 6 ? devicePixelRatio : 0;
    const height = rowHeight * devicePixelRatio - gap, first = firstAfter(runs, row, min);
    // What was found is drawn over the rest, of which one run per pixel is enough.
    for (const pass of matches ? [0, 1] : [1]) {
      let until = -1;
      for (let i = first; i < row.length && runs.start[row[i]] < max; i++) {
        const run = row[i], job = runs.job[run];
        const right = (runs.end[run] - min) * scale;
        if (right <= until || matches && matches[job] !== pass) continue;
        const left = Math.max((runs.start[run] - min) * scale, until, 0);
        const width = Math.max(devicePixelRatio, Math.min(right, bbox.width) - left - (right - left > 4 ? gap : 0));
        ctx.fillStyle = pass ? palette.waits[waitClass[job]] : palette.track;
        if (runs.kind[run] === WAITED) {
          ctx.fillRect(bbox.left + left, y + height / 2 - devicePixelRatio, width, 2 * devicePixelRatio);
        } else {
          ctx.fillRect(bbox.left + left, y, width, height);
        }
        if (runs.kind[run] === STOPPED && width > 4) {
          ctx.fillStyle = palette.text;
          ctx.fillRect(bbox.left + left + width - 2 * devicePixelRatio, y, 2 * devicePixelRatio, height);
        }
        until = Math.max(right, left + 1);
      }
    }
  }

  /** Draws a frame around the runs of the selected job, and a line for its wait. */
  function drawSelected(side, plot, palette) {
    const job = hovered >= 0 ? hovered : selected, {ctx, bbox} = plot, {runs} = side;
    if (job < 0) return;
    const ratio = devicePixelRatio, lane = laneOf[job], {min, max} = plot.scales.x;
    const x = time => bbox.left + (Math.min(Math.max(time, min), max) - min) * bbox.width / (max - min);
    ctx.strokeStyle = ctx.fillStyle = palette.text;
    ctx.lineWidth = 2 * ratio;
    let since = runs.submit[job];
    for (let run = runs.first[job]; run < runs.first[job + 1]; run++) {
      const y = bbox.top
          + (laneTop[lane] + (rowIndex(side, run) - offset[lane]) * rowHeight - side.view.scrollTop) * ratio;
      const height = Math.max(4 * ratio, rowHeight * ratio);
      ctx.fillRect(x(since), y + height / 2 - ratio, x(runs.start[run]) - x(since), 2 * ratio);
      ctx.strokeRect(x(runs.start[run]), y, Math.max(3 * ratio, x(runs.end[run]) - x(runs.start[run])), height);
      since = runs.end[run];
    }
  }

  /** The row of a run among all rows. */
  function rowIndex(side, run) {
    const lane = laneOf[side.runs.job[run]];
    for (let row = offset[lane]; row < offset[lane + 1]; row++) {
      const runs = side.row(row), i = firstAfter(side.runs, runs, side.runs.start[run] - 1e-9);
      for (let j = i; j < runs.length && side.runs.start[runs[j]] <= side.runs.start[run]; j++) {
        if (runs[j] === run) return row;
      }
    }
    return offset[lane];
  }

  /** The job at a place of a plot, or -1. */
  function jobAt(side, plot) {
    const {left, top} = plot.cursor;
    if (left == null || left < 0 || top < 0) return -1;
    const y = top + side.view.scrollTop, lane = laneAt(y);
    if (lane >= laneNames.length) return -1;
    const number = offset[lane] + Math.floor((y - laneTop[lane]) / rowHeight);
    if (number >= offset[lane + 1]) return -1;
    const row = side.row(number), {runs} = side;
    const tolerance = plot.posToVal(left + 2, 'x') - plot.posToVal(left, 'x');
    const time = plot.posToVal(left, 'x');
    const i = firstAfter(runs, row, time - tolerance);
    return i < row.length && runs.start[row[i]] <= time + tolerance ? runs.job[row[i]] : -1;
  }

  function describe(job) {
    if (job < 0) return found.length || matches ? summary() : jobs.count.toLocaleString('en') + ' jobs';
    return jobs.names[job] + ', user ' + jobs.user.names[jobs.user.of[job]] + ', in '
        + jobs.queue.names[jobs.queue.of[job]] + ': '
        + sides.map(side => (sides.length > 1 ? side.runs.title + ' ' : '') + fate(side.runs, job)).join('; ');
  }

  function fate(runs, job) {
    const first = runs.first[job], count = runs.first[job + 1] - first;
    if (count === 0) return 'not submitted';
    const wait = 'submitted ' + formatTime(runs.submit[job]) + ', waited ' + formatDuration(waited(runs, job));
    if (runs.kind[first] === WAITED) return wait + ', never started';
    const last = first + count - 1;
    const end = {[ENDED]: 'ended ', [STOPPED]: 'last stopped ', [RUNNING]: 'still running '}[runs.kind[last]];
    return wait + ', started ' + formatTime(runs.start[first]) + ', ' + end + formatTime(runs.end[last])
        + (count > 1 ? ', in ' + count + ' runs' : '');
  }

  const summary = () => found.length.toLocaleString('en') + ' of ' + jobs.count.toLocaleString('en')
      + ' jobs found';

  function say() {
    find('job').textContent = describe(hovered >= 0 ? hovered : selected);
  }

  const redraw = () => sides.forEach(side => side.plot && side.plot.redraw(false, false));

  function search(text) {
    const wanted = text.trim().toLowerCase();
    const labels = ['queue', 'user'].map(label =>
        ({of: jobs[label].of, has: jobs[label].names.map(name => name.toLowerCase().includes(wanted))}));
    matches = wanted ? new Uint8Array(jobs.count) : null;
    found = [];
    for (let job = 0; matches && job < jobs.count; job++) {
      if (labels.some(label => label.has[label.of[job]]) || jobs.names[job].toLowerCase().includes(wanted)) {
        matches[job] = 1;
        found.push(job);
      }
    }
    selected = -1;
    list();
    say();
    redraw();
  }

  /** Lists the first jobs that were found, as a table. */
  function list() {
    const place = find('found');
    place.textContent = '';
    if (!matches || !found.length) return;
    const table = document.createElement('table');
    table.createCaption().textContent = 'Jobs found';
    const columns = ['Job', 'User', 'ClusterQueue', ...sides.map(
        side => sides.length > 1 ? side.runs.title : 'What happened')];
    const head = table.createTHead().insertRow();
    columns.forEach(text => head.append(Object.assign(
        document.createElement('th'), {textContent: text, scope: 'col'})));
    const body = table.createTBody();
    for (const job of found.slice(0, MAX_FOUND)) {
      const row = body.insertRow();
      const name = Object.assign(document.createElement('th'), {scope: 'row'});
      const button = Object.assign(document.createElement('button'),
          {type: 'button', textContent: jobs.names[job], onclick: () => select(job)});
      name.append(button);
      row.append(name);
      [jobs.user.names[jobs.user.of[job]], jobs.queue.names[jobs.queue.of[job]],
        ...sides.map(side => fate(side.runs, job))].forEach((text, i) => {
          const cell = row.insertCell();
          cell.textContent = text;
          cell.dataset.label = columns[i + 1];
        });
    }
    const scroll = Object.assign(document.createElement('div'), {className: 'scroll', tabIndex: 0});
    scroll.append(table);
    place.append(scroll);
    if (found.length > MAX_FOUND) {
      place.append(Object.assign(document.createElement('p'), {className: 'muted',
        textContent: 'The first ' + MAX_FOUND + ' of ' + found.length.toLocaleString('en') + '.'}));
    }
  }

  /** Selects a job, and brings it into view. */
  function select(job) {
    selected = job;
    hovered = -1;
    const {runs} = sides[0], last = Math.max(runs.first[job], runs.first[job + 1] - 1);
    const from = runs.submit[job], to = runs.first[job] <= last ? runs.end[last] : from;
    if (from < range.min || to > range.max) {
      const width = Math.max(range.max - range.min, (to - from) * 1.2);
      range.show((from + to - width) / 2, (from + to + width) / 2);
    }
    sides.forEach(side => {
      const run = side.runs.first[job];
      if (run === side.runs.first[job + 1]) return;
      const y = laneTop[laneOf[job]] + (rowIndex(side, run) - offset[laneOf[job]]) * rowHeight;
      const room = VIEW_HEIGHT - AXIS_HEIGHT;
      if (y < side.view.scrollTop || y + rowHeight > side.view.scrollTop + room) {
        side.view.scrollTop = Math.max(0, y - room / 2);
      }
    });
    say();
    redraw();
  }

  /** Selects the next of the jobs found, or of all; the previous one for -1. */
  function step(by) {
    const among = matches ? found : null, count = among ? among.length : jobs.count;
    if (!count) return;
    const at = among ? among.indexOf(selected) : selected;
    const next = at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
    select(among ? among[next] : next);
  }

  /** Selects the job beside the selected one in its lane's rows. */
  function move(side, along, across) {
    const {runs} = side;
    if (selected < 0 || runs.first[selected] === runs.first[selected + 1]) return step(1);
    const run = runs.first[selected];
    let number = rowIndex(side, run) + across;
    const last = offset[laneNames.length] - 1;
    while (number > 0 && number < last && !side.row(number).length) number += across;
    if (number < 0 || number > last || !side.row(number).length) return;
    const row = side.row(number);
    const at = across ? Math.min(firstAfter(runs, row, runs.start[run]), row.length - 1)
        : row.indexOf(run) + along;
    if (row[at] !== undefined) select(runs.job[row[at]]);
  }

  const actions = {
    in: () => range.zoom(0.5),
    out: () => range.zoom(2),
    earlier: () => range.pan(-0.5),
    later: () => range.pan(0.5),
    all: () => range.show(range.from, range.to),
    next: () => step(1),
    previous: () => step(-1),
  };
  const keys = {
    '+': () => actions.in(), '-': () => actions.out(), '0': () => actions.all(),
    'Enter': () => actions.next(),
    'ArrowLeft': side => move(side, -1, 0), 'ArrowRight': side => move(side, 1, 0),
    'ArrowUp': side => move(side, 0, -1), 'ArrowDown': side => move(side, 0, 1),
  };

  function plotSide(side) {
    forget(side.view);
    side.space.style.height = contentHeight + 'px';
    const gutter = side.view.clientWidth < 480 ? 80 : 120;
    const options = timePlot({
      width: side.view.clientWidth,
      height: Math.min(VIEW_HEIGHT, contentHeight),
      padding: [0, 24, 0, 0],
      legend: {show: false},
      cursor: {y: false, points: {show: false}},
      scales: {x: {time: true, min: range.min, max: range.max}, y: {range: () => [0, 1]}},
      axes: [timeAxis(),
        {size: gutter, values: (plot, splits) => splits.map(() => ''), grid: {show: false}, ticks: {show: false}}],
      series: [{}, {paths: () => null, points: {show: false}}],
    });
    options.hooks.draw = [plot => draw(side, plot)];
    options.hooks.setCursor = [plot => {
      const job = jobAt(side, plot);
      if (job !== hovered) {
        hovered = job;
        say();
        redraw();
      }
    }];
    side.plot = new uPlot(options, [[range.from, range.to], [0, 0]], side.space);
    side.plot.over.addEventListener('click', () => {
      const job = jobAt(side, side.plot);
      if (job >= 0) select(job);
    });
    drawn.set(side.view, side.plot);
    range.plots.add(side.plot);
  }

  const plotAll = () => sides.forEach(plotSide);

  function createSide(side) {
    const figure = document.createElement('figure');
    if (sides.length > 1) {
      figure.append(Object.assign(document.createElement('figcaption'), {textContent: 'Jobs ' + side.runs.title}));
    }
    side.view = Object.assign(document.createElement('div'), {className: 'view', tabIndex: 0});
    side.view.setAttribute('role', 'application');
    side.view.setAttribute('aria-label', 'Jobs over time' + (sides.length > 1 ? ', ' + side.runs.title : '')
        + '; arrow keys select jobs, and what is selected is described above');
    side.space = document.createElement('div');
    side.view.append(side.space);
    side.view.style.maxHeight = VIEW_HEIGHT + 'px';
    figure.append(side.view);
    find('sides').append(figure);
    side.view.addEventListener('scroll', () => {
      sides.forEach(other => {
        if (other.view.scrollTop !== side.view.scrollTop) other.view.scrollTop = side.view.scrollTop;
      });
      side.plot.redraw(false, false);
    });
    side.view.addEventListener('keydown', event => {
      if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        keys[event.key](side);
        event.preventDefault();
      }
    });
  }

  function legend() {
    find('waits').textContent = '';
    find('waits').append('Runs of jobs by how long they waited: ');
    WAITS.forEach(each => {
      const key = Object.assign(document.createElement('span'), {className: 'key'});
      key.style.background = scheme.matches ? each.dark : each.light;
      find('waits').append(key, ' ' + each.text);
    });
    find('waits').append(' · a dark end: the run was stopped');
  }

  sides.forEach(createSide);
  if (sides.length > 1) find('sides').classList.add('pairs');
  layOut('queue');
  legend();
  plotAll();
  say();
  root.querySelector('form').addEventListener('submit', event => {
    event.preventDefault();
    step(1);
  });
  root.querySelectorAll('[data-do]').forEach(button =>
      button.addEventListener('click', () => actions[button.dataset.do]()));
  find('find').addEventListener('input', event => search(event.target.value));
  find('lanes').addEventListener('change', event => {
    layOut(event.target.value);
    plotAll();
  });
  return {plotAll() { legend(); plotAll(); }};
}
