package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.Attempt;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.cycle.Restraint;
import io.kueue4j.core.lifecycle.LifecycleState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.quota.QuotaHolder;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The variants of workloads that try all flavors at a time: workloads of their own, one for each
 * flavor, which are queued and charged in place of the one that was submitted. That one is told of,
 * and holds nothing.
 *
 * <p>What follows for the others when one of them changes is worked out by {@link VariantReview},
 * before the call is over that changed it. Not safe for several threads.
 *
 * <p>Rules: CA-2, CA-3, L-25.
 */
final class Variants implements Restraint {
  private final EngineState state;
  private final boolean isOn;
  private final boolean gatesCount;

  /** Workloads of which a variant has changed, or that are to have variants. */
  private final NavigableSet<WorkloadId> unsettled = new TreeSet<>();

  Variants(EngineState state) {
    this.state = state;
    this.isOn = state.settings().isEnabled(FeatureGate.CONCURRENT_ADMISSION);
    this.gatesCount =
        isOn || state.settings().isEnabled(FeatureGate.MULTIKUEUE_ORCHESTRATED_PREEMPTION);
  }

  // ----- who is one

  /** {@return whether {@code queue} lets a workload try all flavors at a time} */
  boolean areUsed(Workload workload, QueueState queue) {
    return isOn
        && queue.quota().compiled().source().concurrentAdmissionPolicy().isPresent()
        && !VariantNames.isVariant(workload.id())
        // Slices of a job follow each other, which those of one flavor could not.
        && !workload.elastic()
        && workload.replaces().isEmpty();
  }

  /** {@return the variants of a workload, the best first} */
  ImmutableList<WorkloadRecord> of(WorkloadRecord record) {
    ImmutableList.Builder<WorkloadRecord> found =
        ImmutableList.builderWithExpectedSize(record.variants().size());
    for (WorkloadId id : record.variants()) {
      found.add(Objects.requireNonNull(state.record(id)));
    }
    return found.build();
  }

  /** {@return the variant that a workload runs on, or is stopping on} */
  Optional<WorkloadRecord> running(WorkloadRecord record) {
    return of(record).stream()
        .filter(variant -> variant.lifecycle().isAdmitted())
        .findFirst();
  }

  /**
   * {@return what holds quota for a workload: itself, or the variant that it runs on, else the best
   * that waits for its admission checks}
   */
  Optional<WorkloadRecord> holder(WorkloadRecord record) {
    if (!record.hasVariants()) {
      return Optional.of(record).filter(known -> known.reservation != null);
    }
    return running(record)
        .or(() ->
            of(record).stream().filter(variant -> variant.reservation != null).findFirst())
        .filter(variant -> variant.reservation != null);
  }

  /** {@return the variants of a workload that may be tried, made up if it is not queued yet} */
  ImmutableList<WorkloadRecord> toTry(WorkloadRecord record, QueueState queue, Instant now) {
    if (record.hasVariants()) {
      return of(record).stream().filter(state.pending()::isQueueable).collect(toImmutableList());
    }
    ImmutableList<String> flavors = VariantReview.flavors(queue);
    ImmutableList.Builder<WorkloadRecord> found = ImmutableList.builder();
    for (int i = 0; i < flavors.size(); i++) {
      found.add(state.newRecord(VariantNames.variant(record, flavors.get(i), i, true), now));
    }
    return found.build();
  }

  /** {@return what a workload holds quota for, by its own name} */
  Optional<Admission> admission(WorkloadRecord record) {
    return holder(record).flatMap(WorkloadRecord::admission).map(VariantNames::submitted);
  }

  /** {@return whether a variant has all that it needs, but another one has not stopped yet} */
  boolean isHeldBack(WorkloadRecord record) {
    return record.isVariant() && !record.lifecycle().isAdmitted() && runsElsewhere(record);
  }

  /** {@return whether a holder of quota is a variant that its workload does not run on} */
  boolean isIdle(QuotaHolder holder) {
    return isIdle(holder.workload().source().id());
  }

  private boolean isIdle(WorkloadId id) {
    if (!VariantNames.isVariant(id)) {
      return false;
    }
    WorkloadRecord parent = state.record(VariantNames.submitted(id));
    WorkloadRecord variant = state.record(id);
    return parent == null || variant == null || !runs(variant, parent);
  }

