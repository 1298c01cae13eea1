package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * The variants of workloads that try all flavors concurrently, and which of them have changed.
 *
 * <p>A variant is a separate workload, one per flavor, which is queued and charged in place of the
 * submitted workload. Events and results name the submitted workload, which holds no quota itself.
 * {@link io.kueue4j.core.internal.life.VariantSettlement} applies the consequences of a change of
 * one variant to the others before the call that changed it returns. Not thread-safe.
 *
 * <p>Rules: U-1, CA-2.
 */
public final class Variants {
  private final Configuration configuration;
  private final WorkloadStore workloads;
  private final boolean isOn;

  /** Workloads with a changed variant, and workloads whose variants are to be created. */
  private final VersionedSet<WorkloadId> unsettled;

  Variants(StateContext context, Configuration configuration, WorkloadStore workloads) {
    this.configuration = configuration;
    this.workloads = workloads;
    this.isOn = context.settings().isEnabled(FeatureGate.CONCURRENT_ADMISSION);
    this.unsettled = VersionedSet.inNaturalOrder(context.journal());
  }

  // ----- look-ups

  /** {@return whether {@code queue} lets a workload try all flavors concurrently} */
  public boolean areUsed(Workload workload, QueueState queue) {
    return isOn
        && queue.spec().concurrentAdmissionPolicy().isPresent()
        && !VariantNames.isVariant(workload.id())
        // Elastic slices replace each other, which variants of different flavors cannot.
        && !workload.elastic()
        && workload.replaces().isEmpty();
  }

  /** {@return the variants of a workload, the best first} */
  public ImmutableList<WorkloadRecord> of(WorkloadRecord record) {
    return record.hasVariants()
        ? record.variants().stream().map(workloads::require).collect(toImmutableList())
        : ImmutableList.of();
  }

  /** {@return the variant that a workload runs on, or is stopping on} */
  public Optional<WorkloadRecord> running(WorkloadRecord record) {
    return of(record).stream()
        .filter(variant -> variant.lifecycle().isAdmitted())
        .findFirst();
  }

  /**
   * {@return the holder of a workload's quota: the workload itself, or the variant that it runs on,
   * otherwise the best variant that waits for its admission checks}
   */
  public Optional<WorkloadRecord> holder(WorkloadRecord record) {
    if (!record.hasVariants()) {
      return Optional.of(record).filter(known -> known.reservation() != null);
    }
    return running(record)
        .or(() ->
            of(record).stream().filter(variant -> variant.reservation() != null).findFirst())
        .filter(variant -> variant.reservation() != null);
  }

  /** {@return the admission of a workload, under its own name} */
  public Optional<Admission> admission(WorkloadRecord record) {
    return holder(record).flatMap(WorkloadRecord::admission).map(VariantNames::submitted);
  }

  /** {@return whether a variant is ready to start, but another one has not stopped yet} */
  public boolean isHeldBack(WorkloadRecord record) {
    return record.isVariant() && !record.lifecycle().isAdmitted() && runsElsewhere(record);
  }

  /** {@return whether a holder of quota is a variant on which its workload does not run} */
  public boolean isIdle(WorkloadId id) {
    if (!VariantNames.isVariant(id)) {
      return false;
    }
    WorkloadRecord parent = workloads.get(VariantNames.submitted(id));
    WorkloadRecord variant = workloads.get(id);
    return parent == null || variant == null || !runs(variant, parent);
  }

  /** {@return whether a workload runs on one of its variants, according to the decisions made} */
  public static boolean runs(WorkloadRecord variant, WorkloadRecord parent) {
    return variant.lifecycle().isAdmitted() && parent.lifecycle().isAdmitted();
  }

  /**
   * {@return the id by which a victim is reported: the id of its workload, or its own if the
   * workload does not run}
   */
  public WorkloadId nameOfVictim(WorkloadId id) {
    return isIdle(id) ? id : VariantNames.submitted(id);
  }

  /** {@return whether the workload of a variant runs on another variant} */
  public boolean runsElsewhere(WorkloadRecord variant) {
    WorkloadRecord parent =
        workloads.get(VariantNames.submitted(variant.workload().id()));
    return parent != null
        && running(parent).filter(running -> !running.equals(variant)).isPresent();
  }

  // ----- changes to settle

  /** Records a change of a workload, if it has variants or is a variant. */
  public void note(WorkloadRecord record) {
    if (isOn && (record.hasVariants() || record.isVariant())) {
      adopt(record);
    }
  }

  /** Records that the variants of a workload are to be created. */
  void adopt(WorkloadRecord record) {
    unsettled.add(VariantNames.submitted(record.workload().id()));
  }

  /** Records that a ClusterQueue has changed. */
  public void queueChanged(QueueState queue) {
    if (isOn && queue.spec().concurrentAdmissionPolicy().isPresent()) {
      for (String key : configuration.localQueuesOf(queue.name())) {
        workloads.ofLocalQueue(key).forEach(this::note);
      }
    }
  }

  /** {@return whether {@code workload} has changed since the last call, and clears the mark} */
  public boolean takeChange(WorkloadId workload) {
    return unsettled.remove(workload);
  }

  /** {@return the first changed workload, if any} */
  public Optional<WorkloadId> firstChanged() {
    return unsettled.isEmpty() ? Optional.empty() : Optional.of(unsettled.first());
  }
}
