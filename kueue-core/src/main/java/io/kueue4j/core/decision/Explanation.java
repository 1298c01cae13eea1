package io.kueue4j.core.decision;

import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.immutables.value.Value;

/**
 * The state of a workload at one moment, and the reasons for it.
 *
 * <p>Immutable and thread-safe. Remedies are computed on demand: {@link #remedy()} and
 * {@link #remedies()} try changes on copies of the engine as it was at that moment, which is
 * expensive. Until {@link #remedies()} has been called, an explanation keeps that moment in memory
 * as an {@link io.kueue4j.core.EngineView} does.
 *
 * <pre>{@code
 * Explanation why = engine.explain(id);
 * why.reasons().forEach(reason -> log(reason.message()));
 * why.remedy().ifPresent(remedy -> log("would be admitted if: " + remedy.message()));
 * }</pre>
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Explanation {
  Explanation() {}

  /**
   * The state of one variant of a workload, which tries to be admitted on one flavor, in a
   * ClusterQueue with a {@link io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy}.
   * Immutable.
   *
   * <p>Rules: CA-2, CA-3, CA-4, CA-5.
   *
   * @param flavor the flavor
   * @param isTried whether cycles try it; they do not while the workload runs on a flavor that it
   *     would not leave for this one
   * @param mayPreempt whether it may preempt others; variants are allowed to preempt one after
   *     another
   * @param explanation the explanation of the variant, whose name is the name of the workload with
   *     the flavor in brackets, as in {@link ClusterQueueView}
   * @since 0.1.0
   */
  public record VariantExplanation(
      String flavor, boolean isTried, boolean mayPreempt, Explanation explanation) {}

  /** {@return a new builder} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the workload} */
  public abstract WorkloadId workload();

  /** {@return its status so far: conditions, checks, and eviction counts} */
  public abstract WorkloadStatus status();

  /**
   * {@return its admission, which takes effect when its admission checks have passed; absent while
   * it waits for quota}
   */
  public abstract Optional<Admission> admission();

  /**
   * {@return whether it was evicted and {@link io.kueue4j.core.AdmissionEngine#podsStopped} has not
   * been called since}
   */
  @Value.Default
  public boolean isStopping() {
    return false;
  }

  /**
   * {@return the policy by which it was preempted, and when; absent if it was not preempted, or has
   * been admitted again since}
   *
   * <p>Unlike {@link io.kueue4j.core.WorkloadLifecycle#preempted}, it remains present after the
   * workload has stopped and is queued again.
   */
  public abstract Optional<PreemptedCondition> preempted();

  /**
   * {@return the workload for which it was preempted; absent if {@link #preempted} is absent, or if
   * only the condition was restored from another engine}
   */
  public abstract Optional<PreemptedBy> preemptedBy();

  /** {@return the class of reasons why it waits for quota, absent if it holds quota} */
  public abstract Optional<PendingCause> cause();

  /**
   * {@return why it waits now: its admission checks if it holds quota; otherwise the reasons found
   * by its last attempt or by one of the same shape, or, if something has changed since that may
   * admit it, that it has not been tried yet}
   *
   * <p>Amounts of quota are as at the time of the explanation, in the text as well as in
   * {@link Reason#figures}. Everything else, for example which nodes were full, is as it was at
   * {@link #attemptTime}.
   */
  public abstract List<Reason> reasons();

  /**
   * {@return the time of the attempt that found {@link #reasons}; absent if they do not come from
   * an attempt, and describe the moment of the explanation}
   */
  public abstract Optional<Instant> attemptTime();

  /**
   * {@return the reasons found by its last attempt, with the amounts of that time, even if they no
   * longer hold; empty if it was not tried since it was queued}
   */
  public abstract List<Reason> lastAttemptReasons();

  /** {@return the time of its last attempt; absent if it was not tried since it was queued} */
  public abstract Optional<Instant> lastAttemptTime();

  /** {@return whether cycles try it in its turn; false if it waits for a change} */
  @Value.Default
  public boolean isActive() {
    return false;
  }

  /** {@return whether the next cycle tries it} */
  @Value.Default
  public boolean isNextToTry() {
    return false;
  }

  /**
   * {@return the number of workloads of its ClusterQueue before it, including those that wait for a
   * change; absent if it is in no queue}
   */
  public abstract OptionalInt positionInClusterQueue();

  /**
   * {@return the number of workloads of its LocalQueue before it, including those that wait for a
   * change; absent if it is in no queue}
   */
  public abstract OptionalInt positionInLocalQueue();

  /** {@return the start that it is promised, absent if none; see {@link Settings#backfill}} */
  public abstract Optional<Promise> promise();

  /**
   * {@return its variants, one per flavor, the best first; empty unless its ClusterQueue tries all
   * flavors concurrently (rule CA-2)}
   */
  public abstract List<VariantExplanation> variants();

  /** {@return what finds {@link #remedy} on first use; thread-safe} */
  @Value.Auxiliary
  @Value.Default
  Supplier<Optional<Remedy>> remedySource() {
    return () -> remedies().stream().findFirst();
  }

  /** {@return what finds {@link #remedies} on first use; thread-safe} */
  @Value.Auxiliary
  @Value.Default
  Supplier<List<Remedy>> remediesSource() {
    return List::of;
  }

  /**
   * {@return the smallest single change that would let the engine admit the workload, by the order
   * of {@link Remedy.Kind}; absent if it does not wait, or if no change known to the engine helps}
   *
   * <p>The engine has verified the change on a copy, which admitted the workload.
   */
  @Value.Lazy
  public Optional<Remedy> remedy() {
    return remedySource().get();
  }

  /**
   * {@return the smallest remedy of each kind, in the order of {@link Remedy.Kind}; the first is
   * {@link #remedy()}}
   */
  @Value.Lazy
  public List<Remedy> remedies() {
    return remediesSource().get();
  }

  /**
   * Builds explanations.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutableExplanation.Builder {
    Builder() {}
  }
}
