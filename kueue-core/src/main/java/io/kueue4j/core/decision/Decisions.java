package io.kueue4j.core.decision;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a call of an engine has decided, in the order in which it was decided. Immutable.
 *
 * <p>The call that makes a decision returns it; nothing waits for a later call. A call about one
 * workload also returns its {@link #result}, even if nothing has changed.
 *
 * <pre>{@code
 * Decisions decisions = engine.runCycle();
 * decisions.mustStop().forEach(workload -> stop(workload));
 * decisions.admitted().forEach(admission -> start(admission));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Decisions {
  private static final Decisions NONE = new Decisions(ImmutableList.of(), null);

  private final ImmutableList<Decision> all;
  private final @Nullable AdmissionResult result;

  private Decisions(ImmutableList<Decision> all, @Nullable AdmissionResult result) {
    this.all = all;
    this.result = result;
  }

  /** {@return no decisions} */
  public static Decisions none() {
    return NONE;
  }

  /** {@return those decisions, in that order} */
  public static Decisions of(Iterable<? extends Decision> decisions) {
    ImmutableList<Decision> all = ImmutableList.copyOf(decisions);
    return all.isEmpty() ? NONE : new Decisions(all, null);
  }

  /** {@return these decisions, by a call about the workload of {@code result}} */
  public Decisions withResult(AdmissionResult result) {
    return new Decisions(all, result);
  }

  /** {@return these decisions, then the others, with the result of these if there is one} */
  public Decisions and(Decisions others) {
    if (all.isEmpty() && result == null) {
      return others;
    }
    return others.all.isEmpty()
        ? this
        : new Decisions(
            ImmutableList.<Decision>builder().addAll(all).addAll(others.all).build(), result);
  }

  /** {@return all decisions} */
  public List<Decision> all() {
    return all;
  }

  /**
   * {@return the result for the workload that the call was about}
   *
   * @throws IllegalStateException if the call was not about one workload: only
   *     {@link io.kueue4j.core.AdmissionEngine#tryAdmit tryAdmit},
   *     {@link io.kueue4j.core.AdmissionEngine#submit submit},
   *     {@link io.kueue4j.core.AdmissionEngine#update update} and
   *     {@link io.kueue4j.core.WorkloadLifecycle#setReclaimablePods setReclaimablePods} have a
   *     result
   */
  public AdmissionResult result() {
    checkState(
        result != null,
        "these decisions have no result, which tryAdmit, submit, update and setReclaimablePods"
            + " return: %s",
        this);
    return result;
  }

  /** {@return whether there are no decisions; a cycle that had nothing to try makes none} */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** {@return the decisions of one kind} */
  public <D extends Decision> List<D> ofKind(Class<D> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).collect(toImmutableList());
  }

  private <D extends Decision, R> ImmutableList<R> partOf(Class<D> kind, Function<D, R> part) {
    return ofKind(kind).stream().map(part).collect(toImmutableList());
  }

  /** {@return the admissions of the workloads that may start} */
  public List<Admission> admitted() {
    return partOf(AdmissionResult.Admitted.class, AdmissionResult.Admitted::admission);
  }

  /**
   * {@return the admissions of the workloads that hold quota but may not start yet, because they
   * wait for admission checks or for the placement of their pods}
   */
  public List<Admission> reserved() {
    return partOf(AdmissionResult.Reserved.class, AdmissionResult.Reserved::admission);
  }

  /**
   * {@return the workloads that have to stop because others need their quota}
   *
   * <p>Excludes variants that were preempted while their workload did not run on them: they have
   * stopped already.
   */
  public List<PreemptionVictim> preempted() {
    return ofKind(PreemptionVictim.class);
  }

  /** {@return the workloads that a cycle tried and that remain pending, with reasons} */
  public List<AdmissionResult.Pending> pending() {
    return ofKind(AdmissionResult.Pending.class);
  }

  /** {@return the new admissions of running workloads whose pods move to other nodes} */
  public List<Admission> replaced() {
    return partOf(Decision.Replacement.class, Decision.Replacement::admission);
  }

  /** {@return the workloads that have to stop for another reason than preemption} */
  public List<Eviction> evicted() {
    return ofKind(Eviction.class);
  }

  /**
   * {@return the workloads that must not continue until they are admitted again, and that are
   * neither preempted nor evicted}
   */
  public List<WorkloadId> suspended() {
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
  public List<WorkloadId> mustStop() {
    return all.stream()
        .filter(decision -> decision instanceof PreemptionVictim
            || decision instanceof Eviction
            || decision instanceof Decision.Suspension)
        .map(Decision::workload)
        .distinct()
        .collect(toImmutableList());
  }

  /** {@return the promised starts that are new, moved or withdrawn} */
  public List<Decision.PromiseChange> promiseChanges() {
    return ofKind(Decision.PromiseChange.class);
  }

  /** {@return the elastic slices that have left because another slice of their job continues} */
  public List<FinishedSlice> finishedSlices() {
    return ofKind(FinishedSlice.class);
  }

  /**
   * {@return the workloads that have left because the caller finished, released or deleted them}
   *
   * <pre>{@code
   * if (engine.finish(workload).removed().isEmpty()) {
   *   log("unknown: " + workload);
   * }
   * }</pre>
   */
  public List<WorkloadId> removed() {
    return partOf(Decision.Removal.class, Decision.Removal::workload);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Decisions decisions
        && all.equals(decisions.all)
        && Objects.equals(result, decisions.result);
  }

  @Override
  public int hashCode() {
    return Objects.hash(all, result);
  }

  @Override
  public String toString() {
    return result == null ? "Decisions" + all : "Decisions" + all + ", result " + result;
  }
}