  /** {@return whether a workload runs on one of its variants, as far as anybody was told to} */
  static boolean runs(WorkloadRecord variant, WorkloadRecord parent) {
    return variant.lifecycle().isAdmitted() && parent.lifecycle().isAdmitted();
  }

  /**
   * {@return what a victim is called: by its workload, or if that does not run, by its own name}
   */
  WorkloadId nameOfVictim(WorkloadId id) {
    return isIdle(id) ? id : VariantNames.submitted(id);
  }

  private boolean runsElsewhere(WorkloadRecord variant) {
    WorkloadRecord parent =
        state.record(VariantNames.submitted(variant.workload().id()));
    return parent != null
        && running(parent).filter(running -> !running.equals(variant)).isPresent();
  }

  // ----- what the cycle asks

  @Override
  public boolean runsElsewhere(Candidate head) {
    if (!isOn || !VariantNames.isVariant(head.compiled().source().id())) {
      return false;
    }
    return runsElsewhere(QueuedWorkload.record(head));
  }

  @Override
  public boolean mayPreempt(Candidate head) {
    Workload workload = head.compiled().source();
    if (!gatesCount || workload.preemptionGates().isEmpty()) {
      return true;
    }
    LifecycleState known = QueuedWorkload.record(head).lifecycle();
    return workload.preemptionGates().stream().allMatch(known::isOpen);
  }

  /** Notes how an attempt at a head ended that was not admitted. */
  void tried(Candidate head, Attempt attempt, Explainer explainer, Instant now) {
    if (!gatesCount) {
      return;
    }
    WorkloadRecord record = QueuedWorkload.record(head);
    if (!record.isVariant() && !attempt.isGated()) {
      return;
    }
    LifecycleState step = record.lifecycle();
    if (attempt.isGated()) {
      step = step.blockedOnGates(now);
    }
    if (record.isVariant()) {
      AdmissionResult.Pending told = explainer.pending(head, attempt);
      step = step.notReserved(told.cause().toString(), text(told.reasons()), now);
    }
    state.lifecycles().books().set(record, step);
    if (attempt.isMigrating()) {
      WorkloadRecord parent = Objects.requireNonNull(
          state.record(VariantNames.submitted(record.workload().id())));
      running(parent)
          .filter(running -> !running.isToldToStop())
          .ifPresent(running -> migrate(state, running, record, now));
    }
  }

  static String text(ImmutableList<Reason> reasons) {
    return reasons.stream().map(Reason::message).collect(Collectors.joining("; "));
  }

  /** Tells a variant to stop, for a better one of the same workload. */
  static void migrate(
      EngineState state, WorkloadRecord running, WorkloadRecord better, Instant now) {
    state
        .lifecycles()
        .evict(
            running,
            EvictionReason.FLAVOR_MIGRATION,
            Optional.empty(),
            "Evicted to accommodate a workload (UID: " + better.workload().uid()
                + ") due to migration to more favorable resource flavor",
            now);
  }

  // ----- what follows

  /** Notes that something has changed for a workload, if it has variants or is one. */
  void note(WorkloadRecord record) {
    if (isOn && (record.hasVariants() || record.isVariant())) {
      adopt(record);
    }
  }

  /** Notes that a workload is to have variants. */
  void adopt(WorkloadRecord record) {
    WorkloadId id = VariantNames.submitted(record.workload().id());
    if (unsettled.add(id)) {
      state.undo().add(() -> unsettled.remove(id));
    }
  }

  /** Notes that a ClusterQueue has changed. */
  void queueChanged(QueueState queue) {
    if (isOn && queue.quota().compiled().source().concurrentAdmissionPolicy().isPresent()) {
      queue.load();
      state.inheritance().takeOutside();
      for (String key : state.configuration().localQueuesOf(queue.name())) {
        state.workloads().ofLocalQueue(key).forEach(this::note);
      }
    }
  }

  /** Does what follows for the workload of one variant, and for nobody else. */
  void settle(WorkloadId variant, Instant now) {
    WorkloadId id = VariantNames.submitted(variant);
    while (unsettled.remove(id)) {
      state.undo().add(() -> unsettled.add(id));
      WorkloadRecord record = state.record(id);
      if (record != null) {
        new VariantReview(state, record, now).run();
      }
    }
  }

  /** Does what follows from everything noted so far. */
  void settle(Instant now) {
    while (!unsettled.isEmpty()) {
      settle(unsettled.first(), now);
    }
  }
}
