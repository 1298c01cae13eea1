package io.kueue4j.examples.monitoring;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.examples.monitoring.PageContext.Part;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The sections of pending and running jobs, and of what the pending ones wait for. */
final class JobSections {
  /** The anchor of groups of reasons. */
  static final String REASONS = "reasons";

  /** The anchor of pending jobs. */
  static final String WAITING = "waiting";

  /** The anchor of the jobs that wait longest. */
  static final String LONGEST = "longest";

  /** The anchor of running jobs. */
  static final String RUNNING = "running";

  private static final int PAGE = 50;
  private static final int GROUPS = 20;
  private static final int MOST_LONGEST = 10;
  private static final String START = "Starts at the latest";

  private final PageContext page;
  private final Html html;
  private final ImmutableList<ReasonGroup> groups;
  private final ImmutableList<MonitorView.Waiting> waiting;
  private final ImmutableList<MonitorView.Running> running;
  private final boolean hasPromises;

  JobSections(PageContext page) {
    this.page = page;
    this.html = page.html;
    ImmutableList<MonitorView.Waiting> shown = page.view.waiting().stream()
        .filter(job -> page.query.shows(job.job(), job.localQueue(), job.clusterQueue()))
        .collect(ImmutableList.toImmutableList());
    groups = ReasonGroup.of(shown);
    waiting = page.query.has(PageQuery.REASON)
        ? groups.stream()
            .filter(group -> group.key().equals(page.query.get(PageQuery.REASON)))
            .findFirst()
            .map(ReasonGroup::jobs)
            .orElse(ImmutableList.of())
        : shown;
    hasPromises = waiting.stream().anyMatch(job -> job.promise().isPresent());
    running = page.query.has(PageQuery.REASON)
        ? ImmutableList.of()
        : page.view.running().stream()
            .filter(job -> page.query.shows(job.job(), job.localQueue(), job.clusterQueue()))
            .collect(ImmutableList.toImmutableList());
  }

  /** {@return the ClusterQueues of the jobs that are shown} */
  ImmutableSet<String> clusterQueues() {
    return Stream.concat(
            waiting.stream().map(MonitorView.Waiting::clusterQueue),
            running.stream().map(MonitorView.Running::clusterQueue))
        .collect(ImmutableSet.toImmutableSet());
  }

  // ----- reasons

  /** {@return whether there is a section of reasons} */
  boolean hasReasons() {
    return !groups.isEmpty() && !page.query.has(PageQuery.REASON);
  }

  void writeReasons() {
    if (!hasReasons()) {
      return;
    }
    Part<ReasonGroup> part = page.part(REASONS, groups, GROUPS);
    PageTable table = PageTable.begin(
        html,
        REASONS,
        "Why jobs wait",
        "Pending jobs by what they wait for, most jobs first",
        "Jobs",
        "ClusterQueue",
        "Wait for",
        "Held by",
        "Would help");
    table.beginRows();
    part.entries().forEach(group -> write(group, table));
    table.endRows();
    table.end();
    page.pager(part);
    html.markup("</section>\n");
  }

  private void write(ReasonGroup group, PageTable table) {
    table.beginRow();
    table.beginName();
    int count = group.jobs().size();
    page.link(
        page.query.filter(PageQuery.REASON, group.key()),
        "#" + WAITING,
        count + (count == 1 ? " job" : " jobs"));
    table.endName();
    table.nameCell(group.clusterQueue().isEmpty() ? "–" : group.clusterQueue());
    table.beginCell("").list(translate(group.texts()));
    table.endCell();
    table.beginCell("").list(group.holders(page.names));
    table.endCell();
    table.beginCell("");
    MonitorView.Waiting first = group.jobs().get(0);
    if (page.isServed && first.explanation().isPresent()) {
      page.link(
          page.query.withoutFilter().with(PageQuery.JOB, first.job().toString()),
          "#remedies",
          "for " + first.job().name());
    } else {
      first
          .explanation()
          .flatMap(Explanation::remedy)
          .ifPresent(remedy -> html.text(first.job().name() + " would be admitted if: "
              + page.names.translate(remedy.message())));
    }
    table.endCell();
    table.endRow();
  }

