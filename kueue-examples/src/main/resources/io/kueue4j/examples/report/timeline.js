// The timeline of jobs: what the user does with it, and what it says of jobs.

const VIEW_HEIGHT = 440, MAX_FOUND = 20;
const ENDS = {[ENDED]: 'ended ', [STOPPED]: 'last stopped ', [RUNNING]: 'still running '};

/** A new element with properties and children. */
function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

class Timeline {
  constructor(root, jobs) {
    this.root = root;
    this.jobs = jobs;
    this.found = [];
    this.matches = null;
    this.selected = this.hovered = -1;
    this.views = jobs.sides.map((runs, side) => this.createView(runs, side));
    if (this.views.length > 1) this.part('sides').classList.add('pairs');
    this.actions = {
      in: () => range.zoom(0.5),
      out: () => range.zoom(2),
      earlier: () => range.pan(-0.5),
      later: () => range.pan(0.5),
      all: () => range.show(range.from, range.to),
      next: () => this.step(1),
      previous: () => this.step(-1),
    };
    this.keys = {
      '+': this.actions.in, '-': this.actions.out, '0': this.actions.all,
      'Enter': this.actions.next,
      'ArrowLeft': view => this.move(view, -1, 0), 'ArrowRight': view => this.move(view, 1, 0),
      'ArrowUp': view => this.move(view, 0, -1), 'ArrowDown': view => this.move(view, 0, 1),
    };
    this.listen();
    this.layOut('queue');
    this.say();
  }

  part(id) {
    return this.root.querySelector('#' + id);
  }

  listen() {
    this.root.querySelector('form').addEventListener('submit', event => {
      event.preventDefault();
      this.step(1);
    });
    this.root.querySelectorAll('[data-do]').forEach(button =>
        button.addEventListener('click', () => this.actions[button.dataset.do]()));
    this.part('find').addEventListener('input', event => this.search(event.target.value));
    this.part('lanes').addEventListener('change', event => this.layOut(event.target.value));
  }

  /** Creates the element that scrolls the plot of a simulation. */
  createView(runs, side) {
    const space = element('div'), title = this.jobs.sides.length > 1 ? ' ' + runs.title : '';
    const box = element('div', {className: 'view', tabIndex: 0}, space);
    box.setAttribute('role', 'application');
    box.setAttribute('aria-label', 'Jobs over time' + title
        + '; arrow keys select jobs, and what is selected is described above');
    box.style.maxHeight = VIEW_HEIGHT + 'px';
    const view = {runs, side, space, box, title, waitClass: waitClasses(runs)};
    box.addEventListener('scroll', () => {
      this.views.forEach(other => {
        if (other.box.scrollTop !== box.scrollTop) other.box.scrollTop = box.scrollTop;
      });
      view.plot.redraw(false, false);
    });
    box.addEventListener('keydown', event => {
      if (this.keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        this.keys[event.key](view);
        event.preventDefault();
      }
    });
    const caption = title ? [element('figcaption', {textContent: 'Jobs' + title})] : [];
    this.part('sides').append(element('figure', {}, ...caption, box));
    return view;
  }

  layOut(label) {
    this.lanes = new Lanes(this.jobs, label, VIEW_HEIGHT - AXIS_HEIGHT);
    this.plotAll();
  }

  plotAll() {
    const colors = waitColors();
    this.part('waits').replaceChildren('Runs of jobs by how long they waited: ',
        ...WAITS.flatMap((each, i) => {
          const key = element('span', {className: 'key'});
          key.style.background = colors[i];
          return [key, ' ' + each.text];
        }),
        ' · a bar at the end: the run was stopped');
    this.views.forEach(view => this.plot(view));
  }

