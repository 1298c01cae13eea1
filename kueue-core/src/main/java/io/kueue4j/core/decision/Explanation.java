package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Optional;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * Where a workload stands and why, at one moment.
 *
 * <p>Immutable, safe for several threads. Remedies are searched when they are asked for:
 * {@link #remedy()} and {@link #remedies()} try changes on copies of the engine as it was at that
 * moment, and cost accordingly. Until {@link #remedies()} has been called, an explanation keeps
 * that moment in memory as an {@link io.kueue4j.core.EngineView} does.
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

  /** {@return a new builder} */
  public static Builder builder() {
    return ImmutableExplanation.builder();
  }

  /** {@return the workload} */
  public abstract WorkloadId workload();

  /** {@return what has happened to it so far: its conditions, checks, and how often it stopped} */
  public abstract WorkloadStatus status();

  /**
   * {@return on what it was admitted, or is going to be when its admission checks are passed;
   * absent while it waits for quota}
   */
  public abstract Optional<Admission> admission();

  /**
   * {@return whether it was evicted and {@link io.kueue4j.core.AdmissionEngine#podsStopped} was not
   * called since}
   */
  @Value.Default
  public boolean isStopping() {
    return false;
  }

  /**
   * {@return by which policy it was preempted and when; absent if it was not, or has been admitted
   * again since}
   *
   * <p>In contrast to {@link io.kueue4j.core.AdmissionEngine#preempted}, it is still present after
   * the workload has stopped and is queued again.
   */
  public abstract Optional<PreemptedCondition> preempted();

  /**
   * {@return the workload for which it was preempted; absent if {@link #preempted} is, or if that
   * happened in another engine and this one was only given the condition}
   */
  public abstract Optional<PreemptedBy> preemptedBy();

  /** {@return the class of what keeps it waiting for quota, absent when it holds it} */
  public abstract Optional<PendingCause> cause();

  /**
   * {@return what keeps it waiting now: admission checks, if it holds quota; else what its last
   * attempt found, or that of one of the same shape; that it has not been tried yet if something
   * has changed since}
   */
  public abstract ImmutableList<Reason> reasons();

  /**
   * {@return what its last attempt found, whether it still holds or not; empty if there was none
   * since it was queued}
   */
  public abstract ImmutableList<Reason> lastAttemptReasons();

  /**
   * {@return whether cycles try it when its turn has come; false if it waits for something to
   * change}
   */
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
   * {@return how many workloads of its ClusterQueue stand before it, those that wait for something
   * to change among them; absent if it is in no queue}
   */
  public abstract OptionalInt positionInClusterQueue();

  /**
   * {@return how many workloads of its LocalQueue stand before it, those that wait for something to
   * change among them; absent if it is in no queue}
   */
  public abstract OptionalInt positionInLocalQueue();

  /**
   * {@return its attempts on each flavor, the best first; empty unless its ClusterQueue lets it try
   * all flavors at a time (rule CA-2)}
   */
  public abstract ImmutableList<VariantExplanation> variants();

  @Value.Auxiliary
  abstract RemedySource remedySource();

  /**
   * {@return the smallest single change that would let the engine admit the workload, by the order
   * of {@link RemedyKind}; absent if it waits for nothing or no change that the engine knows of
   * helps}
   *
   * <p>The engine has made the change on a copy and has seen the admission.
   */
  @Value.Lazy
  public Optional<Remedy> remedy() {
    return remedySource().first();
  }

  /**
   * {@return the alternatives to {@link #remedy()}, itself among them: of each kind the smallest,
   * in the order of {@link RemedyKind}}
   */
  @Value.Lazy
  public ImmutableList<Remedy> remedies() {
    return remedySource().all();
  }

  /**
   * Builds explanations.
   *
   * @since 0.1.0
   */
  public abstract static class Builder {
    Builder() {}

    /** Sets the workload. */
    @CanIgnoreReturnValue
    public abstract Builder workload(WorkloadId workload);

    /** Sets what has happened to the workload so far. */
    @CanIgnoreReturnValue
    public abstract Builder status(WorkloadStatus status);

    /** Sets what the workload was admitted with. */
    @CanIgnoreReturnValue
    public abstract Builder admission(Optional<? extends Admission> admission);

    /** Sets whether the workload is evicted and still holds its quota. */
    @CanIgnoreReturnValue
    public abstract Builder isStopping(boolean isStopping);

    /** Sets under which rule the workload was preempted, and when. */
    @CanIgnoreReturnValue
    public abstract Builder preempted(Optional<? extends PreemptedCondition> condition);

    /** Sets for which workload it was preempted. */
    @CanIgnoreReturnValue
    public abstract Builder preemptedBy(Optional<? extends PreemptedBy> by);

    /** Sets the class of what keeps the workload from quota. */
    @CanIgnoreReturnValue
    public abstract Builder cause(PendingCause cause);

    /** Adds what keeps the workload waiting now. */
    @CanIgnoreReturnValue
    public abstract Builder addAllReasons(Iterable<? extends Reason> reasons);

    /** Adds what the last attempt found. */
    @CanIgnoreReturnValue
    public abstract Builder addAllLastAttemptReasons(Iterable<? extends Reason> reasons);

    /** Sets whether cycles try the workload in its turn. */
    @CanIgnoreReturnValue
    public abstract Builder isActive(boolean active);

    /** Sets whether the next cycle tries the workload. */
    @CanIgnoreReturnValue
    public abstract Builder isNextToTry(boolean next);

    /** Sets how many workloads of the ClusterQueue come before it. */
    @CanIgnoreReturnValue
    public abstract Builder positionInClusterQueue(int position);

    /** Sets how many workloads of the LocalQueue come before it. */
    @CanIgnoreReturnValue
    public abstract Builder positionInLocalQueue(int position);

    /** Adds attempts on single flavors. */
    @CanIgnoreReturnValue
    public abstract Builder addVariants(VariantExplanation... variants);

    /** Sets what finds remedies when they are asked for. */
    @CanIgnoreReturnValue
    public abstract Builder remedySource(RemedySource source);

    /** {@return the explanation} */
    public abstract Explanation build();
  }
}