  private List<String> translate(List<String> texts) {
    return texts.stream().map(page.names::translate).toList();
  }

  // ----- pending jobs

  void writeWaiting() {
    Part<MonitorView.Waiting> part = page.part(WAITING, waiting, PAGE);
    PageTable table = beginWaiting(
        WAITING, "Pending jobs", "Jobs that wait, in the order of service of each ClusterQueue");
    part.entries().forEach(job -> write(job, table));
    if (waiting.isEmpty()) {
      table.remark(page.query.filters() ? "No pending job matches." : "Nothing waits.");
    }
    table.endRows();
    table.end();
    page.pager(part);
    html.markup("</section>\n");
  }

  /** {@return whether so many jobs wait that the longest waits are not seen among them} */
  boolean hasLongest() {
    return waiting.stream().filter(job -> job.since().isPresent()).count() > MOST_LONGEST;
  }

  void writeLongest() {
    if (!hasLongest()) {
      return;
    }
    PageTable table = beginWaiting(
        LONGEST, "Longest waits", "The pending jobs that have waited longest, the oldest first");
    waiting.stream()
        .filter(job -> job.since().isPresent())
        .sorted(Comparator.comparing(job -> job.since().orElseThrow()))
        .limit(MOST_LONGEST)
        .forEach(job -> write(job, table));
    table.endRows();
    table.end();
    html.markup("</section>\n");
  }

  private PageTable beginWaiting(String id, String heading, String caption) {
    ImmutableList.Builder<String> headings = ImmutableList.<String>builder()
        .add("Job", "ClusterQueue", "Position", "State", "Priority", "Age");
    if (hasPromises) {
      headings.add(START);
    }
    headings.add("Requests", "Waits for");
    PageTable table = PageTable.begin(html, id, heading, caption, headings.build());
    table.beginRows();
    return table;
  }

  private void write(MonitorView.Waiting job, PageTable table) {
    table.beginCompactRow();
    table.beginName();
    page.job(job.job(), job.localQueue());
    table.endName();
    table.nameCell(job.clusterQueue().isEmpty() ? "–" : job.clusterQueue());
    table.cell(
        "number", job.position().isPresent() ? String.valueOf(job.position().getAsInt() + 1) : "–");
    table.beginCell("").badge(style(job.state()), job.state());
    table.endCell();
    table.cell("number", job.priority());
    table.beginCell("number");
    job.since().ifPresentOrElse(page::since, () -> html.text("–"));
    table.endCell();
    if (hasPromises) {
      table.cell("long", job.promise().map(JobSections::start).orElse("–"));
    }
    table.cell("long", ViewTexts.amounts(job.requests()));
    table.beginCell("long").list(translate(job.texts()));
    table.endCell();
    table.endRow();
  }

  private static String start(Promise promise) {
    return PageContext.format(promise.start()) + ViewTexts.basis(promise);
  }

  private static String style(MonitorView.WaitState state) {
    return switch (state) {
      case PENDING -> "good";
      case INADMISSIBLE, DELAYED -> "warn";
      case NOT_QUEUED, REJECTED -> "bad";
    };
  }

  // ----- running jobs

