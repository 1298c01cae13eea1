package io.kueue4j.examples.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.QuotaSeries;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.core.simulation.StepFunction;
import io.kueue4j.examples.monitoring.Html;
import io.kueue4j.examples.monitoring.MonitorPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report of a simulation: one page of HTML with everything that it needs. Charts are drawn by
 * uPlot, which is embedded with its licence; each has its figures as a table, too.
 */
public final class SimulationReport {
  /** The folder of the library in its jar, with the version that the POM names. */
  private static final String UPLOT = "META-INF/resources/webjars/uplot/1.6.30/";

  private static final int MAX_USERS = 20;
  private static final int TABLE_ROWS = 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final SimulationResult result;
  private final ReportCharts charts;
  private final Html html = new Html();
  private final ArrayNode data = MAPPER.createArrayNode();

  private SimulationReport(SimulationResult result) {
    this.result = result;
    this.charts = new ReportCharts(result);
  }

  /**
   * What a report says of its origin.
   *
   * @param title the title
   * @param summary what happened, in one line
   * @param command the command that made it
   * @param version the version of the program
   */
  public record About(String title, String summary, String command, String version) {}

  /** {@return the page} */
  public static String write(SimulationResult result, About about) {
    return new SimulationReport(result).page(about);
  }

  private String page(About about) {
    html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>")
        .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>")
        .markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
            + " style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>")
        .element("title", "", about.title())
        .markup("<style>")
        .markup(text(Resources.getResource(MonitorPage.class, "monitor.css")))
        .markup(uplot("dist/uPlot.min.css"))
        .markup(text(Resources.getResource(SimulationReport.class, "report.css")))
        .markup("</style></head><body><header><div>")
        .element("h1", "", about.title())
        .element("p", "class=\"muted\"", about.summary())
        .markup("</div></header><main>");
    tiles();
    html.element("h2", "", "All ClusterQueues");
    figures(charts.overview());
    queues();
    queueCharts();
    users();
    html.element("h2", "", "How this was made").markup("<dl class=\"facts\">");
    fact("Command", about.command());
    fact("Version", about.version());
    fact("Java", Runtime.version().toString());
    fact("Digest of all events", result.digest());
    html.markup("</dl></main><script type=\"application/json\" id=\"charts\">")
        // No text in it may end the element.
        .markup(data.toString().replace("<", "\\u003c"))
        .markup("</script><script>\n/*\n")
        .markup(uplot("LICENSE"))
        .markup("*/\n")
        .markup(uplot("dist/uPlot.iife.min.js"))
        .markup("</script><script>")
        .markup(text(Resources.getResource(SimulationReport.class, "report.js")))
        .markup("</script></body></html>\n");
    return html.toString();
  }

  private static String uplot(String file) {
    return text(Resources.getResource(UPLOT + file));
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

  private void tiles() {
    JobSummary total = result.total();
    html.markup("<dl class=\"tiles\">");
    tile("Jobs", number(total.jobs()), number(total.finished()) + " finished");
    tile("Median wait", text(total.medianWait()), "mean " + text(total.meanWait()));
    tile("95th percentile", text(total.wait95()), "longest " + text(total.maxWait()));
    tile("Bounded slowdown", ratio(total.meanBoundedSlowdown()), "mean of the jobs that finished");
    tile("Preemptions", number(total.preemptions()), text(total.lostWork()) + " of work lost");
    html.markup("</dl>");
  }

  private void tile(String name, String value, String more) {
    html.markup("<div>")
        .element("dt", "", name)
        .element("dd", "class=\"count\"", value)
        .element("dd", "class=\"muted\"", more)
        .markup("</div>");
  }

  private void figures(ImmutableList<Chart> figures) {
    html.markup("<div class=\"charts\">");
    for (Chart chart : figures) {
      html.markup("<figure>")
          .element("figcaption", "", chart.title())
          .markup("<div class=\"chart\" role=\"img\" data-chart=\"" + data.size() + "\"");
      add(chart);
      html.markup(" aria-label=\"")
          .text(chart.title())
          .markup("; the table below has the figures\">")
          .markup("</div>");
      table(chart);
      html.markup("</figure>");
    }
    html.markup("</div>");
  }

  private void add(Chart chart) {
    ObjectNode json = data.addObject().put("time", chart.isTime());
    numbers(chart.x(), json.putArray("x"));
    ArrayNode lines = json.putArray("lines");
    for (Chart.Line line : chart.lines()) {
      ObjectNode added = lines.addObject().put("label", line.label());
      numbers(line.values(), added.putArray("y"));
    }
  }

  private static void numbers(ImmutableDoubleArray values, ArrayNode json) {
    for (double value : values.asList()) {
      if (value == Math.rint(value)) {
        json.add((long) value);
      } else {
        json.add(Math.round(value * 1000) / 1000.0);
      }
    }
  }

  private void table(Chart chart) {
    html.markup("<details><summary>Figures</summary>");
    List<String> header = new ArrayList<>();
    header.add(chart.isTime() ? "From" : "Percent");
    chart.lines().forEach(line -> header.add(line.label()));
    head(header);
    int every = Math.max(1, chart.x().length() / TABLE_ROWS);
    for (int i = 0; i < chart.x().length(); i += every) {
      List<String> row = new ArrayList<>();
      row.add(
          chart.isTime()
              ? Instant.ofEpochSecond(Math.round(chart.x().get(i))).toString()
              : number(Math.round(chart.x().get(i))));
      for (Chart.Line line : chart.lines()) {
        row.add(ratio(line.values().get(i)));
      }
      row(row);
    }
    html.markup("</tbody></table></div></details>");
  }

  private void head(List<String> cells) {
    html.markup("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
    cells.forEach(cell -> html.element("th", "scope=\"col\"", cell));
    html.markup("</tr></thead><tbody>");
  }

  private void row(List<String> cells) {
    html.markup("<tr><th scope=\"row\">").name(cells.get(0)).markup("</th>");
    cells.stream().skip(1).forEach(cell -> html.element("td", "", cell));
    html.markup("</tr>");
  }

  private static ImmutableList<String> summaryHeader(String name, String... more) {
    return ImmutableList.<String>builder()
        .add(name, "Jobs", "Finished", "Median wait", "95th percentile", "Longest", "Slowdown")
        .add("Preemptions", "Lost work")
        .add(more)
        .build();
  }

  private static ImmutableList<String> summary(String name, JobSummary jobs, String... more) {
    return ImmutableList.<String>builder()
        .add(
            name,
            number(jobs.jobs()),
            number(jobs.finished()),
            text(jobs.medianWait()),
            text(jobs.wait95()),
            text(jobs.maxWait()),
            ratio(jobs.meanBoundedSlowdown()),
            number(jobs.preemptions()),
            text(jobs.lostWork()))
        .add(more)
        .build();
  }

  private void queues() {
    html.element("h2", "", "ClusterQueues");
    head(summaryHeader("ClusterQueue"));
    result.byClusterQueue().forEach((name, jobs) -> row(summary(name, jobs)));
    html.markup("</tbody></table></div>");
  }

  private void queueCharts() {
    ImmutableList<String> shown = charts.queues();
    int more = result.byClusterQueue().size() - shown.size();
    html.element("h2", "", "Each ClusterQueue over time");
    if (more > 0) {
      html.element(
          "p",
          "class=\"muted\"",
          "The " + shown.size() + " ClusterQueues with most jobs; " + more
              + " more have none here.");
    }
    for (String queue : shown) {
      html.markup("<details class=\"queue\"" + (shown.size() == 1 ? " open=\"open\"" : "")
              + "><summary>")
          .name(queue)
          .markup("</summary>");
      figures(charts.of(queue));
      html.markup("</details>");
    }
  }

  private void users() {
    List<Map.Entry<String, JobSummary>> users = result.byUser().entrySet().stream()
        .sorted(Comparator.<Map.Entry<String, JobSummary>, Duration>comparing(
                user -> user.getValue().wait95())
            .reversed()
            .thenComparing(Map.Entry::getKey))
        .limit(MAX_USERS)
        .toList();
    if (users.isEmpty()) {
      return;
    }
    html.element("h2", "", "Users who waited longest");
    Map<String, JobResult> longest = new HashMap<>();
    for (JobResult job : result.jobs()) {
      job.job()
          .user()
          .ifPresent(user ->
              longest.merge(user, job, (a, b) -> a.waited().compareTo(b.waited()) >= 0 ? a : b));
    }
    html.markup("<div class=\"users\">");
    head(summaryHeader("User", "At the submission of the job that waited longest"));
    users.forEach(user -> row(summary(
        user.getKey(),
        user.getValue(),
        circumstances(requireNonNull(longest.get(user.getKey()))))));
    html.markup("</tbody></table></div></div>");
  }

  /** {@return what was in use, and how many jobs waited, when a job was submitted} */
  private String circumstances(JobResult job) {
    if (job.submitted().isEmpty() || job.waited().isZero()) {
      return "no wait";
    }
    long time = job.submitted().get().toEpochMilli();
    String queue = job.clusterQueue().orElse("");
    StringBuilder text = new StringBuilder(job.job().workload().name() + " in " + queue + ": ");
    StepFunction waiting = result.queueLengths().get(queue);
    text.append(waiting == null ? 0 : waiting.at(time)).append(" jobs waited");
    for (QuotaSeries series : result.quotas()) {
      if (series.clusterQueue().equals(queue)
          && job.job().workload().podSets().stream()
              .anyMatch(pods -> pods.requests().containsKey(series.resource()))) {
        text.append(", ")
            .append(Quantity.format(series.resource(), series.used().at(time)))
            .append(" of ")
            .append(Quantity.format(series.resource(), series.nominal().at(time)))
            .append(' ')
            .append(series.resource())
            .append(" in use in flavor ")
            .append(series.flavor());
      }
    }
    return text.toString();
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String ratio(double value) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%,.2f", value);
  }

  private static String text(Duration duration) {
    return Durations.text(duration);
  }
}
