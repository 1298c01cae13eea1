package io.kueue4j.core.internal.promise;

import com.google.common.math.LongMath;
import io.kueue4j.core.internal.flavor.Assignment;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known to end and to start in a tree from now on. Finds when a workload fits, and goes on
 * fitting beside all that starts later, by playing these steps in a trial.
 *
 * <p>A workload that fits at each step while it runs delays nothing that is promised: quota and
 * places are limits on sums, so if it fits beside a promised workload, that one fits beside it.
 *
 * <p>May be asked again as long as nothing but promises changes.
 *
 * <p>Rules: PS-4, PS-11.
 */
public final class PromiseTimeline {
  private static final Comparator<Step> ORDER =
      Comparator.comparingLong(Step::millis).thenComparing(Step::isStart);

  private final QuotaTree tree;
  private final long nowMillis;
  private final List<Step> steps = new ArrayList<>();
  private final List<KeptCapacity> windows = new ArrayList<>();
  private boolean isSorted;

  /** Whose promises do not count for the present question. */
  private Set<WorkloadId> ignored = Set.of();

  /** Which windows count for the present question. */
  private Predicate<CapacityWindow> counted = window -> true;

  private int next;

  /** Whether a step so far was the end of a workload whose duration is a guess. */
  private boolean guessed;

  /**
   * A workload starts or ends, or a window begins or ends.
   *
   * @param promised the workload if its start is promised, null if it runs
   * @param queue its queue in the tree, null if it only uses nodes or TPU slices of the tree
   * @param holder what the workload holds, null if it is a window
   * @param window what the window keeps, null if it is a workload
   */
  private record Step(
      long millis,
      boolean isStart,
      @Nullable WorkloadId promised,
      @Nullable QueueQuota queue,
      @Nullable QuotaHolder holder,
      boolean isGuess,
      @Nullable KeptCapacity window) {}

  /**
   * When and how a workload fits.
   *
   * @param startMillis when it fits
   * @param assignment how it fits
   * @param isBounded whether that rests on upper bounds of durations alone
   */
  public record Fit(long startMillis, Assignment assignment, boolean isBounded) {}

  /** Creates a timeline without steps. */
  public PromiseTimeline(QuotaTree tree, long nowMillis) {
    this.tree = tree;
    this.nowMillis = nowMillis;
  }

  /**
   * Adds the end of a running workload.
   *
   * @param queue its queue in the tree, null if it only uses nodes or TPU slices of the tree
   */
  public void addEnd(@Nullable QueueQuota queue, QuotaHolder holder, long millis, boolean isGuess) {
    if (millis != Long.MAX_VALUE) {
      add(new Step(Math.max(millis, nowMillis), false, null, queue, holder, isGuess, null));
    }
  }

  /** Adds the start and the end of a promised workload; arguments as of {@link #addEnd}. */
  public void addPromise(@Nullable QueueQuota queue, PromisedStart promise) {
    long late = Math.max(0, LongMath.saturatedSubtract(nowMillis, promise.startMillis()));
    long end = LongMath.saturatedAdd(promise.endMillis(), late);
    QuotaHolder holder = promise.holder();
    WorkloadId id = promise.id();
    add(new Step(promise.startMillis() + late, true, id, queue, holder, false, null));
    if (end != Long.MAX_VALUE) {
      boolean isGuess = !promise.workload().isExpectedAtMost();
      add(new Step(end, false, id, queue, holder, isGuess, null));
    }
  }

  /** Adds the begin and the end of a window that is not over. */
  public void addWindow(KeptCapacity kept, long startMillis, long endMillis) {
    windows.add(kept);
    add(new Step(Math.max(startMillis, nowMillis), true, null, null, null, false, kept));
    add(new Step(endMillis, false, null, null, null, false, kept));
  }

  /** Removes the steps of a promised workload. */
  public void removePromise(WorkloadId promised) {
    steps.removeIf(step -> promised.equals(step.promised));
  }