  plot(view) {
    const {box, space} = view, height = this.lanes.height + AXIS_HEIGHT;
    forget(box);
    space.style.height = height + 'px';
    const options = timePlot({
      width: box.clientWidth,
      height: Math.min(VIEW_HEIGHT, height),
      padding: [0, 24, 0, 0],
      legend: {show: false},
      cursor: {y: false, points: {show: false}},
      scales: {x: {time: true, min: range.min, max: range.max}, y: {range: () => [0, 1]}},
      axes: [timeAxis(), {
        // The names of lanes are drawn beside this axis.
        size: box.clientWidth < 480 ? 80 : 120,
        values: (plot, splits) => splits.map(() => ''),
        grid: {show: false},
        ticks: {show: false},
      }],
      series: [{}, {paths: () => null, points: {show: false}}],
    });
    options.hooks.draw = [plot => new Painter({
      plot,
      side: view.side,
      runs: view.runs,
      waitClass: view.waitClass,
      lanes: this.lanes,
      scroll: box.scrollTop,
      matches: this.matches,
      job: this.shown(),
    }).draw()];
    options.hooks.setCursor = [plot => this.hover(this.jobAt(view, plot))];
    view.plot = new uPlot(options, [[range.from, range.to], [0, 0]], space);
    view.plot.over.addEventListener('click', () => {
      const job = this.jobAt(view, view.plot);
      if (job >= 0) this.select(job);
    });
    drawn.set(box, view.plot);
    range.plots.add(view.plot);
  }

  redraw() {
    this.views.forEach(view => view.plot.redraw(false, false));
  }

  /** The job that is described, or -1. */
  shown() {
    return this.hovered >= 0 ? this.hovered : this.selected;
  }

  hover(job) {
    if (job !== this.hovered) {
      this.hovered = job;
      this.say();
      this.redraw();
    }
  }

  /** The job under the pointer, or -1. */
  jobAt(view, plot) {
    const {left, top} = plot.cursor;
    if (left == null || left < 0 || top < 0) return -1;
    const number = this.lanes.rowAt(top + view.box.scrollTop);
    if (number < 0) return -1;
    const row = this.lanes.rows[view.side](number), {runs} = view;
    const time = plot.posToVal(left, 'x'), tolerance = plot.posToVal(left + 2, 'x') - time;
    const i = firstAfter(runs, row, time - tolerance);
    return i < row.length && runs.start[row[i]] <= time + tolerance ? runs.job[row[i]] : -1;
  }

  say() {
    const job = this.shown(), {jobs} = this, count = number => number.toLocaleString('en');
    this.part('job').textContent = job >= 0
        ? jobs.names[job] + ', user ' + this.label('user', job) + ', in ' + this.label('queue', job)
            + ': ' + this.views.map(view =>
                (view.title + ' ' + this.fate(view.runs, job)).trim()).join('; ')
        : this.matches
            ? count(this.found.length) + ' of ' + count(jobs.count) + ' jobs found'
            : count(jobs.count) + ' jobs';
  }

  label(kind, job) {
    return this.jobs[kind].names[this.jobs[kind].of[job]];
  }

  /** What happened to a job in a simulation. */
  fate(runs, job) {
    const first = runs.first[job], last = runs.first[job + 1] - 1;
    if (last < first) return 'not submitted';
    const wait = 'submitted ' + formatTime(runs.submit[job])
        + ', waited ' + formatDuration(waited(runs, job));
    if (runs.kind[first] === WAITED) return wait + ', never started';
    return wait + ', started ' + formatTime(runs.start[first])
        + ', ' + ENDS[runs.kind[last]] + formatTime(runs.end[last])
        + (last > first ? ', in ' + (last - first + 1) + ' runs' : '');
  }

  search(text) {
    const {jobs} = this, wanted = text.trim().toLowerCase();
    const labels = ['queue', 'user'].map(kind => ({
      of: jobs[kind].of,
      has: jobs[kind].names.map(name => name.toLowerCase().includes(wanted)),
    }));
    this.matches = wanted ? new Uint8Array(jobs.count) : null;
    this.found = [];
    for (let job = 0; this.matches && job < jobs.count; job++) {
      if (labels.some(label => label.has[label.of[job]])
          || jobs.names[job].toLowerCase().includes(wanted)) {
        this.matches[job] = 1;
        this.found.push(job);
      }
    }
    this.selected = -1;
    this.list();
    this.say();
    this.redraw();
  }

