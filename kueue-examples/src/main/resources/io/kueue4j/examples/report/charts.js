// Charts of uPlot. Those over time share one range: zooming one zooms all.

const LIGHT = ['#0072b2', '#d55e00', '#007a5a', '#8f3f97', '#7a5c00', '#4d4d4d', '#a1151b'];
const DARK = ['#56b4e9', '#f0a04b', '#4fd1a5', '#e29ddb', '#e6d15c', '#c0c0c0', '#ff9a9a'];
const CHART_HEIGHT = 230, AXIS_HEIGHT = 40;
const DASHED = {'nominal quota': [6, 4], 'quota of cohorts': [2, 4], 'lent': [3, 3]};

const scheme = matchMedia('(prefers-color-scheme: dark)');
const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const formatNumber = value => value == null ? '–'
    : value.toLocaleString('en', {maximumFractionDigits: 2});
const formatTime = seconds => seconds == null ? '–'
    : new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19);

/** The range of time that is shown, and the plots that show it. */
const range = {
  plots: new Set(),
  /** Sets what the whole time is, and shows it. */
  reset(from, to) {
    Object.assign(this, {from, to, min: from, max: to});
  },
  /** Shows a range, or as much of it as there is, in all plots. */
  show(min, max) {
    const width = Math.min(Math.max(max - min, (this.to - this.from) / 1e6), this.to - this.from);
    this.min = Math.min(Math.max(min, this.from), this.to - width);
    this.max = this.min + width;
    this.plots.forEach(plot => plot.setScale('x', {min: this.min, max: this.max}));
  },
  /** Makes all plots follow one whose range has changed. */
  follow(plot) {
    const {min, max} = plot.scales.x;
    if (min !== this.min || max !== this.max) this.show(min, max);
  },
  zoom(factor) {
    const middle = (this.min + this.max) / 2, half = (this.max - this.min) / 2 * factor;
    this.show(middle - half, middle + half);
  },
  pan(part) {
    const by = (this.max - this.min) * part;
    this.show(this.min + by, this.max + by);
  },
};

/** Options of an axis in the colors of the page. */
function axis(more) {
  const line = {stroke: color('--line'), width: 1};
  return {stroke: color('--muted'), grid: line, ticks: line, ...more};
}

/** Options of a plot whose horizontal axis is the time. */
function timePlot(more) {
  return {
    tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    hooks: {setScale: [(plot, key) => { if (key === 'x') range.follow(plot); }]},
    ...more,
  };
}

function timeAxis() {
  return axis({space: 100, size: AXIS_HEIGHT, values: (plot, splits) => splits.map((each, i) => {
    // The date where it changes, seconds where they matter.
    const text = formatTime(each);
    const isClose = splits.length > 1 && splits[1] - splits[0] < 60;
    const time = text.slice(11, isClose ? 19 : 16);
    return i === 0 || formatTime(splits[i - 1]).slice(0, 10) !== text.slice(0, 10)
        ? text.slice(5, 10) + ' ' + time : time;
  })});
}

/**
 * The axis of values with labels: of amounts as many as there is room for, of names all, in lines
 * of as many words as fit.
 */
function labelAxis(chart, width) {
  const each = width / chart.labels.length;
  const longest = Math.max(...chart.labels.map(text => text.length));
  const every = chart.connected ? Math.ceil((16 + 7 * longest) / each) : 1;
  const wrapped = text => text.split(' ').reduce((lines, word) => {
    const last = lines.length - 1;
    if (last >= 0 && (lines[last].length + word.length + 1) * 7 < each) lines[last] += ' ' + word;
    else lines.push(word);
    return lines;
  }, []).join('\n');
  const ticks = chart.labels.map(text => chart.connected ? text : wrapped(text));
  const longestLine = Math.max(...ticks.flatMap(text => text.split('\n')).map(line => line.length));
  return {
    // On a phone, a long word would touch the next one.
    ...(!chart.connected && longestLine * 7 > each ? {font: '10px sans-serif'} : {}),
    size: 34 + 16 * Math.max(...ticks.map(text => text.split('\n').length)),
    splits: chart.x.filter(position => position % every === 0),
    values: (plot, splits) => splits.map(position => ticks[position]),
  };
}

const drawn = new Map();

function drawChart(element, chart) {
  const colors = scheme.matches ? DARK : LIGHT;
  forget(element);
  const options = {
    width: element.clientWidth,
    height: CHART_HEIGHT,
    padding: [null, 36, null, null],
    scales: {
      x: chart.time ? {time: true, min: range.min, max: range.max} : {
        time: false,
        // Some room beside the first and the last point.
        ...(chart.labels ? {range: [-0.2, Math.max(0.2, chart.x.length - 0.8)]} : {})},
      y: {range: () => [0, chart.top > 0 ? chart.top * 1.05 : 1]},
    },
    axes: [
      chart.time ? timeAxis() : axis({
        space: 60, values: (plot, splits) => splits.map(each => formatNumber(each) + ' %'),
        ...(chart.labels ? labelAxis(chart, element.clientWidth - 100) : {})}),
      axis({size: 64, values: (plot, splits) => splits.map(formatNumber)}),
    ],
    series: [
      {label: chart.time ? 'time (UTC)' : chart.axis ?? 'percent',
        value: (plot, value) => chart.time ? formatTime(value)
            : chart.labels ? chart.labels[value] ?? '–' : formatNumber(value)},
      ...chart.lines.map((line, i) => ({
        label: line.label,
        stroke: colors[i % colors.length],
        width: 2,
        dash: DASHED[line.label] ?? (i < colors.length ? undefined : [6, 4]),
        paths: chart.time ? uPlot.paths.stepped({align: 1})
            : chart.connected === false ? () => null : uPlot.paths.linear(),
        // Between the values of a grid there is nothing: points show where they are.
        spanGaps: Boolean(chart.labels),
        points: chart.labels ? {show: true, size: chart.connected ? 6 : 12} : {show: false},
        value: (plot, value) => formatNumber(value),
      })),
    ],
  };
  const plot = new uPlot(chart.time ? timePlot(options) : options,
      [chart.x, ...chart.lines.map(line => line.y)], element);
  drawn.set(element, plot);
  if (chart.time) range.plots.add(plot);
}

function forget(element) {
  const plot = drawn.get(element);
  if (plot) {
    range.plots.delete(plot);
    drawn.delete(element);
    plot.destroy();
  }
}
