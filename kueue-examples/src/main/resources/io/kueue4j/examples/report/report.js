'use strict';
(() => {
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const light = ['#0072b2', '#d55e00', '#007a5a', '#8f3f97', '#7a5c00', '#4d4d4d', '#a1151b'];
  const dark = ['#56b4e9', '#f0a04b', '#4fd1a5', '#e29ddb', '#e6d15c', '#c0c0c0', '#ff9a9a'];
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const drawn = new Map();

  const number = value => value == null ? '–'
      : value.toLocaleString('en', {maximumFractionDigits: 2});
  const time = seconds => seconds == null ? '–'
      : new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 16);

  function draw(element) {
    const chart = charts[element.dataset.chart];
    const style = getComputedStyle(document.documentElement);
    const colors = scheme.matches ? dark : light;
    const axis = {
      stroke: style.getPropertyValue('--muted').trim(),
      grid: {stroke: style.getPropertyValue('--line').trim(), width: 1},
      ticks: {stroke: style.getPropertyValue('--line').trim(), width: 1},
    };
    const stepped = chart.time ? uPlot.paths.stepped({align: 1}) : uPlot.paths.linear();
    const old = drawn.get(element);
    if (old) old.destroy();
    drawn.set(element, new uPlot({
      width: element.clientWidth,
      height: 230,
      padding: [null, 36, null, null],
      tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {x: {time: chart.time}, y: {range: (u, low, high) => [0, high > 0 ? high * 1.05 : 1]}},
      axes: [
        {...axis, space: chart.time ? 100 : 60,
          values: (u, values) => values.map(
              each => chart.time ? time(each).slice(5) : number(each) + ' %')},
        {...axis, size: 64, values: (u, values) => values.map(number)},
      ],
      series: [
        {label: chart.time ? 'time (UTC)' : 'percent',
          value: (u, value) => chart.time ? time(value) : number(value)},
        ...chart.lines.map((line, i) => ({
          label: line.label,
          stroke: colors[i % colors.length],
          width: 2,
          dash: i > 0 && chart.lines[i].label === 'nominal quota' ? [6, 4] : undefined,
          paths: stepped,
          points: {show: false},
          value: (u, value) => number(value),
        })),
      ],
    }, [chart.x, ...chart.lines.map(line => line.y)], element));
  }

  // Charts of closed parts of the page have no width; they are drawn when the part is opened.
  const visible = () => [...document.querySelectorAll('.chart')].filter(each => each.clientWidth > 0);
  const drawMissing = () => visible().filter(each => !drawn.has(each)).forEach(draw);
  drawMissing();
  document.querySelectorAll('details').forEach(
      each => each.addEventListener('toggle', drawMissing));
  scheme.addEventListener('change', () => [...drawn.keys()].forEach(draw));
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    for (const [element, plot] of drawn) {
      if (element.clientWidth > 0) plot.setSize({width: element.clientWidth, height: 230});
    }
  });
})();
