package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import com.google.common.io.Resources;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.examples.monitoring.Html;
import io.kueue4j.examples.monitoring.MonitorPage;
import io.kueue4j.examples.sweep.Axis;
import io.kueue4j.examples.sweep.PointResult;
import io.kueue4j.examples.sweep.SweepResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A report of a grid: one page of HTML with everything that it needs. Its charts run along the
 * first axis with amounts, with a line for each combination of the other values, or for each
 * ClusterQueue if there is one combination; of several seeds they show the mean. All figures stand
 * in a table.
 */
public final class SweepReport {
  /** The folder of the library in its jar, with the version that the POM names. */
  private static final String UPLOT = "META-INF/resources/webjars/uplot/1.6.30/";

  private static final int MAX_LINES = 12;
  private static final int MAX_ROWS = 2_000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final SweepResult result;
  private final ImmutableSortedSet<String> resources;
  private final ImmutableSortedSet<String> queues;
  private final Html html = new Html();
  private final ArrayNode data = MAPPER.createArrayNode();

  private SweepReport(SweepResult result) {
    this.result = result;
    this.resources = names(result, point -> point.utilisation().keySet());
    this.queues = names(result, point -> point.clusterQueues().keySet());
  }

  /**
   * {@return the page}
   *
   * @param result the results
   * @param command the command that made them
   */
  public static String write(SweepResult result, String command) {
    return new SweepReport(result).page(command);
  }

