package io.kueue4j.examples.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.stream.Collector;
import java.util.stream.Stream;

/**
 * Writes a {@link MonitorView} as a self-contained page of HTML: without scripts, fonts or pictures
 * from elsewhere. It is also well-formed XML.
 *
 * <p>A page that is served has a filter, pages of long lists, and a page of its own for each job;
 * one in a file shows the beginning of long lists.
 */
public final class MonitorPage {
  private static final String STYLE = resource("monitor.css");
  private static final String HEAD = """
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      """;

  /** The source of the style in a content security policy. */
  static final String STYLE_SOURCE = "'sha256-"
      + BaseEncoding.base64()
          .encode(Hashing.sha256().hashString("\n" + STYLE, UTF_8).asBytes())
      + "'";

  private final PageContext page;
  private final MonitorView view;
  private final Html html;

  private MonitorPage(PageContext page) {
    this.page = page;
    this.view = page.view;
    this.html = page.html;
  }

  /**
   * {@return the page for a file}
   *
   * @param view the content
   * @param title its title
   */
  public static String write(MonitorView view, String title) {
    return new MonitorPage(new PageContext(view, PageQuery.ALL, false)).write(title, Duration.ZERO);
  }

  /** {@return the page for a server, which the browser reloads after {@code interval}} */
  static String serve(MonitorView view, String title, PageQuery query, Duration interval) {
    return new MonitorPage(new PageContext(view, query, true)).write(title, interval);
  }

  private String write(String title, Duration interval) {
    boolean reloads =
        !interval.isZero() && !page.query.has(PageQuery.PAUSE) && !page.query.has(PageQuery.JOB);
    html.markup(HEAD);
    if (reloads) {
      html.markup("<meta http-equiv=\"refresh\" content=\"" + interval.toSeconds() + "\"/>\n");
    }
    html.element("title", "", title)
        .markup("\n<style>\n" + STYLE + "</style>\n</head>\n<body>\n<header><div>")
        .element("h1", "", title)
        .markup("<p class=\"muted\">As of ")
        .element("time", "datetime=\"" + view.time() + "\"", PageContext.format(view.time()));
    if (page.isServed && !page.query.has(PageQuery.JOB)) {
      html.markup(" · ").text(reloads ? "reloads every " + interval.toSeconds() + " s, " : "");
      html.link(
          page.query.with(PageQuery.PAUSE, reloads ? "1" : "").address(),
          reloads ? "pause" : "reload every " + interval.toSeconds() + " s");
    }
    html.markup("</p></div></header>\n");
    if (page.query.has(PageQuery.JOB)) {
      html.markup("<main>\n");
      new JobSections(page).writeJob(page.query.get(PageQuery.JOB));
    } else {
      writeAll();
    }
    return html.markup("</main>\n</body>\n</html>\n").toString();
  }

  private void writeAll() {
    JobSections jobs = new JobSections(page);
    QuotaSections quotas = new QuotaSections(page, jobs.clusterQueues());
    html.markup("<nav aria-label=\"Sections\"><div>");
    if (jobs.hasReasons()) {
      html.link("#" + JobSections.REASONS, "Why jobs wait");
    }
    html.link("#" + QuotaSections.QUEUES, "ClusterQueues")
        .link("#" + JobSections.WAITING, "Pending jobs");
    if (jobs.hasLongest()) {
      html.link("#" + JobSections.LONGEST, "Longest waits");
    }
    html.link("#" + JobSections.RUNNING, "Running jobs").markup("</div></nav>\n<main>\n");
    writeWarnings();
    writeProblems();
    writeSummary();
    if (page.isServed) {
      writeFilter();
    }
    jobs.writeReasons();
    if (page.query.filters()) {
      // The jobs that were searched for come first.
      jobs.writeWaiting();
      jobs.writeLongest();
      jobs.writeRunning();
      quotas.writeQueues();
      quotas.writeCohorts();
    } else {
      quotas.writeQueues();
      quotas.writeCohorts();
      jobs.writeWaiting();
      jobs.writeLongest();
      jobs.writeRunning();
    }
  }

  // ----- warnings and problems

  private void writeWarnings() {
    if (!view.warnings().isEmpty()) {
      html.markup("<section aria-labelledby=\"warnings\" class=\"alarm\">\n")
          .element("h2", "id=\"warnings\"", "Warnings")
          .markup("\n")
          .list(view.warnings())
          .markup("\n</section>\n");
    }
  }

