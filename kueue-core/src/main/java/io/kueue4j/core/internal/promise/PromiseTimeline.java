package io.kueue4j.core.internal.promise;

import com.google.common.math.LongMath;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.PairUsage;
import io.kueue4j.core.internal.flavor.FlavorNeeds;
import io.kueue4j.core.internal.quota.AmountOverTime;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.UsageForecast;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known to end and to start in a tree from now on. Finds when a workload fits, and goes on
 * fitting beside all that starts later: a forecast of the usage says which times are worth a look,
 * and a trial looks at the tree as it will be then.
 *
 * <p>A workload that fits at each time while it runs delays nothing that is promised: quota and
 * places are limits on sums, so if it fits beside a promised workload, that one fits beside it.
 *
 * <p>May be asked again as long as nothing but promises and, in trials, usage changes.
 *
 * <p>Rules: PS-4, PS-11.
 */
public final class PromiseTimeline {
  private static final long NEVER = AmountOverTime.NEVER;

  private static final Comparator<Step> ORDER =
      Comparator.comparingLong(Step::millis).thenComparing(Step::isStart);

  private final QuotaTree tree;
  private final long nowMillis;
  private final UsageForecast forecast;
  private final List<Stay> running;
  private final Map<WorkloadId, Stay> promised = new LinkedHashMap<>();
  private final List<Window> windows = new ArrayList<>();

  /** How many workloads and windows end in each millisecond. */
  private final AmountOverTime ends = new AmountOverTime(0);

  /** How many of these ends are guesses. */
  private final AmountOverTime guesses = new AmountOverTime(0);

  /** What changes on nodes and TPU slices; a trial plays it up to the time that it looks at. */
  private final List<Step> places = new ArrayList<>();

  private int nextPlace;

  private record Window(KeptCapacity kept, long startMillis, long endMillis) {}

  /**
   * A workload starts or ends, or a window begins or ends.
   *
   * @param stay the stay of the workload, null if it is a window
   * @param window what the window keeps, null if it is a workload
   */
  private record Step(
      long millis,
      boolean isStart,
      @Nullable Stay stay,
      @Nullable KeptCapacity window) {}

  /**
   * What a workload is asked about.
   *
   * @param queue its queue
   * @param without the workloads whose promises do not count
   * @param leaving the running workloads that have left, whose amounts do not count at the moment
   * @param windows which windows count
   */
  public record Question(
      QueueQuota queue,
      Set<WorkloadId> without,
      List<QuotaHolder> leaving,
      Predicate<CapacityWindow> windows) {
    private boolean counts(Stay stay) {
      return !(stay.isRunning() ? leaving.contains(stay.holder()) : without.contains(stay.id()));
    }
  }

  /**
   * When and how a workload fits.
   *
   * @param startMillis when it fits
   * @param assignment how it fits
   * @param isBounded whether that rests on upper bounds of durations alone
   */
  public record Fit(long startMillis, Assignment assignment, boolean isBounded) {}

  /** Creates a timeline of running workloads, none of which ends before now. */
  public PromiseTimeline(QuotaTree tree, List<Stay> running, long nowMillis) {
    this.tree = tree;
    this.nowMillis = nowMillis;
    this.forecast = new UsageForecast(tree);
    this.running = new ArrayList<>(running);
    // So that each change is added at the end.
    this.running.sort(Comparator.comparingLong(Stay::endMillis));
    this.running.forEach(this::add);
  }

  /** Sets when a promised workload holds what. */
  public void set(Stay stay) {
    remove(stay.id());
    promised.put(stay.id(), stay);
    add(stay);
  }

  /** Removes a promised workload, if it is there. */
  public void remove(WorkloadId id) {
    Stay stay = promised.remove(id);
    if (stay != null) {
      count(stay, false);
      if (!stay.holder().footprint().isEmpty()) {
        places.removeIf(step -> stay.equals(step.stay));
      }
    }
  }

  private void add(Stay stay) {
    count(stay, true);
    if (!stay.holder().footprint().isEmpty()) {
      if (!stay.isRunning()) {
        places.add(new Step(stay.startMillis(), true, stay, null));
      }
      places.add(new Step(stay.endMillis(), false, stay, null));
    }
  }

  /** Counts the amounts and the end of a stay, or no longer. */
  private void count(Stay stay, boolean isCounted) {
    stay.count(forecast, isCounted);
    countEnd(ends, stay.endMillis(), isCounted);
    if (stay.isGuess()) {
      countEnd(guesses, stay.endMillis(), isCounted);
    }
  }

  private static void countEnd(AmountOverTime ofEnds, long millis, boolean isCounted) {
    if (millis != NEVER) {
      ofEnds.add(millis, millis + 1, isCounted ? 1 : -1);
    }
  }

  /** Adds a window that is not over. */
  public void addWindow(KeptCapacity kept, long startMillis, long endMillis) {
    long start = Math.max(startMillis, nowMillis);
    windows.add(new Window(kept, start, endMillis));
    countEnd(ends, endMillis, true);
    places.add(new Step(start, true, null, kept));
    places.add(new Step(endMillis, false, null, kept));
  }

