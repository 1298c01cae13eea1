package io.kueue4j.examples.monitoring;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.CohortView.SubtreeUsage;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.monitoring.PageContext.Part;
import java.util.List;

/** The sections of ClusterQueues and cohorts. */
final class QuotaSections {
  /** The anchor of ClusterQueues. */
  static final String QUEUES = "queues";

  /** The anchor of cohorts. */
  static final String COHORTS = "cohorts";

  private static final int PAGE = 20;
  private static final String NONE = "–";

  private final PageContext page;
  private final Html html;
  private final ImmutableList<MonitorView.Queue> shown;

  /**
   * Creates the sections.
   *
   * @param page what the sections share
   * @param ofJobs the ClusterQueues of the jobs that are shown
   */
  QuotaSections(PageContext page, ImmutableSet<String> ofJobs) {
    this.page = page;
    this.html = page.html;
    shown = page.view.queues().stream()
        .filter(queue -> page.query.showsQueue(queue.name(), ofJobs.contains(queue.name())))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the number of quotas that are nearly full, or beyond that} */
  static long tight(MonitorView view) {
    return view.queues().stream()
        .flatMap(queue -> queue.quotas().stream())
        .filter(line -> QuotaLevel.of(line).isTight())
        .count();
  }

  // ----- ClusterQueues

  void writeQueues() {
    Part<MonitorView.Queue> part = page.part(QUEUES, shown, PAGE);
    PageTable table = PageTable.begin(
        html,
        QUEUES,
        "ClusterQueues",
        "Quota and usage of each ClusterQueue",
        "Flavor",
        "Resource",
        "Used",
        "Quota",
        "In use",
        "Borrows",
        "Lends",
        "Available",
        "Usage");
    part.entries().forEach(queue -> writeQueue(queue, table));
    if (part.entries().isEmpty()) {
      table.beginRows();
      table.remark(
          page.view.queues().isEmpty() ? "There is no ClusterQueue." : "No ClusterQueue matches.");
      table.endRows();
    }
    table.end();
    html.markup("<p class=\"legend muted\"><span class=\"key used\"></span> used within the quota "
        + "<span class=\"key borrowed\"></span> borrowed <span class=\"key track\"></span> free. "
        + "Available: what one more job could get, by borrowing too.</p>\n");
    page.pager(part);
    html.markup("</section>\n");
  }

  private void writeQueue(MonitorView.Queue queue, PageTable table) {
    table.beginRows();
    table.beginWideRow();
    page.link(page.query.filter(PageQuery.QUEUE, queue.name()), "", queue.name());
    html.markup(" <span class=\"muted\">");
    queue.cohort().ifPresent(cohort -> html.markup("cohort ").name(cohort).markup(" · "));
    html.text(queue.strategy() + " · " + queue.runningCount() + " running · "
        + queue.waitingCount() + " pending"
        + (queue.inadmissibleCount() == 0
            ? ""
            : " (" + queue.inadmissibleCount() + " inadmissible)"));
    html.markup("</span>");
    queue.inactivity().ifPresent(why -> html.markup(" ").badge("bad", "Inactive: " + why));
    table.endWideRow();
    queue.quotas().forEach(line -> write(line, table));
    if (queue.quotas().isEmpty()) {
      table.remark("No quota");
    }
    table.endRows();
  }

  private void write(QuotaLine line, PageTable table) {
    QuotaUsage usage = line.usage();
    String resource = usage.resource();
    table.beginCompactRow();
    table.nameCell(usage.flavor());
    table.nameCell(resource);
    number(table, resource, usage.used());
    number(table, resource, usage.nominal());
    level(table, usage.nominal(), usage.used(), QuotaLevel.of(line));
    table.cell(
        usage.borrowed() > 0 ? "number warm" : "number muted none",
        usage.borrowed() > 0 ? Quantity.format(resource, usage.borrowed()) : NONE);
    table.cell(line.lentAtMost() > 0 ? "number" : "number muted none", lent(line));
    number(table, resource, usage.available());
    bar(table, usage.flavor(), resource, usage.nominal(), usage.used());
    table.endRow();
  }

  private static String lent(QuotaLine line) {
    String resource = line.usage().resource();
    String most = Quantity.format(resource, line.lentAtMost());
    if (line.lentAtMost() == 0) {
      return NONE;
    }
    if (line.lentAtLeast() == line.lentAtMost()) {
      return most;
    }
    return line.lentAtLeast() == 0
        ? "up to " + most
        : Quantity.format(resource, line.lentAtLeast()) + "–" + most;
  }

  // ----- cohorts

  void writeCohorts() {
    ImmutableSet<String> names =
        shown.stream().map(MonitorView.Queue::name).collect(ImmutableSet.toImmutableSet());
    List<MonitorView.Cohort> cohorts = page.view.cohorts().stream()
        .filter(cohort -> cohort.clusterQueues().stream().anyMatch(names::contains))
        .toList();
    if (cohorts.isEmpty()) {
      return;
    }
    Part<MonitorView.Cohort> part = page.part(COHORTS, cohorts, PAGE);
    PageTable table = PageTable.begin(
        html,
        COHORTS,
        "Cohorts",
        "Quota and usage of all ClusterQueues below each cohort",
        "Flavor",
        "Resource",
        "Used",
        "Quota",
        "In use",
        "Borrowed",
        "Usage");
    part.entries().forEach(cohort -> writeCohort(cohort, table));
    table.end();
    html.markup("<p class=\"legend muted\">Borrowed: what ClusterQueues below the cohort use beyond"
        + " their own quotas.</p>\n");
    page.pager(part);
    html.markup("</section>\n");
  }

  private void writeCohort(MonitorView.Cohort cohort, PageTable table) {
    table.beginRows();
    table.beginWideRow();
    html.name(cohort.name()).markup(" <span class=\"muted\">");
    cohort.parent().ifPresent(parent -> html.markup("below ").name(parent).markup(" · "));
    int queues = cohort.clusterQueues().size();
    html.text(queues + (queues == 1 ? " ClusterQueue" : " ClusterQueues")).markup("</span>");
    table.endWideRow();
    for (MonitorView.CohortQuota quota : cohort.quotas()) {
      SubtreeUsage usage = quota.usage();
      table.beginCompactRow();
      table.nameCell(usage.flavor());
      table.nameCell(usage.resource());
      number(table, usage.resource(), usage.used());
      number(table, usage.resource(), usage.quota());
      level(table, usage.quota(), usage.used(), QuotaLevel.of(usage.quota(), usage.used()));
      table.cell(
          quota.borrowed() > 0 ? "number warm" : "number muted none",
          quota.borrowed() > 0 ? Quantity.format(usage.resource(), quota.borrowed()) : NONE);
      bar(table, usage.flavor(), usage.resource(), usage.quota(), usage.used());
      table.endRow();
    }
    if (cohort.quotas().isEmpty()) {
      table.remark("No quota");
    }
    table.endRows();
  }

  // ----- cells

  private static void number(PageTable table, String resource, long amount) {
    table.cell("number", Quantity.format(resource, amount));
  }

  private void level(PageTable table, long quota, long used, QuotaLevel level) {
    table.beginCell("number").text(quota > 0 ? QuotaLevel.percent(quota, used) + " %" : NONE);
    if (level.isTight()) {
      html.markup(" ").badge(level.style(), level.mark());
    }
    table.endCell();
  }

  private void bar(PageTable table, String flavor, String resource, long quota, long used) {
    table.beginCell("usage");
    UsageBar.add(flavor, resource, quota, used, html);
    table.endCell();
  }
}
