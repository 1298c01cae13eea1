package io.kueue4j.examples.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.monitoring.ViewTexts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/** A report of a simulation: one page of HTML that needs no network. */
public final class SimulationReport {
  /** The number of users with the reasons of their waits. */
  static final int MAX_USERS = 10;

  /** The number of jobs with the reasons of their waits. */
  private static final int MAX_JOBS = 10;

  /** How many resources of the cluster have a tile. */
  static final int MAX_RESOURCES = 3;

  private static final ImmutableList<String> SUMMARY = ImmutableList.of(
      "Jobs",
      "Finished",
      "Median wait",
      "95th percentile",
      "Longest",
      "Slowdown",
      "Preemptions",
      "Lost work");

  private final Page page;
  private final SimulationResult result;
  private final ReportCharts charts;
  private final Intervals windows;
  private final ImmutableSortedMap<String, DemandSeries> users;
  private final ImmutableMap<String, JobResult> longestWaits;
  private final ImmutableList<JobResult> longestJobs;
  private final EngineStates states;

  private SimulationReport(SimulationResult result, About about, DoubleConsumer progress) {
    this.page = new Page(about);
    this.result = result;
    this.charts = new ReportCharts(result, Intervals.of(ReportCharts.POINTS, result));
    this.windows = Intervals.of(ReportCharts.WINDOWS, result);
    this.users = DemandSeries.by(result, windows, JobResult::user);
    this.longestWaits = Waiters.longestJobs(result, Waiters.longest(result, MAX_USERS));
    this.longestJobs = Waiters.longestJobs(result, MAX_JOBS);
    this.states = EngineStates.of(
        result,
        windows,
        Sets.union(ImmutableSet.copyOf(longestJobs), ImmutableSet.copyOf(longestWaits.values())),
        progress);
  }

  /**
   * {@return the page}
   *
   * @param result what happened in the simulation
   * @param about where the report comes from
   * @param progress receives how much of the simulation has been repeated to ask the engine, from 0
   *     to 1
   */
  public static String write(SimulationResult result, About about, DoubleConsumer progress) {
    return new SimulationReport(result, about, progress).write(about);
  }

  private String write(About about) {
    page.tiles(tiles());
    page.heading("All ClusterQueues");
    page.charts(charts.overview());
    page.heading("Fairness");
    page.note(ReportCharts.FAIRNESS);
    page.charts(charts.fairness(windows, users, states.shares()));
    jobs();
    users();
    page.timeline(Timeline.of(List.of("simulation"), List.of(result)));
    page.heading("ClusterQueues");
    page.table(queues());
    queueCharts();
    return page.end(about, ImmutableMap.of("Digest of all events", result.digest()));
  }

  private ImmutableList<Page.Tile> tiles() {
    JobSummary total = result.total();
    ImmutableList.Builder<Page.Tile> tiles = ImmutableList.builder();
    tiles.add(
        new Page.Tile(
            "Jobs", Texts.number(total.jobs()), Texts.number(total.finished()) + " finished"),
        new Page.Tile(
            "Median wait",
            DurationText.text(total.p50Wait()),
            "mean " + DurationText.text(total.meanWait())),
        new Page.Tile(
            "95th percentile",
            DurationText.text(total.p95Wait()),
            "longest " + DurationText.text(total.maxWait())),
        new Page.Tile(
            "Bounded slowdown",
            Texts.ratio(total.meanBoundedSlowdown()),
            "mean of the jobs that finished"),
        new Page.Tile(
            "Preemptions",
            Texts.number(total.preemptions()),
            DurationText.text(total.lostWork()) + " of work lost"));
    Utilisation.ofCluster(result).stream()
        .limit(MAX_RESOURCES)
        .forEach(all -> tiles.add(
            new Page.Tile("Utilisation of " + all.resource(), all.toString(), all.wanted())));
    return tiles.build();
  }

  private static ImmutableList.Builder<String> summary(String name, JobSummary jobs) {
    return ImmutableList.<String>builder()
        .add(
            name,
            Texts.number(jobs.jobs()),
            Texts.number(jobs.finished()),
            DurationText.text(jobs.p50Wait()),
            DurationText.text(jobs.p95Wait()),
            DurationText.text(jobs.maxWait()),
            Texts.ratio(jobs.meanBoundedSlowdown()),
            Texts.number(jobs.preemptions()),
            DurationText.text(jobs.lostWork()));
  }