  /**
   * {@return the first time found at which a workload fits, and goes on fitting until its end; null
   * if there is none up to the latest start}
   *
   * <p>After a fit that does not go on, the search continues when it ends. So a time before that at
   * which other flavors or places would go on fitting is not found.
   *
   * @param needs what it needs at least
   * @param durationMillis how long it runs
   * @param latestMillis the latest start
   * @param fit how it fits at a time that the trial has reached, null if it does not
   * @param stillFits whether it goes on fitting in that way
   */
  public @Nullable Fit earliest(
      Question question,
      FlavorNeeds needs,
      long durationMillis,
      long latestMillis,
      LongFunction<@Nullable Assignment> fit,
      Predicate<Assignment> stillFits) {
    return inTrial(question, () -> {
      long at = needs.firstRoom(forecast, question.queue, nowMillis);
      while (at != NEVER && at <= latestMillis) {
        show(question, at);
        Assignment assignment = fit.apply(at);
        long next = ends.nextAbove(0, at);
        if (assignment != null) {
          long end = LongMath.saturatedAdd(at, durationMillis);
          next = nextMisfit(question, at, end, assignment, stillFits);
          if (next == NEVER) {
            return new Fit(at, assignment, guesses.nextAbove(0, Long.MIN_VALUE) > at);
          }
        }
        at = needs.firstRoom(forecast, question.queue, next);
      }
      return null;
    });
  }

  /**
   * {@return when a workload that starts now no longer fits, although it still runs;
   * {@link AmountOverTime#NEVER} if it fits until its end}
   */
  public long firstMisfit(
      Question question, long endMillis, Assignment assignment, Predicate<Assignment> stillFits) {
    return inTrial(question, () -> {
      show(question, nowMillis);
      return stillFits.test(assignment)
          ? nextMisfit(question, nowMillis, endMillis, assignment, stillFits)
          : nowMillis;
    });
  }

  private <R extends @Nullable Object> R inTrial(Question question, Supplier<R> answer) {
    forecast.update();
    count(question, true);
    places.sort(ORDER);
    nextPlace = 0;
    try {
      return tree.inTrial(answer);
    } finally {
      count(question, false);
    }
  }

  /** Lets the forecast count what counts for a question, or again all workloads and no windows. */
  private void count(Question question, boolean isAsked) {
    for (WorkloadId id : question.without) {
      Stay stay = promised.get(id);
      if (stay != null) {
        count(stay, !isAsked);
      }
    }
    if (!question.leaving.isEmpty()) {
      running.stream()
          .filter(stay -> !question.counts(stay))
          .forEach(stay -> count(stay, !isAsked));
    }
    if (windows.isEmpty()) {
      return;
    }
    List<Stay> users = Stream.concat(running.stream(), promised.values().stream())
        .filter(question::counts)
        .toList();
    for (Window window : windows) {
      if (question.windows.test(window.kept.window())) {
        window.kept.count(forecast, window.startMillis, window.endMillis, users, isAsked);
      }
    }
  }

  /** Lets the tree look as it will at a time, which is not before the last one of the trial. */
  private void show(Question question, long millis) {
    forecast.show(question.queue, millis);
    for (; nextPlaceMillis() <= millis; nextPlace++) {
      Step step = places.get(nextPlace);
      if (step.window != null && question.windows.test(step.window.window())) {
        step.window.setNodesClosed(step.isStart);
      } else if (step.stay != null && question.counts(step.stay)) {
        if (step.isStart) {
          tree.participant().charge(step.stay.holder().footprint());
        } else {
          tree.participant().uncharge(step.stay.holder().footprint());
        }
      }
    }
  }

  private long nextPlaceMillis() {
    return nextPlace == places.size() ? NEVER : places.get(nextPlace).millis;
  }

  /** {@return when a workload that fits at a time no longer fits, if that is before its end} */
  private long nextMisfit(
      Question question,
      long fitMillis,
      long endMillis,
      Assignment assignment,
      Predicate<Assignment> stillFits) {
    long at = nextDoubt(question.queue, assignment, fitMillis);
    while (at < endMillis) {
      show(question, at);
      if (!stillFits.test(assignment)) {
        return at;
      }
      at = nextDoubt(question.queue, assignment, at);
    }
    return NEVER;
  }

  /**
   * {@return the next time after {@code millis}, which is shown, at which what fits may not fit}
   */
  private long nextDoubt(QueueQuota queue, Assignment assignment, long millis) {
    PairUsage usage = assignment.usage();
    long next = assignment.places() == null ? NEVER : nextPlaceMillis();
    for (int i = 0; i < usage.size(); i++) {
      next = Math.min(next, forecast.nextShortage(queue, usage.pair(i), usage.amount(i), millis));
    }
    return next;
  }
}