  void writeRunning() {
    Part<MonitorView.Running> part = page.part(RUNNING, running, PAGE);
    PageTable table = PageTable.begin(
        html,
        RUNNING,
        "Running jobs",
        "Jobs that hold quota, the oldest of a ClusterQueue first",
        "Job",
        "ClusterQueue",
        "State",
        "Priority",
        "Age",
        "Holds");
    table.beginRows();
    for (MonitorView.Running job : part.entries()) {
      table.beginCompactRow();
      table.beginName();
      page.job(job.job(), job.localQueue());
      table.endName();
      table.nameCell(job.clusterQueue());
      table.beginCell("").badge(style(job.state()), job.state());
      table.endCell();
      table.cell("number", job.priority());
      table.beginCell("number");
      page.since(job.since());
      table.endCell();
      table.cell("long", PageContext.held(job.quota()));
      table.endRow();
    }
    if (running.isEmpty()) {
      table.remark(page.query.filters() ? "No running job matches." : "Nothing runs.");
    }
    table.endRows();
    table.end();
    page.pager(part);
    html.markup("</section>\n");
  }

  private static String style(MonitorView.State state) {
    return state == MonitorView.State.ADMITTED ? "good" : "warn";
  }

  // ----- one job

  /** Writes one job with all that is known of it, and what would help. */
  void writeJob(String name) {
    html.markup("<p>").link(page.query.withoutFilter().address(), "← all jobs").markup("</p>\n");
    Optional<MonitorView.Waiting> pending = page.view.waiting().stream()
        .filter(job -> job.job().toString().equals(name))
        .findFirst();
    Optional<MonitorView.Running> held = page.view.running().stream()
        .filter(job -> job.job().toString().equals(name))
        .findFirst();
    html.markup("<section aria-labelledby=\"job\">\n<h2 id=\"job\">").name(name).markup("</h2>\n");
    if (pending.isPresent()) {
      write(pending.get());
    } else if (held.isPresent()) {
      write(held.get());
    } else {
      html.element(
          "p", "", "There is no pending or running job of that name; it may have finished.");
    }
    html.markup("</section>\n");
  }

  private void write(MonitorView.Waiting job) {
    html.markup("<dl class=\"facts\">\n");
    fact("State", job.state());
    fact("LocalQueue", job.localQueue());
    fact("ClusterQueue", job.clusterQueue().isEmpty() ? "–" : job.clusterQueue());
    job.position()
        .ifPresent(position ->
            fact("Position", (position + 1) + " in the ClusterQueue, " + position + " before it"));
    fact("Priority", job.priority());
    job.since().ifPresent(since -> fact("Created", PageContext.format(since)));
    fact("Requests", ViewTexts.amounts(job.requests()));
    job.promise().ifPresent(promise -> fact(START, start(promise)));
    job.explanation()
        .flatMap(Explanation::preemptedBy)
        .ifPresent(by -> fact("Preempted for", page.names.translate(by.toString())));
    html.markup("</dl>\n");
    part("why", "Waits for", translate(job.texts()));
    part("holders", "Held by", ReasonGroup.holders(job, page.names));
    job.explanation().ifPresent(this::writeRemedies);
  }

  private void writeRemedies(Explanation explanation) {
    List<String> remedies = explanation.remedies().stream()
        .map(Remedy::message)
        .map(page.names::translate)
        .toList();
    part(
        "remedies",
        "Would be admitted if",
        remedies.isEmpty()
            ? ImmutableList.of("no single change that the engine knows would admit it")
            : remedies);
  }

  private void write(MonitorView.Running job) {
    html.markup("<dl class=\"facts\">\n");
    fact("State", job.state());
    fact("LocalQueue", job.localQueue());
    fact("ClusterQueue", job.clusterQueue());
    fact("Priority", job.priority());
    fact("Quota reserved", PageContext.format(job.since()));
    fact("Holds", PageContext.held(job.quota()));
    html.markup("</dl>\n");
  }

  private void fact(String name, Object value) {
    html.markup("<div>").element("dt", "", name).markup("<dd>").name(value.toString());
    html.markup("</dd></div>\n");
  }

  private void part(String id, String heading, List<String> texts) {
    if (!texts.isEmpty()) {
      html.element("h3", "id=\"" + id + "\"", heading).markup("\n").list(texts).markup("\n");
    }
  }
}