  private Page.Table queues() {
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    result
        .by(JobResult::clusterQueue)
        .forEach((name, jobs) -> rows.add(summary(name, jobs).build()));
    rows.add(summary("total", result.total()).build());
    return new Page.Table(
        "ClusterQueues",
        ImmutableList.<String>builder().add("ClusterQueue").addAll(SUMMARY).build(),
        rows.build());
  }

  private void jobs() {
    if (longestJobs.isEmpty()) {
      return;
    }
    page.heading("Jobs that waited longest, and why");
    page.note("The engine was asked at " + EngineStates.ASKED + " times during each wait.");
    boolean arePromised =
        longestJobs.stream().anyMatch(job -> job.promisedStart().isPresent());
    ImmutableList.Builder<String> header =
        ImmutableList.<String>builder().add("Job", "ClusterQueue", "Requests", "Waited");
    if (arePromised) {
      header.add("First promised after");
    }
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    for (JobResult job : longestJobs) {
      ImmutableList.Builder<String> row = ImmutableList.<String>builder()
          .add(
              job.job().workload().name(),
              job.clusterQueue().orElse("none"),
              ViewTexts.amounts(job.job().workload().totalRequests()),
              DurationText.text(job.waited()));
      if (arePromised) {
        row.add(job.promisedStart()
            .map(start -> DurationText.text(Duration.between(job.submitted().orElseThrow(), start)))
            .orElse("–"));
      }
      rows.add(row.add(String.join("\n", states.reasons(job.job().id()))).build());
    }
    page.table(new Page.Table(
        "Jobs that waited longest", header.add("Reasons of the engine").build(), rows.build()));
  }

  private void users() {
    Map<String, JobSummary> summaries = result.by(JobResult::user);
    if (summaries.isEmpty()) {
      return;
    }
    page.heading("Users who waited longest, and why");
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    Waiters.longestFirst(summaries).limit(MAX_USERS).forEach(user -> {
      DemandSeries demand = users.get(user.getKey());
      rows.add(summary(user.getKey(), user.getValue())
          .add(demand == null ? "–" : Texts.percent(demand.meanUsed()))
          .build());
    });
    page.table(new Page.Table(
        "Users who waited longest",
        ImmutableList.<String>builder()
            .add("User")
            .addAll(SUMMARY)
            .add("Mean share")
            .build(),
        rows.build()));
    reasons(page, "Why they waited", longestWaits, states);
  }

  /**
   * Adds the reasons of some waits.
   *
   * @param page the page
   * @param caption what they are
   * @param longestWaits the job of each user that waited longest
   * @param states what the engine says of them
   */
  static void reasons(
      Page page,
      String caption,
      ImmutableMap<String, JobResult> longestWaits,
      EngineStates states) {
    if (longestWaits.isEmpty()) {
      return;
    }
    page.note(caption + ": the engine was asked at " + EngineStates.ASKED
        + " times during the wait of the job of each user that waited longest.");
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    longestWaits.forEach((user, job) -> rows.add(ImmutableList.of(
        user,
        job.job().workload().name(),
        job.clusterQueue().orElse("none"),
        DurationText.text(job.waited()),
        String.join("\n", states.reasons(job.job().id())))));
    page.table(new Page.Table(
        caption,
        ImmutableList.of("User", "Job", "ClusterQueue", "Waited", "Reasons of the engine"),
        rows.build()));
  }

  private void queueCharts() {
    ImmutableList<String> shown = charts.queues();
    int more = result.by(JobResult::clusterQueue).size() - shown.size();
    page.heading("Each ClusterQueue over time");
    if (more > 0) {
      page.note("The " + shown.size() + " ClusterQueues with most jobs; " + more
          + " more have none here.");
    }
    for (String queue : shown) {
      page.beginDetails(queue, shown.size() == 1);
      page.charts(charts.of(queue));
      page.endDetails();
    }
  }
}
