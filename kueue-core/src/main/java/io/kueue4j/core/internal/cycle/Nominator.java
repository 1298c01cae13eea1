package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.attempt.ScanProgress;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.flavor.AssignmentWalk;
import io.kueue4j.core.internal.flavor.FlavorSearch;
import io.kueue4j.core.internal.flavor.PlacementPlan;
import io.kueue4j.core.internal.flavor.PodSetReducer;
import io.kueue4j.core.internal.flavor.PreemptionOracle;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.preemption.PreemptionBounds;
import io.kueue4j.core.internal.preemption.Preemptor;
import io.kueue4j.core.internal.preemption.VictimSource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import io.kueue4j.core.internal.state.Head;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Nominates heads: finds the assignment and the victims with which a head enters the cycle. Changes
 * only the scan progress of the head.
 *
 * <p>Rules: M-26, S-5, F-25, F-32, A-1, A-6, A-7, P-18, P-19, E-3, E-6, T-69, T-70, T-71, T-72,
 * T-74.
 *
 * @param flavors the flavors
 * @param placer places pods and TPU slices
 * @param victims finds victims for a workload in the current state
 * @param replacements finds the elastic slice that a head replaces, null if there is none
 * @param settings the settings
 */
public record Nominator(
    FlavorTable flavors,
    WorkloadPlacer placer,
    VictimSource.Factory victims,
    Function<Head, @Nullable ReplacedSlice> replacements,
    Settings settings) {
  /**
   * {@return the entry of {@code head}, whose scan progress is updated for {@code cycle}}
   *
   * @param bounds the limits of preemption, null if there are none
   */
  Entry nominate(Head head, long cycle, @Nullable PreemptionBounds bounds) {
    if (isOutdated(head.progress(), head, cycle)) {
      head.setProgress(null);
    }
    return nominate(head, cycle, null, bounds);
  }

  /** {@return the entry nominated again in the current state, on the same flavors} */
  Entry renominate(Entry entry, long cycle, @Nullable PreemptionBounds bounds) {
    entry.head().setProgress(null);
    return nominate(entry.head(), cycle, entry.assignment().podSets(), bounds);
  }

  private Entry nominate(
      Head head,
      long cycle,
      @Nullable List<PodSetFlavors> pinned,
      @Nullable PreemptionBounds bounds) {
    Entry entry = assign(head, pinned, bounds);
    head.setProgress(new ScanProgress(
        entry.assignment().podSets(),
        cycle,
        head.queue().quota().generation(),
        head.compiled().shape()));
    return entry;
  }

  /** {@return how {@code head} fits without preemption, null if it does not} */
  public @Nullable Assignment fit(Head head) {
    CompiledWorkload workload = head.compiled();
    FlavorSearch search = new FlavorSearch(
        flavors,
        placer,
        settings,
        PreemptionOracle.NO_CANDIDATES,
        workload,
        head.queue().quota(),
        null,
        null);
    Assignment found = place(head, new AssignmentWalk(search, workload.fullCounts(), null).walk());
    return found.mode() == AssignmentMode.FIT ? found : null;
  }

  private Entry assign(
      Head head, @Nullable List<PodSetFlavors> pinned, @Nullable PreemptionBounds bounds) {
    ReplacedSlice replaced = replacements.apply(head);
    if (replaced == null) {
      return assign(head, pinned, bounds, null);
    }
    // The replaced slice finishes in any case, so it is no candidate for preemption.
    QueueQuota queue = head.queue().quota();
    queue.setAside(replaced.holder(), true);
    try {
      return assign(head, pinned, bounds, replaced);
    } finally {
      queue.setAside(replaced.holder(), false);
    }
  }

  private Entry assign(
      Head head,
      @Nullable List<PodSetFlavors> pinned,
      @Nullable PreemptionBounds bounds,
      @Nullable ReplacedSlice replaced) {
    CompiledWorkload workload = head.compiled();
    QueueQuota queue = head.queue().quota();
    VictimSource finder =
        victims.of(new Preemptor(workload, head.pending().queueTimeMillis(), queue), bounds);
    ScanProgress progress = head.progress();
    Function<int[], Assignment> assigner = counts -> place(
        head,
        new AssignmentWalk(
                new FlavorSearch(
                    flavors, placer, settings, finder, workload, queue, pinned, replaced),
                counts,
                progress)
            .walk());
    Assignment full = assigner.apply(workload.fullCounts());
    Entry nominated = entry(head, full, finder);
    if (nominated != null) {
      return nominated;
    }
    if (settings.isEnabled(FeatureGate.PARTIAL_ADMISSION) && workload.shrinkablePods() > 0) {
      Entry reduced =
          PodSetReducer.search(workload, counts -> entry(head, assigner.apply(counts), finder));
      if (reduced != null) {
        return reduced;
      }
    }
    return new Entry(head, full, List.of(), null, finder.exemptions(), settings);
  }

  /** {@return the entry if the assignment fits, now or after preemption; null otherwise} */
  private @Nullable Entry entry(Head head, Assignment assignment, VictimSource finder) {
    ReplacedSlice slice = assignment.replaced();
    QuotaHolder replaced = slice == null ? null : slice.holder();
    if (assignment.mode() == AssignmentMode.FIT) {
      return new Entry(head, assignment, List.of(), replaced, null, settings);
    }
    if (assignment.mode() != AssignmentMode.PREEMPT) {
      return null;
    }
    PlacementPlan plan = assignment.places() == null ? null : plan(head, assignment);
    List<Victim> victims = finder.find(assignment, () -> plan == null || plan.fits());
    if (victims.isEmpty()) {
      return null;
    }
    Entry entry = new Entry(head, assignment, victims, replaced, finder.exemptions(), settings);
    return plan == null ? entry : entry.withPlaces(placesWithout(entry, plan));
  }

  /**
   * {@return the assignment with places for its pods; it needs preemption if there are places only
   * on nodes in use, and does not fit if there are none at all}
   */
  private Assignment place(Head head, Assignment assignment) {
    if (assignment.mode() == AssignmentMode.NO_FIT
        || !placer.isNeeded(head.compiled(), head.queue().quota())) {
      return assignment;
    }
    PlacementPlan plan = plan(head, assignment);
    if (assignment.mode() == AssignmentMode.FIT) {
      Places places = placer.place(plan, assignment.replaced());
      if (places.isFound()) {
        return assignment.withPlaces(places);
      }
      assignment.reasons().addMisfit(places);
    }
    Places onEmptyNodes = plan.place(false);
    return onEmptyNodes.isFound()
        ? assignment.preemptingForPlaces(onEmptyNodes)
        : assignment.withoutPlaces();
  }

  private PlacementPlan plan(Head head, Assignment assignment) {
    return placer.plan(head.compiled(), head.queue().quota(), assignment);
  }

  private Places placesWithout(Entry entry, PlacementPlan plan) {
    QuotaTree tree = entry.queue().tree();
    return tree.inTrial(() -> {
      TreeLayout layout = tree.layout();
      entry.victims().forEach(victim -> layout.queueOf(victim.holder()).uncharge(victim.holder()));
      if (entry.replaced() != null && !placer.countsKeptPodsOnce()) {
        layout.queueOf(entry.replaced()).uncharge(entry.replaced());
      }
      return plan.place(true);
    });
  }

  private boolean isOutdated(@Nullable ScanProgress progress, Head head, long cycle) {
    if (progress == null) {
      return false;
    }
    if (settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)) {
      if (settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
          && !progress.shape().equals(head.compiled().shape())) {
        return true;
      }
      if (progress.cycle() >= cycle - 1) {
        return false;
      }
    }
    return head.queue().quota().generation() > progress.generation();
  }
}
