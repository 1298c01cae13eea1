package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.Comparison.SummaryPair;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.SimulationResult;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.function.Function;

/** A report of two simulations side by side: one page of HTML that needs no network. */
public final class ComparisonReport {
  private static final ImmutableList<String> TITLES = ImmutableList.of("before", "after");
  private static final ImmutableList<String> SUMMARY = ImmutableList.of(
      "Jobs",
      "Finished",
      "Mean wait",
      "Difference",
      "Median wait",
      "95th percentile",
      "Longest",
      "Slowdown",
      "Preemptions",
      "Lost work");

  /** One of the two simulations. */
  private record Side(
      ReportCharts charts,
      ImmutableSortedMap<String, DemandSeries> users,
      ImmutableMap<String, JobResult> longestWaits,
      EngineStates states) {}

  private final Page page;
  private final Comparison comparison;
  private final Intervals windows;
  private final ImmutableList<Map.Entry<String, SummaryPair>> users;
  private final Side before;
  private final Side after;

  private ComparisonReport(Comparison comparison, About about, DoubleConsumer progress) {
    SimulationResult base = comparison.base();
    SimulationResult other = comparison.other();
    this.page = new Page(about);
    this.comparison = comparison;
    this.windows = Intervals.of(ReportCharts.WINDOWS, base, other);
    this.users = byDifference(comparison.by(JobResult::user));
    Intervals samples = Intervals.of(ReportCharts.POINTS, base, other);
    this.before = side(base, samples, winners(), part -> progress.accept(part / 2));
    this.after = side(other, samples, losers(), part -> progress.accept((1 + part) / 2));
  }

  /**
   * {@return the page}
   *
   * @param comparison the results
   * @param about where the report comes from
   * @param progress receives how much of both simulations has been repeated to ask the engine, from
   *     0 to 1
   */
  public static String write(Comparison comparison, About about, DoubleConsumer progress) {
    return new ComparisonReport(comparison, about, progress).write(about);
  }

  private Side side(
      SimulationResult result,
      Intervals samples,
      ImmutableList<Map.Entry<String, SummaryPair>> explained,
      DoubleConsumer progress) {
    ImmutableMap<String, JobResult> longest = Waiters.longestJobs(
        result, explained.stream().map(Map.Entry::getKey).collect(toImmutableList()));
    return new Side(
        new ReportCharts(result, samples),
        DemandSeries.by(result, windows, JobResult::user),
        longest,
        EngineStates.of(result, windows, longest.values(), progress));
  }

  /** {@return the groups whose mean wait differs, those that wait longer first} */
  private static ImmutableList<Map.Entry<String, SummaryPair>> byDifference(
      Map<String, SummaryPair> groups) {
    return groups.entrySet().stream()
        .filter(group -> !difference(group.getValue()).isZero())
        .sorted(Comparator.<Map.Entry<String, SummaryPair>, Duration>comparing(
                group -> difference(group.getValue()))
            .reversed()
            .thenComparing(Map.Entry::getKey))
        .collect(toImmutableList());
  }

  private ImmutableList<Map.Entry<String, SummaryPair>> losers() {
    return users.stream()
        .filter(user -> difference(user.getValue()).compareTo(Duration.ZERO) > 0)
        .limit(SimulationReport.MAX_USERS)
        .collect(toImmutableList());
  }

  private ImmutableList<Map.Entry<String, SummaryPair>> winners() {
    return users.reverse().stream()
        .filter(user -> difference(user.getValue()).isNegative())
        .limit(SimulationReport.MAX_USERS)
        .collect(toImmutableList());
  }

  private static Duration difference(SummaryPair pair) {
    return pair.other().meanWait().minus(pair.base().meanWait());
  }