  /** Lists the first jobs that were found as a table. */
  list() {
    const place = this.part('found');
    place.replaceChildren();
    if (!this.found.length) return;
    const columns = ['Job', 'User', 'ClusterQueue',
      ...this.views.map(view => view.title.trim() || 'What happened')];
    const head = element('tr', {}, ...columns.map(
        textContent => element('th', {scope: 'col', textContent})));
    const rows = this.found.slice(0, MAX_FOUND).map(job => {
      const button = element('button',
          {type: 'button', textContent: this.jobs.names[job], onclick: () => this.select(job)});
      const texts = [this.label('user', job), this.label('queue', job),
        ...this.views.map(view => this.fate(view.runs, job))];
      return element('tr', {}, element('th', {scope: 'row'}, button), ...texts.map((text, i) => {
        const cell = element('td', {className: i > 1 ? 'long' : ''},
            element('span', {textContent: text}));
        cell.dataset.label = columns[i + 1];
        return cell;
      }));
    });
    const more = this.found.length > MAX_FOUND
        ? [element('p', {className: 'muted', textContent: 'The first ' + MAX_FOUND + '.'})] : [];
    place.append(
        element('div', {className: 'scroll', tabIndex: 0}, element('table', {},
            element('caption', {textContent: 'Jobs found'}),
            element('thead', {}, head), element('tbody', {}, ...rows))),
        ...more);
  }

  /** Selects a job, and brings it into view. */
  select(job) {
    this.selected = job;
    this.hovered = -1;
    const {runs} = this.views[0], last = runs.first[job + 1] - 1;
    const from = runs.submit[job], to = last >= runs.first[job] ? runs.end[last] : from;
    if (from < range.min || to > range.max) {
      const width = Math.max(range.max - range.min, (to - from) * 1.2);
      range.show((from + to - width) / 2, (from + to + width) / 2);
    }
    const view = this.views.find(each => each.runs.first[job] < each.runs.first[job + 1]);
    if (view) {
      const y = this.lanes.topOfRun(view.side, job, view.runs.first[job]);
      const room = VIEW_HEIGHT - AXIS_HEIGHT, {box} = view;
      if (y < box.scrollTop || y + this.lanes.rowHeight > box.scrollTop + room) {
        box.scrollTop = Math.max(0, y - room / 2);
      }
    }
    this.say();
    this.redraw();
  }

  /** Selects the next of the jobs found, or of all; the previous one for -1. */
  step(by) {
    const among = this.matches ? this.found : null;
    const count = among ? among.length : this.jobs.count;
    if (!count) return;
    const at = among ? among.indexOf(this.selected) : this.selected;
    const next = at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
    this.select(among ? among[next] : next);
  }

  /** Selects the job beside the selected one in its row, or in one of the rows around. */
  move(view, along, across) {
    const {runs, side} = view, {lanes, selected} = this;
    if (selected < 0 || runs.first[selected] === runs.first[selected + 1]) {
      this.step(1);
      return;
    }
    const run = runs.first[selected], from = lanes.rowOfRun(side, selected, run);
    let number = from + across;
    while (number !== from && number >= 0 && number < lanes.rowCount
        && !lanes.rows[side](number).length) {
      number += across;
    }
    if (number < 0 || number >= lanes.rowCount) return;
    const row = lanes.rows[side](number);
    const at = across ? Math.min(firstAfter(runs, row, runs.start[run]), row.length - 1)
        : row.indexOf(run) + along;
    if (at >= 0 && at < row.length) this.select(runs.job[row[at]]);
  }
}
