package io.kueue4j.core.decision;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.function.Function;

/**
 * The decisions of an engine, in the order in which they were made. Immutable.
 *
 * <p>Each decision is returned once: by the call that made it, or, if that call returns something
 * else, by the next call that returns decisions.
 *
 * <pre>{@code
 * Decisions decisions = engine.runCycle();
 * decisions.mustStop().forEach(workload -> stop(workload));
 * decisions.admitted().forEach(admission -> start(admission));
 * }</pre>
 *
 * @param all the decisions
 * @since 0.1.0
 */
public record Decisions(ImmutableList<Decision> all) {
  private static final Decisions NONE = new Decisions(ImmutableList.of());

  /** {@return no decisions} */
  public static Decisions none() {
    return NONE;
  }

  /** {@return those decisions, in that order} */
  public static Decisions of(Iterable<? extends Decision> decisions) {
    ImmutableList<Decision> all = ImmutableList.copyOf(decisions);
    return all.isEmpty() ? NONE : new Decisions(all);
  }

  /** {@return these decisions, then the others} */
  public Decisions and(Decisions others) {
    if (all.isEmpty() || others.all.isEmpty()) {
      return all.isEmpty() ? others : this;
    }
    return of(ImmutableList.<Decision>builder().addAll(all).addAll(others.all).build());
  }

  /** {@return whether there are no decisions; a cycle that had nothing to try makes none} */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** {@return the decisions of one kind} */
  public <D extends Decision> ImmutableList<D> ofKind(Class<D> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).collect(toImmutableList());
  }

  private <D extends Decision, R> ImmutableList<R> partOf(Class<D> kind, Function<D, R> part) {
    return ofKind(kind).stream().map(part).collect(toImmutableList());
  }

  /** {@return the admissions of the workloads that may start} */
  public ImmutableList<Admission> admitted() {
    return partOf(AdmissionResult.Admitted.class, AdmissionResult.Admitted::admission);
  }

  /**
   * {@return the admissions of the workloads that hold quota but may not start yet, because they
   * wait for admission checks or for the placement of their pods}
   */
  public ImmutableList<Admission> reserved() {
    return partOf(AdmissionResult.Reserved.class, AdmissionResult.Reserved::admission);
  }

  /**
   * {@return the workloads that have to stop because others need their quota}
   *
   * <p>Excludes variants that were preempted while their workload did not run on them: they have
   * stopped already.
   */
  public ImmutableList<PreemptionVictim> preempted() {
    return ofKind(PreemptionVictim.class);
  }

  /** {@return the workloads that a cycle tried and that remain pending, with reasons} */
  public ImmutableList<AdmissionResult.Pending> pending() {
    return ofKind(AdmissionResult.Pending.class);
  }

  /** {@return the new admissions of running workloads whose pods move to other nodes} */
  public ImmutableList<Admission> replaced() {
    return partOf(Decision.Replacement.class, Decision.Replacement::admission);
  }

  /** {@return the workloads that have to stop for another reason than preemption} */
  public ImmutableList<Eviction> evicted() {
    return ofKind(Eviction.class);
  }

  /**
   * {@return the workloads that must not continue until they are admitted again, and that are
   * neither preempted nor evicted}
   */
  public ImmutableList<WorkloadId> suspended() {
    return partOf(Decision.Suspension.class, Decision.Suspension::workload);
  }

  /**
   * {@return the workloads whose pods have to stop, each once: those that are
   * {@linkplain #preempted preempted}, {@linkplain #evicted evicted} or {@linkplain #suspended
   * suspended}}
   *
   * <p>When the pods have stopped, call {@link io.kueue4j.core.AdmissionEngine#podsStopped}, which
   * does nothing for suspended workloads.
   */
  public ImmutableList<WorkloadId> mustStop() {
    return all.stream()
        .filter(decision -> decision instanceof PreemptionVictim
            || decision instanceof Eviction
            || decision instanceof Decision.Suspension)
        .map(Decision::workload)
        .distinct()
        .collect(toImmutableList());
  }

  /** {@return the elastic slices that have left because another slice of their job continues} */
  public ImmutableList<FinishedSlice> finishedSlices() {
    return ofKind(FinishedSlice.class);
  }
}