  private String write(About about) {
    page.tiles(tiles());
    page.heading("First difference");
    page.note(comparison
        .firstDivergence()
        .map(Texts::difference)
        .orElse("The change makes no difference."));
    users("Who loses", losers(), "Why they wait after the change", after);
    users("Who wins", winners(), "Why they waited before the change", before);
    page.heading("ClusterQueues");
    page.table(new Page.Table(
        "ClusterQueues before and after the change",
        ImmutableList.<String>builder().add("ClusterQueue").addAll(SUMMARY).build(),
        comparison.by(JobResult::clusterQueue).entrySet().stream()
            .map(queue -> summary(queue.getKey(), queue.getValue()))
            .collect(toImmutableList())));
    page.heading("All ClusterQueues");
    pairs(side -> side.charts.overview());
    page.heading("Fairness");
    page.note(ReportCharts.FAIRNESS);
    pairs(side -> side.charts.fairness(windows, side.users, side.states.shares()));
    page.timeline(Timeline.of(TITLES, List.of(comparison.base(), comparison.other())));
    page.heading("Each ClusterQueue over time");
    for (String queue : after.charts.queues()) {
      page.beginDetails(queue, false);
      pairs(side -> side.charts.of(queue));
      page.endDetails();
    }
    return page.end(
        about,
        ImmutableMap.of(
            "Digest before", comparison.base().digest(),
            "Digest after", comparison.other().digest()));
  }

  private void pairs(Function<Side, ImmutableList<Chart>> charts) {
    page.pairs(TITLES, List.of(charts.apply(before), charts.apply(after)));
  }

  private ImmutableList<Page.Tile> tiles() {
    SummaryPair total = comparison.total();
    ImmutableList.Builder<Page.Tile> tiles = ImmutableList.builder();
    tiles.add(
        tile(
            "Jobs that finished",
            total,
            jobs -> Texts.number(jobs.finished()),
            "of " + Texts.number(total.base().jobs())),
        tile(
            "Mean wait",
            total,
            jobs -> DurationText.text(jobs.meanWait()),
            Texts.signed(difference(total))),
        tile(
            "95th percentile",
            total,
            jobs -> DurationText.text(jobs.p95Wait()),
            Texts.signed(total.other().p95Wait().minus(total.base().p95Wait()))),
        tile(
            "Bounded slowdown",
            total,
            jobs -> Texts.ratio(jobs.meanBoundedSlowdown()),
            "mean of the jobs that finished"),
        tile(
            "Preemptions",
            total,
            jobs -> Texts.number(jobs.preemptions()),
            Texts.change(
                    DurationText.text(total.base().lostWork()),
                    DurationText.text(total.other().lostWork()))
                + " of work lost"),
        new Page.Tile(
            "Jobs with a difference",
            Texts.number(comparison.changedJobs().size()),
            users.size() + " of " + comparison.by(JobResult::user).size() + " users"));
    Utilisation.ofCluster(comparison).stream()
        .limit(SimulationReport.MAX_RESOURCES)
        .forEach(change -> tiles.add(
            new Page.Tile("Utilisation of " + change.resource(), change.share(), change.wanted())));
    return tiles.build();
  }

  private static Page.Tile tile(
      String name, SummaryPair pair, Function<JobSummary, String> value, String more) {
    return new Page.Tile(name, both(pair, value), more);
  }

  private static String both(SummaryPair pair, Function<JobSummary, String> value) {
    return Texts.change(value.apply(pair.base()), value.apply(pair.other()));
  }

  private void users(
      String title,
      ImmutableList<Map.Entry<String, SummaryPair>> shown,
      String why,
      Side explaining) {
    page.heading(title);
    if (shown.isEmpty()) {
      page.note(
          comparison.by(JobResult::user).isEmpty() ? "The jobs have no users." : "No user does.");
      return;
    }
    page.table(new Page.Table(
        title + ": users by the difference of their mean waits",
        ImmutableList.<String>builder().add("User").addAll(SUMMARY).build(),
        shown.stream()
            .map(user -> summary(user.getKey(), user.getValue()))
            .collect(toImmutableList())));
    SimulationReport.reasons(page, why, explaining.longestWaits, explaining.states);
  }

  private static ImmutableList<String> summary(String name, SummaryPair pair) {
    return ImmutableList.of(
        name,
        both(pair, jobs -> Texts.number(jobs.jobs())),
        both(pair, jobs -> Texts.number(jobs.finished())),
        both(pair, jobs -> DurationText.text(jobs.meanWait())),
        Texts.signed(difference(pair)),
        both(pair, jobs -> DurationText.text(jobs.p50Wait())),
        both(pair, jobs -> DurationText.text(jobs.p95Wait())),
        both(pair, jobs -> DurationText.text(jobs.maxWait())),
        both(pair, jobs -> Texts.ratio(jobs.meanBoundedSlowdown())),
        both(pair, jobs -> Texts.number(jobs.preemptions())),
        both(pair, jobs -> DurationText.text(jobs.lostWork())));
  }
}