  private void add(Step step) {
    int index = isSorted ? Collections.binarySearch(steps, step, ORDER) : steps.size();
    steps.add(index < 0 ? -index - 1 : index, step);
  }

  /**
   * {@return the first time at which a workload fits, and goes on fitting until its end; null if
   * there is none up to the latest start}
   *
   * @param without whose promises do not count
   * @param withWindows which windows count
   * @param durationMillis how long it runs
   * @param latestMillis the latest start
   * @param fit how it fits at a time that the trial has reached, null if it does not
   * @param stillFits whether it goes on fitting in that way
   */
  public @Nullable Fit earliest(
      Set<WorkloadId> without,
      Predicate<CapacityWindow> withWindows,
      long durationMillis,
      long latestMillis,
      LongFunction<@Nullable Assignment> fit,
      Predicate<Assignment> stillFits) {
    ignored = without;
    counted = withWindows;
    return inTrial(() -> {
      Fit found = null;
      boolean hasEnd = true;
      for (long at = nowMillis; ; at = steps.get(next).millis) {
        hasEnd |= play(at);
        if (found != null && !stillFits.test(found.assignment)) {
          found = null;
          hasEnd = true;
        }
        if (found == null && at > latestMillis) {
          return null;
        }
        if (found == null && hasEnd) {
          Assignment assignment = fit.apply(at);
          found = assignment == null ? null : new Fit(at, assignment, !guessed);
          hasEnd = false;
        }
        if (found != null
            && isOverBefore(LongMath.saturatedAdd(found.startMillis, durationMillis))) {
          return found;
        }
        if (next == steps.size()) {
          return found;
        }
      }
    });
  }

  /**
   * {@return when a workload that fits now no longer fits, although it still runs; negative if it
   * fits until its end}
   */
  public long firstMisfit(long endMillis, Assignment assignment, Predicate<Assignment> stillFits) {
    return inTrial(() -> {
      boolean unused = play(nowMillis);
      while (stillFits.test(assignment)) {
        if (isOverBefore(endMillis)) {
          return -1L;
        }
        unused = play(steps.get(next).millis);
      }
      return next == 0 ? nowMillis : steps.get(next - 1).millis;
    });
  }

  private <R> R inTrial(Supplier<R> question) {
    if (!isSorted) {
      steps.sort(ORDER);
      isSorted = true;
    }
    next = 0;
    windows.forEach(KeptCapacity::reset);
    guessed = false;
    int checkpoint = tree.checkpoint();
    try {
      return question.get();
    } finally {
      tree.rollback(checkpoint);
    }
  }

  /** {@return whether nothing happens before {@code millis} any more} */
  private boolean isOverBefore(long millis) {
    return next == steps.size() || steps.get(next).millis >= millis;
  }

  /** Plays all steps until a time; returns whether a workload has ended. */
  private boolean play(long untilMillis) {
    boolean hasEnd = false;
    for (; next < steps.size() && steps.get(next).millis <= untilMillis; next++) {
      Step step = steps.get(next);
      if (step.promised != null && ignored.contains(step.promised)) {
        continue;
      }
      hasEnd |= !step.isStart;
      guessed |= !step.isStart && step.isGuess;
      play(step);
    }
    return hasEnd;
  }

  private void play(Step step) {
    if (step.window != null) {
      play(step.window, step.isStart);
    } else {
      play(step, Objects.requireNonNull(step.holder));
    }
  }

  private void play(KeptCapacity window, boolean isStart) {
    if (!counted.test(window.window())) {
      return;
    }
    if (isStart) {
      window.open();
    } else {
      window.close();
    }
  }

  private void play(Step step, QuotaHolder holder) {
    if (step.queue == null) {
      if (step.isStart) {
        tree.participant().charge(holder.footprint());
      } else {
        tree.participant().uncharge(holder.footprint());
      }
    } else if (step.isStart) {
      step.queue.charge(holder);
    } else {
      step.queue.uncharge(holder);
    }
    for (KeptCapacity window : windows) {
      window.count(step.queue, holder, step.isStart);
    }
  }
}
