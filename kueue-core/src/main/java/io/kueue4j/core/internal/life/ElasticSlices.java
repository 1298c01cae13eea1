package io.kueue4j.core.internal.life;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.attempt.ReplacedSlice.Held;
import io.kueue4j.core.internal.attempt.ReplacedSlice.HeldPodSet;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The elastic slices of jobs: what a new one takes over, and which of several continues.
 *
 * <p>Workloads are elastic slices of one job if one declares that it replaces the other, if both
 * declare that they replace the same one, or if they have the same slice name.
 *
 * <p>Rules: E-3, E-6, E-7, E-8.
 *
 * @param state the state of the engine
 */
public record ElasticSlices(EngineState state) {
  /** {@return whether a workload may be one of several elastic slices of a job} */
  public boolean isSlice(Workload workload) {
    return (workload.elastic() || workload.replaces().isPresent())
        && state.settings().isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES);
  }

  /** {@return the elastic slice that a head replaces when admitted, null if it replaces none} */
  @Nullable
  public ReplacedSlice replacedBy(Head head) {
    Workload workload = head.compiled().source();
    Optional<WorkloadId> named = workload.replaces();
    if (named.isEmpty()
        || !isSlice(workload)
        || !named.get().namespace().equals(workload.namespace())) {
      return null;
    }
    WorkloadRecord record = state.workloads().get(named.get());
    Reservation held = record == null ? null : record.reservation();
    return record == null
            || held == null
            || !record.requireQueue().equals(head.queue())
            || head.queue().quota().isSetAside(held.holder())
        ? null
        : slice(record, held);
  }

  private ReplacedSlice slice(WorkloadRecord record, Reservation held) {
    ImmutableList.Builder<HeldPodSet> podSets = ImmutableList.builder();
    for (PodSet podSet : record.workload().podSets()) {
      PodSetAssignment assignment = held.admission().podSetAssignments().stream()
          .filter(candidate -> candidate.name().equals(podSet.name()))
          .findFirst()
          .orElseThrow();
      podSets.add(
          new HeldPodSet(podSet.name(), held(assignment, record), assignment.topologyAssignment()));
    }
    return new ReplacedSlice(held.holder(), podSets.build());
  }

  private ImmutableMap<ResourceName, Held> held(
      PodSetAssignment assignment, WorkloadRecord record) {
    Catalog catalog = state.catalog();
    int count = Reservation.countInUse(
        assignment, record.compiled(), state.settings().isEnabled(FeatureGate.RECLAIMABLE_PODS));
    ImmutableMap.Builder<ResourceName, Held> held = ImmutableMap.builder();
    assignment.flavors().forEach((name, flavor) -> {
      FlavorResource pair = catalog.pair(flavor, name);
      held.put(pair.resource(), new Held(pair, Reservation.charged(assignment, name, count)));
    });
    return held.buildOrThrow();
  }

  /** Finishes the slice that {@code successor} is about to replace. */
  public void replace(ReplacedSlice slice, WorkloadRecord successor, Instant now) {
    WorkloadRecord old = state.require(slice.holder().id());
    finish(
        old,
        successor,
        FinishedSlice.Reason.WORKLOAD_SLICE_REPLACED,
        "Replaced to accommodate a workload (UID: " + successor.workload().uid()
            + ") due to workload slice aggregation",
        now);
  }

  /**
   * Finishes the superseded elastic slices of the job of {@code changed}. An evicted slice is
   * finished when it has stopped.
   *
   * @return the slice that continues, absent unless there are several
   */
  public Optional<WorkloadRecord> settle(WorkloadRecord changed, Instant now) {
    if (!isSlice(changed.workload())) {
      return Optional.empty();
    }
    List<WorkloadRecord> slices =
        oldestFirst(state.workloads().slicesOfJob(changed.workload()).stream());
    if (slices.size() < 2) {
      return Optional.empty();
    }
    ElasticSliceSelection selection = new ElasticSliceSelection(slices, null);
    for (WorkloadRecord slice : slices) {
      if (!selection.keeps(slice) && !slice.isStopping()) {
        boolean replaced = selection.isReplaced(slice);
        finish(
            slice,
            selection.selected(),
            replaced
                ? FinishedSlice.Reason.WORKLOAD_SLICE_REPLACED
                : FinishedSlice.Reason.OUT_OF_SYNC,
            replaced
                ? "Replaced to accommodate a new workload slice"
                : "The workload slice is out of sync with its parent job",
            now);
      }
    }
    return Optional.of(selection.selected());
  }

  /**
   * {@return the rejection of a slice that would finish as soon as it is admitted, because another
   * slice of its job continues; absent if {@code tried} is kept}
   *
   * @param tried a workload without quota, which may be unknown to the state
   * @param head the head that would be admitted
   */
  public Optional<AdmissionResult.Rejected> rejection(WorkloadRecord tried, Head head) {
    if (!isSlice(tried.workload())) {
      return Optional.empty();
    }
    ReplacedSlice replaced = replacedBy(head);
    List<WorkloadRecord> slices = oldestFirst(
        Stream.concat(state.workloads().slicesOfJob(tried.workload()).stream(), Stream.of(tried))
            .filter(slice -> replaced == null || !replaces(replaced, slice)));
    ElasticSliceSelection selection = new ElasticSliceSelection(slices, tried);
    return selection.keeps(tried)
        ? Optional.empty()
        : Optional.of(obsolete(tried.id(), selection.selected().id()));
  }

  private static boolean replaces(ReplacedSlice replaced, WorkloadRecord slice) {
    Reservation held = slice.reservation();
    return held != null && held.holder().equals(replaced.holder());
  }

  /** {@return the rejection of {@code slice} because {@code selected} continues} */
  public static AdmissionResult.Rejected obsolete(WorkloadId slice, WorkloadId selected) {
    return new AdmissionResult.Rejected(
        slice,
        ImmutableList.of(Reason.of(
            ReasonCode.OBSOLETE_SLICE,
            "slice " + selected + " of the same job goes on instead; update that one")));
  }

  private void finish(
      WorkloadRecord slice,
      WorkloadRecord successor,
      FinishedSlice.Reason reason,
      String message,
      Instant now) {
    state.forget(
        slice,
        reason == FinishedSlice.Reason.OUT_OF_SYNC
            ? WorkloadRemoved.Reason.SLICE_OUT_OF_SYNC
            : WorkloadRemoved.Reason.SLICE_REPLACED,
        now);
    state.announcements().decided(new FinishedSlice(slice.id(), successor.id(), reason, message));
  }

  private static List<WorkloadRecord> oldestFirst(Stream<WorkloadRecord> slices) {
    return slices
        .sorted(Comparator.<WorkloadRecord>comparingLong(WorkloadRecord::creationTimeMillis)
            .thenComparing(record -> record.workload().uid())
            .thenComparing(WorkloadRecord::id))
        .toList();
  }
}