  private String page(String command) {
    String title = "Sweep of " + result.size() + " points";
    html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>")
        .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>")
        .markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
            + " style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>")
        .element("title", "", title)
        .markup("<style>")
        .markup(text(Resources.getResource(MonitorPage.class, "monitor.css")))
        .markup(text(Resources.getResource(UPLOT + "dist/uPlot.min.css")))
        .markup(text(Resources.getResource(SweepReport.class, "report.css")))
        .markup("</style></head><body><header><div>")
        .element("h1", "", title)
        .element("p", "class=\"muted\"", summary())
        .markup("</div></header><main>");
    alongAxis().ifPresent(this::charts);
    points();
    html.element("h2", "", "How this was made").markup("<dl class=\"facts\">");
    fact("Command", command);
    fact("Version", result.version());
    fact("Java", Runtime.version().toString());
    fact("Digest of the grid and its files", result.digest());
    html.markup("</dl></main><script type=\"application/json\" id=\"charts\">")
        // No text in it may end the element.
        .markup(data.toString().replace("<", "\\u003c"))
        .markup("</script><script>\n/*\n")
        .markup(text(Resources.getResource(UPLOT + "LICENSE")))
        .markup("*/\n")
        .markup(text(Resources.getResource(UPLOT + "dist/uPlot.iife.min.js")))
        .markup("</script><script>")
        .markup(text(Resources.getResource(SweepReport.class, "sweep.js")))
        .markup("</script></body></html>\n");
    return html.toString();
  }

  private static String text(URL resource) {
    try {
      return Resources.toString(resource, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void fact(String name, String value) {
    html.markup("<div>").element("dt", "", name).element("dd", "", value).markup("</div>");
  }

  private String summary() {
    String axes = result.varying().stream()
        .map(axis -> axis.name() + " (" + axis.values().size() + ")")
        .reduce((a, b) -> a + " × " + b)
        .orElse("one point");
    return axes
        + (result.points().size() == result.size()
            ? ""
            : "; " + result.points().size() + " points are done");
  }

  /** {@return the axis that charts run along: the first with amounts, or else the first} */
  private Optional<Axis> alongAxis() {
    List<Axis> axes = result.varying().stream().filter(axis -> !axis.isSeed()).toList();
    return axes.stream()
        .filter(Axis::isNumeric)
        .findFirst()
        .or(() -> axes.stream().findFirst());
  }

  private void charts(Axis along) {
    html.element("h2", "", "Along " + along.name());
    ImmutableMap<String, ImmutableList<List<PointResult>>> lines = lines(along);
    if (lines.size() > MAX_LINES) {
      html.element(
          "p",
          "class=\"muted\"",
          "Charts show the first " + MAX_LINES + " of " + lines.size() + " combinations.");
    }
    html.markup("<div class=\"charts\">");
    byQueue(along, lines, "95th percentile of waits, hours", jobs -> hours(jobs.wait95()));
    byQueue(along, lines, "Mean wait, hours", jobs -> hours(jobs.meanWait()));
    byQueue(along, lines, "Mean bounded slowdown", JobSummary::meanBoundedSlowdown);
    byQueue(along, lines, "Preemptions", JobSummary::preemptions);
    byQueue(along, lines, "Lost work, hours", jobs -> hours(jobs.lostWork()));
    resources.forEach(resource -> chart(
        along,
        "Utilisation of " + resource + ", percent",
        Maps.transformValues(lines, points -> means(points, point -> share(point, resource)))));
    html.markup("</div>");
  }

  private static double hours(Duration duration) {
    return duration.toMillis() / 3_600_000.0;
  }

  /** Adds a chart with a line for each combination; of a single one, also for each ClusterQueue. */
  private void byQueue(
      Axis along,
      ImmutableMap<String, ImmutableList<List<PointResult>>> lines,
      String title,
      ToDoubleFunction<JobSummary> figure) {
    Map<String, List<OptionalDouble>> values = new LinkedHashMap<>();
    lines.forEach((label, points) ->
        values.put(label, means(points, point -> figure.applyAsDouble(point.total()))));
    if (lines.size() == 1 && queues.size() > 1) {
      ImmutableList<List<PointResult>> points = lines.values().iterator().next();
      queues.forEach(queue -> values.put(queue, means(points, point -> {
        JobSummary jobs = point.clusterQueues().get(queue);
        return jobs == null ? Double.NaN : figure.applyAsDouble(jobs);
      })));
    }
    chart(along, title, values);
  }

  /** {@return the means of the seeds at each position, empty where there is no figure} */
  private static List<OptionalDouble> means(
      List<List<PointResult>> line, ToDoubleFunction<PointResult> figure) {
    return line.stream()
        .map(points -> points.stream()
            .mapToDouble(figure)
            .filter(value -> !Double.isNaN(value))
            .average())
        .toList();
  }

  private static ImmutableSortedSet<String> names(
      SweepResult result, Function<PointResult, Set<String>> names) {
    return result.points().stream()
        .flatMap(point -> names.apply(point).stream())
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
  }

  private static double share(PointResult point, String resource) {
    PointResult.Usage usage = point.utilisation().get(resource);
    return usage == null || usage.nominal() <= 0
        ? Double.NaN
        : 100 * usage.used() / usage.nominal();
  }

  /** {@return the points of each line by the position of their value, seeds together} */
  private ImmutableMap<String, ImmutableList<List<PointResult>>> lines(Axis along) {
    List<Axis> others = result.varying().stream()
        .filter(axis -> !axis.isSeed() && !axis.name().equals(along.name()))
        .toList();
    Map<String, ImmutableList<List<PointResult>>> lines = new LinkedHashMap<>();
    for (PointResult point : result.points()) {
      ImmutableMap<String, String> values = result.values(point);
      String label = others.stream()
          .map(axis -> axis.name() + " " + values.get(axis.name()))
          .reduce((a, b) -> a + ", " + b)
          .orElse("all");
      lines
          .computeIfAbsent(
              label,
              unused -> along.values().stream()
                  .<List<PointResult>>map(value -> new ArrayList<>())
                  .collect(toImmutableList()))
          .get(along.values().indexOf(values.get(along.name())))
          .add(point);
    }
    return ImmutableMap.copyOf(lines);
  }

  private void chart(Axis along, String title, Map<String, List<OptionalDouble>> lines) {
    html.markup("<figure>")
        .element("figcaption", "", title)
        .markup(
            "<div class=\"chart\" role=\"img\" data-chart=\"" + data.size() + "\" aria-label=\"")
        .text(title)
        .markup("; the tables below have the figures\"></div></figure>");
    ObjectNode json =
        data.addObject().put("axis", along.name()).put("connected", along.isNumeric());
    ArrayNode labels = json.putArray("labels");
    along.values().forEach(labels::add);
    ArrayNode array = json.putArray("lines");
    lines.entrySet().stream().limit(MAX_LINES).forEach(line -> {
      ObjectNode added = array.addObject().put("label", line.getKey());
      ArrayNode values = added.putArray("y");
      line.getValue()
          .forEach(value -> value.ifPresentOrElse(
              mean -> values.add(Math.round(mean * 1000) / 1000.0), values::addNull));
    });
  }

  private void points() {
    html.element("h2", "", "Points");
    if (result.points().size() > MAX_ROWS) {
      html.element(
          "p",
          "class=\"muted\"",
          "The first " + MAX_ROWS + " of " + result.points().size() + "; -o csv has all.");
    }
    head(true);
    result.points().stream().limit(MAX_ROWS).forEach(point -> {
      row(point, "all", point.total());
      resources.forEach(resource -> cell(decimal(share(point, resource), " %")));
      html.markup("</tr>");
    });
    html.markup("</tbody></table></div>");
    if (queues.size() > 1) {
      html.element("h2", "", "Points by ClusterQueue");
      head(false);
      result.points().stream()
          .limit(MAX_ROWS / queues.size())
          .forEach(point -> point.clusterQueues().forEach((queue, jobs) -> {
            row(point, queue, jobs);
            html.markup("</tr>");
          }));
      html.markup("</tbody></table></div>");
    }
  }

  private void head(boolean withUtilisation) {
    html.markup("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
    header("Point");
    result.varying().forEach(axis -> header(axis.name()));
    List.of(
            "ClusterQueue",
            "Jobs",
            "Unfinished",
            "Mean wait",
            "Median",
            "95th percentile",
            "99th percentile",
            "Slowdown",
            "Preemptions",
            "Lost work")
        .forEach(this::header);
    if (withUtilisation) {
      resources.forEach(resource -> header(resource + " in use"));
    }
    html.markup("</tr></thead><tbody>");
  }

  private void header(String text) {
    html.element("th", "scope=\"col\"", text);
  }

  private void row(PointResult point, String name, JobSummary jobs) {
    html.markup("<tr>").element("th", "scope=\"row\"", point.point());
    ImmutableMap<String, String> values = result.values(point);
    result.varying().forEach(axis -> cell(values.getOrDefault(axis.name(), "")));
    html.markup("<td>").name(name).markup("</td>");
    cell(number(jobs.jobs()));
    cell(number((long) jobs.jobs() - jobs.finished()));
    cell(Durations.text(jobs.meanWait()));
    cell(Durations.text(jobs.medianWait()));
    cell(Durations.text(jobs.wait95()));
    cell(Durations.text(jobs.wait99()));
    cell(decimal(jobs.meanBoundedSlowdown(), ""));
    cell(number(jobs.preemptions()));
    cell(Durations.text(jobs.lostWork()));
  }

  private void cell(String text) {
    html.element("td", "", text);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String decimal(double value, String unit) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%,.2f", value) + unit;
  }
}