  private void writeProblems() {
    if (view.problems().isEmpty()) {
      return;
    }
    PageTable table = PageTable.begin(
        html,
        "problems",
        "Problems of configuration",
        "Objects that are not used, or not as written",
        "Object",
        "Problem");
    table.beginRows();
    PageContext.Part<String> part =
        page.part("problems", view.problems().keySet().asList(), 20);
    for (String object : part.entries()) {
      table.beginRow();
      table.beginName();
      html.name(object);
      table.endName();
      table.cell("", view.problems().getOrDefault(object, ""));
      table.endRow();
    }
    table.endRows();
    table.end();
    page.pager(part);
    html.markup("</section>\n");
  }

  // ----- summary and filter

  private void writeSummary() {
    long active =
        view.queues().stream().filter(queue -> queue.inactivity().isEmpty()).count();
    html.markup("<dl class=\"tiles\">\n");
    tile("Running", view.running().size(), "hold quota");
    tile("Pending", view.waiting().size() - count(MonitorView.WaitState.REJECTED), pending());
    tile(
        "Inadmissible",
        count(MonitorView.WaitState.INADMISSIBLE),
        "pending, but wait for a change");
    if (count(MonitorView.WaitState.REJECTED) > 0) {
      tile("Rejected", count(MonitorView.WaitState.REJECTED), "break rules");
    }
    tile("ClusterQueues", view.queues().size(), active + " active");
    tile("Tight quotas", QuotaSections.tight(view), "nearly full, full, borrowing or lent out");
    html.markup("</dl>\n");
  }

  private String pending() {
    long outside = count(MonitorView.WaitState.NOT_QUEUED);
    long delayed = count(MonitorView.WaitState.DELAYED);
    return "wait for quota"
        + (outside == 0 ? "" : ", " + outside + " in no queue")
        + (delayed == 0 ? "" : ", " + delayed + " delayed");
  }

  private long count(MonitorView.WaitState state) {
    return view.waiting().stream().filter(job -> job.state() == state).count();
  }

  private void tile(String name, long count, String remark) {
    html.markup("<div>")
        .element("dt", "", name)
        .element("dd", "class=\"count\"", count)
        .element("dd", "class=\"muted\"", remark)
        .markup("</div>\n");
  }

  private void writeFilter() {
    PageQuery query = page.query;
    html.markup("<form method=\"get\" role=\"search\" aria-label=\"Filter\">\n")
        .markup("<label>Search <input type=\"search\" name=\"" + PageQuery.TEXT + "\" value=\""
            + Html.escape(query.get(PageQuery.TEXT)) + "\" placeholder=\"name of a job or queue\"/>"
            + "</label>\n");
    select(
        PageQuery.QUEUE,
        "ClusterQueue",
        view.queues().stream().map(MonitorView.Queue::name).collect(sorted()));
    select(
        PageQuery.NAMESPACE,
        "Namespace",
        Stream.concat(
                view.waiting().stream().map(MonitorView.Waiting::job),
                view.running().stream().map(MonitorView.Running::job))
            .map(JobName::namespace)
            .collect(sorted()));
    if (query.has(PageQuery.PAUSE)) {
      html.markup("<input type=\"hidden\" name=\"" + PageQuery.PAUSE + "\" value=\"1\"/>\n");
    }
    html.markup("<button>Show</button>\n");
    if (query.filters()) {
      html.link(query.withoutFilter().address(), "Show all");
    }
    html.markup("</form>\n");
    if (query.has(PageQuery.REASON)) {
      html.element("p", "class=\"muted\"", "Only jobs that wait for the same are shown.");
    }
  }

  private static Collector<String, ?, ImmutableSortedSet<String>> sorted() {
    return ImmutableSortedSet.toImmutableSortedSet(String::compareTo);
  }

  private void select(String parameter, String label, ImmutableSortedSet<String> names) {
    String chosen = page.query.get(parameter);
    html.markup("<label>" + label + " <select name=\"" + parameter + "\"><option value=\"\">all"
        + "</option>");
    if (!chosen.isEmpty() && !names.contains(chosen)) {
      option(chosen, true);
    }
    names.forEach(name -> option(name, name.equals(chosen)));
    html.markup("</select></label>\n");
  }

  private void option(String name, boolean isChosen) {
    html.element(
        "option",
        "value=\"" + Html.escape(name) + "\"" + (isChosen ? " selected=\"selected\"" : ""),
        name);
  }

  private static String resource(String name) {
    try {
      return Resources.toString(Resources.getResource(MonitorPage.class, name), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
