'use strict';
(() => {
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const light = ['#0072b2', '#d55e00', '#007a5a', '#8f3f97', '#7a5c00', '#4d4d4d', '#a1151b'];
  const dark = ['#56b4e9', '#f0a04b', '#4fd1a5', '#e29ddb', '#e6d15c', '#c0c0c0', '#ff9a9a'];
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const drawn = new Map();
  const number = value => value == null ? '–'
      : value.toLocaleString('en', {maximumFractionDigits: 2});

  function draw(element) {
    const chart = charts[element.dataset.chart];
    const style = getComputedStyle(document.documentElement);
    const colors = scheme.matches ? dark : light;
    const line = style.getPropertyValue('--line').trim();
    const axis = {
      stroke: style.getPropertyValue('--muted').trim(),
      grid: {stroke: line, width: 1},
      ticks: {stroke: line, width: 1},
    };
    const label = (u, position) => chart.labels[position] ?? '–';
    const positions = chart.labels.map((text, i) => i);
    // Amounts: as many labels as there is room for. Names: all, in lines of as many words as fit.
    const width = (element.clientWidth - 100) / positions.length;
    const every = chart.connected
        ? Math.ceil((16 + 7 * Math.max(...chart.labels.map(text => text.length))) / width) : 1;
    const wrapped = text => text.split(' ').reduce((lines, word) => {
      const last = lines.length - 1;
      if (last >= 0 && (lines[last].length + word.length + 1) * 7 < width) lines[last] += ' ' + word;
      else lines.push(word);
      return lines;
    }, []).join('\n');
    const ticks = chart.labels.map(text => chart.connected ? text : wrapped(text));
    const rows = Math.max(...ticks.map(text => text.split('\n').length));
    const old = drawn.get(element);
    if (old) old.destroy();
    drawn.set(element, new uPlot({
      width: element.clientWidth,
      height: 230,
      padding: [null, 36, null, null],
      scales: {
        x: {time: false, range: [-0.2, Math.max(0.2, positions.length - 0.8)]},
        y: {range: (u, low, high) => [0, high > 0 ? high * 1.05 : 1]},
      },
      axes: [
        {...axis, size: 34 + 16 * rows, splits: positions.filter(i => i % every === 0),
          values: (u, splits) => splits.map(each => ticks[each])},
        {...axis, size: 64, values: (u, values) => values.map(number)},
      ],
      series: [
        {label: chart.axis, value: label},
        ...chart.lines.map((each, i) => ({
          label: each.label,
          stroke: colors[i % colors.length],
          width: 2,
          dash: i < colors.length ? undefined : [6, 4],
          spanGaps: true,
          ...(chart.connected ? {} : {paths: () => null}),
          points: {show: true, size: chart.connected ? 6 : 12},
          value: (u, value) => number(value),
        })),
      ],
    }, [positions, ...chart.lines.map(each => each.y)], element));
  }

  const all = [...document.querySelectorAll('.chart')];
  all.forEach(draw);
  scheme.addEventListener('change', () => all.forEach(draw));
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    all.forEach(draw);
  });
})();
