// Draws what the page has, and again when its width or colors change.

const data = id => JSON.parse(document.getElementById(id).textContent);
const charts = data('charts');
const firstTime = charts.find(chart => chart.time);
if (firstTime) range.reset(firstTime.x[0], firstTime.x[firstTime.x.length - 1]);

// Charts in closed parts of the page are drawn when the part is opened.
function drawMissing() {
  [...document.querySelectorAll('.chart')]
      .filter(each => !each.closest('details:not([open])') && !drawn.has(each))
      .forEach(each => drawChart(each, charts[each.dataset.chart]));
}

let timeline = null;

function drawAnew() {
  document.querySelectorAll('.chart').forEach(forget);
  drawMissing();
  if (timeline) timeline.plotAll();
}

drawMissing();
performance.mark('charts drawn');
// The charts are shown before the jobs are read.
if (document.getElementById('jobs')) requestAnimationFrame(() => setTimeout(() => {
  timeline = new Timeline(document.getElementById('timeline'), decodeJobs(data('jobs')));
  // uPlot draws when the current task has ended.
  queueMicrotask(() => performance.mark('jobs drawn'));
}));
document.querySelectorAll('details').forEach(each => each.addEventListener('toggle', drawMissing));
scheme.addEventListener('change', drawAnew);
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth !== width) {
    width = innerWidth;
    drawAnew();
  }
});
