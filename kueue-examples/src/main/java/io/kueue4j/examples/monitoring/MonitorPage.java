package io.kueue4j.examples.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.decision.QuotaUsage;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Quantity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes a {@link MonitorView} as a self-contained page of HTML: without scripts, fonts or pictures
 * from elsewhere. It is also well-formed XML.
 */
public final class MonitorPage {
  private static final String STYLE = resource("monitor.css");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
          "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  private static final String HEAD = """
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      """;

  private final MonitorView view;
  private final Html html = new Html();

  private MonitorPage(MonitorView view) {
    this.view = view;
  }

  /**
   * {@return the page}
   *
   * @param view the content
   * @param title its title
   */
  public static String write(MonitorView view, String title) {
    return new MonitorPage(view).write(title, Duration.ZERO);
  }

  /** {@return the page, which the browser reloads after {@code interval}} */
  static String write(MonitorView view, String title, Duration interval) {
    return new MonitorPage(view).write(title, interval);
  }

  private String write(String title, Duration interval) {
    html.markup(HEAD);
    if (!interval.isZero()) {
      html.markup("<meta http-equiv=\"refresh\" content=\"" + interval.toSeconds() + "\"/>\n");
    }
    html.element("title", "", title).markup("\n<style>\n" + STYLE + "</style>\n</head>\n<body>\n");
    html.markup("<header><div>").element("h1", "", title);
    html.markup("<p class=\"muted\">As of ")
        .element("time", "datetime=\"" + view.time() + "\"", TIME.format(view.time()))
        .markup("</p></div></header>\n<main>\n");
    writeWarnings();
    writeSummary();
    writeQueues();
    writeCohorts();
    writeWaiting();
    writeRunning();
    return html.markup("</main>\n</body>\n</html>\n").toString();
  }

  // ----- parts

  private void writeWarnings() {
    if (!view.warnings().isEmpty()) {
      html.markup("<section aria-labelledby=\"warnings\">\n")
          .element("h2", "id=\"warnings\"", "Warnings")
          .markup("\n<ul>\n");
      view.warnings()
          .forEach(text ->
              html.markup("<li>").element("span", "class=\"badge bad\"", text).markup("</li>\n"));
      html.markup("</ul>\n</section>\n");
    }
  }

  private void writeSummary() {
    int pending =
        view.queues().stream().mapToInt(MonitorView.Queue::pendingCount).sum();
    int inadmissible =
        view.queues().stream().mapToInt(MonitorView.Queue::inadmissibleCount).sum();
    long active =
        view.queues().stream().filter(queue -> queue.inactivity().isEmpty()).count();
    html.markup("<dl class=\"tiles\">\n");
    tile("ClusterQueues", view.queues().size(), active + " active");
    tile("Running", view.running().size() + view.otherRunningCount(), "hold quota");
    tile("Pending", pending, "are tried in their turn");
    tile("Inadmissible", inadmissible, "wait for a change");
    html.markup("</dl>\n");
  }

  private void tile(String name, int count, String remark) {
    html.markup("<div>")
        .element("dt", "", name)
        .element("dd", "class=\"count\"", count)
        .element("dd", "class=\"muted\"", remark)
        .markup("</div>\n");
  }

  private void writeQueues() {
    begin("queues", "ClusterQueues", "Quota and usage of each ClusterQueue");
    html.headings("Queue", "Flavor", "Resource", "Used", "Quota", "Borrowed", "Usage");
    view.queues().forEach(this::writeQueue);
    end(view.queues().isEmpty(), 7, "There is no ClusterQueue.");
    html.markup("<p class=\"legend muted\"><span class=\"key used\"></span> used within the quota "
        + "<span class=\"key borrowed\"></span> borrowed <span class=\"key track\"></span> free"
        + "</p>\n");
  }

  private void writeQueue(MonitorView.Queue queue) {
    html.markup("<tbody>");
    int rows = Math.max(1, queue.usage().size());
    for (int i = 0; i < rows; i++) {
      html.markup("<tr>");
      if (i == 0) {
        html.markup("<th scope=\"rowgroup\" rowspan=\"" + rows + "\">").name(queue.name());
        html.markup("<span class=\"muted note\">");
        queue.cohort().ifPresent(cohort -> html.markup("cohort ").name(cohort).markup(" · "));
        html.text(queue.strategy() + " · " + queue.runningCount() + " running, "
            + queue.pendingCount() + " pending, " + queue.inadmissibleCount() + " inadmissible");
        html.markup("</span>");
        queue
            .inactivity()
            .ifPresent(why -> html.element("span", "class=\"badge bad\"", "Inactive: " + why));
        html.markup("</th>");
      }
      if (i < queue.usage().size()) {
        writeUsage(queue.usage().get(i));
      } else {
        html.element("td", "colspan=\"6\" class=\"muted\"", "No quota");
      }
      html.markup("</tr>");
    }
    html.markup("</tbody>\n");
  }

  private void writeUsage(QuotaUsage usage) {
    String resource = usage.resource();
    html.keyCell(usage.flavor()).keyCell(resource);
    number(resource, usage.used());
    number(resource, usage.nominal());
    if (usage.borrowed() > 0) {
      html.element("td", "class=\"number warm\"", Quantity.format(resource, usage.borrowed()));
    } else {
      html.element("td", "class=\"number muted\"", "–");
    }
    bar(usage.flavor(), resource, usage.nominal(), usage.used());
  }

  private void writeCohorts() {
    if (view.cohorts().isEmpty()) {
      return;
    }
    begin("cohorts", "Cohorts", "Quota and usage of all queues below each cohort");
    html.headings("Cohort", "Flavor", "Resource", "Used", "Quota", "Usage");
    for (CohortView cohort : view.cohorts()) {
      html.markup("<tbody>");
      int rows = Math.max(1, cohort.usage().size());
      for (int i = 0; i < rows; i++) {
        html.markup("<tr>");
        if (i == 0) {
          html.markup("<th scope=\"rowgroup\" rowspan=\"" + rows + "\">").name(cohort.name());
          html.markup("<span class=\"muted note\">");
          cohort.parent().ifPresent(parent -> html.markup("below ").name(parent).markup(" · "));
          int queues = cohort.clusterQueues().size();
          html.text(queues + (queues == 1 ? " ClusterQueue" : " ClusterQueues"))
              .markup("</span></th>");
        }
        if (i < cohort.usage().size()) {
          writeUsage(cohort.usage().get(i));
        } else {
          html.element("td", "colspan=\"5\" class=\"muted\"", "No quota");
        }
        html.markup("</tr>");
      }
      html.markup("</tbody>\n");
    }
    end(false, 6, "");
  }

  private void writeUsage(CohortView.SubtreeUsage usage) {
    html.keyCell(usage.flavor()).keyCell(usage.resource());
    number(usage.resource(), usage.used());
    number(usage.resource(), usage.quota());
    bar(usage.flavor(), usage.resource(), usage.quota(), usage.used());
  }

  private void writeWaiting() {
    begin("waiting", "Waiting workloads", "Workloads that wait, in the order of service");
    html.headings(
        "Workload", "ClusterQueue", "Position", "State", "Priority", "Requests", "Waits for");
    html.markup("<tbody>");
    for (MonitorView.Waiting waiting : view.waiting()) {
      html.markup("<tr>");
      writeWorkload(waiting.workload());
      html.nameCell(waiting.clusterQueue());
      html.element("td", "class=\"number\"", waiting.position() + 1);
      badgeCell(waiting.isActive(), waiting.isActive() ? "Pending" : "Inadmissible");
      html.element("td", "class=\"number\"", waiting.workload().priority());
      html.element("td", "", amounts(waiting.requests()));
      html.markup("<td><ul>");
      waiting.reasons().forEach(reason -> html.element("li", "", reason));
      html.markup("</ul></td></tr>\n");
    }
    html.markup("</tbody>");
    end(view.waiting().isEmpty(), 7, "Nothing waits.");
    more(view.otherWaitingCount());
  }

  private void writeRunning() {
    begin("running", "Running workloads", "Workloads that hold quota, the oldest of a queue first");
    html.headings("Workload", "ClusterQueue", "State", "Priority", "Since", "Holds");
    html.markup("<tbody>");
    for (MonitorView.Running running : view.running()) {
      html.markup("<tr>");
      writeWorkload(running.workload());
      html.nameCell(running.clusterQueue());
      badgeCell(running.state() == MonitorView.State.ADMITTED, running.state());
      html.element("td", "class=\"number\"", running.workload().priority());
      html.markup("<td>")
          .element("time", "datetime=\"" + running.since() + "\"", TIME.format(running.since()))
          .element("span", "class=\"muted note\"", age(running.since()))
          .markup("</td>");
      html.element("td", "", held(running.quota())).markup("</tr>\n");
    }
    html.markup("</tbody>");
    end(view.running().isEmpty(), 6, "Nothing runs.");
    more(view.otherRunningCount());
  }

  private void writeWorkload(Workload workload) {
    html.markup("<th scope=\"row\">").name(workload.name());
    html.markup("<span class=\"muted note\">").name(workload.namespace());
    html.markup(" · ").name(workload.queueName()).markup("</span></th>");
  }

  // ----- basic elements

  private void begin(String id, String heading, String caption) {
    html.markup("<section aria-labelledby=\"" + id + "\">\n")
        .element("h2", "id=\"" + id + "\"", heading)
        .markup("\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"" + id
            + "\"><table>\n")
        .element("caption", "", caption)
        .markup("\n");
  }

  private void end(boolean empty, int columns, String remark) {
    if (empty) {
      html.markup("<tbody><tr>")
          .element("td", "class=\"muted\" colspan=\"" + columns + "\"", remark)
          .markup("</tr></tbody>");
    }
    html.markup("</table></div>\n</section>\n");
  }

  private void more(int count) {
    if (count > 0) {
      html.element("p", "class=\"muted\"", "and " + count + " more").markup("\n");
    }
  }

  private void number(String resource, long amount) {
    html.element("td", "class=\"number\"", Quantity.format(resource, amount));
  }

  private void badgeCell(boolean good, Object text) {
    html.markup("<td>")
        .element("span", "class=\"badge " + (good ? "good" : "idle") + "\"", text)
        .markup("</td>");
  }

  private void bar(String flavor, String resource, long quota, long used) {
    html.markup("<td class=\"usage\">");
    UsageBar.add(flavor, resource, quota, used, html);
    html.markup("</td>");
  }

  private static String amounts(Map<String, Long> amounts) {
    return amounts.entrySet().stream()
        .map(entry -> Quantity.format(entry.getKey(), entry.getValue()) + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  private static String held(ImmutableList<HeldQuota> quota) {
    return quota.stream()
        .map(held -> Quantity.format(held.resource(), held.amount()) + " " + held.resource()
            + " of " + held.flavor())
        .collect(Collectors.joining(", "));
  }

  private String age(Instant since) {
    Duration age = Duration.between(since, view.time());
    if (age.toDays() > 0) {
      return age.toDays() + " d " + age.toHoursPart() + " h";
    }
    if (age.toHours() > 0) {
      return age.toHours() + " h " + age.toMinutesPart() + " min";
    }
    return age.toMinutes() > 0
        ? age.toMinutes() + " min " + age.toSecondsPart() + " s"
        : Math.max(0, age.toSeconds()) + " s";
  }

  private static String resource(String name) {
    try {
      return Resources.toString(Resources.getResource(MonitorPage.class, name), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
