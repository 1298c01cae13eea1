package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import io.kueue4j.core.testkit.WorkloadDecision.Outcome;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the choice of flavors and the order of admission: 19 and the order by weight. */
final class FlavorChecks {
  private FlavorChecks() {}

  /** 19: a workload that fits in a flavor is admitted. */
  record FittingFlavorAdmits(boolean onlyWhereKueueSearchesOn) implements Check {
    @Override
    public List<String> afterStep(Moment moment) {
      if (!(moment.played().step() instanceof Step.TryAdmit tryAdmit)
          || !(moment.played().outcome() instanceof StepOutcome.Decided decided)
          || decided.decision().outcome() == Outcome.ADMITTED
          || decided.decision().outcome() == Outcome.REJECTED) {
        return List.of();
      }
      Ledger books = moment.before();
      Workload workload = tryAdmit.workload();
      Optional<ClusterQueue> found = books.queueOf(workload);
      if (found.isEmpty() || !isOpen(moment, workload, found.get())) {
        return List.of();
      }
      ClusterQueue queue = found.get();
      boolean fits = !books.hasGreatUsage()
          && (!onlyWhereKueueSearchesOn || searchesOn(books, queue))
          && fits(books, queue, workload);
      return fits
          ? List.of(workload.id() + " fits in ClusterQueue " + queue.name() + " and is "
              + decided.decision().outcome())
          : List.of();
    }
  }

  /** {@return whether a queue searches all flavors for one that needs no preemption} */
  static boolean searchesOn(Ledger books, ClusterQueue queue) {
    FlavorFungibility fungibility = queue.flavorFungibility();
    boolean searchesOn = !books.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY)
        || fungibility.whenCanPreempt() == Policy.TRY_NEXT_FLAVOR;
    // The preference also says which resource of a flavor is the worst, even with the gate off.
    return searchesOn
        && !fungibility.preference().equals(Optional.of(Preference.PREEMPTION_OVER_BORROWING));
  }

  /** {@return whether only quota can prevent the admission of a workload with one plain pod set} */
  private static boolean isOpen(Moment moment, Workload workload, ClusterQueue queue) {
    QueueObservation seen = moment.seenBefore().clusterQueues().get(queue.name());
    boolean isPlain = workload.allowedFlavors().isEmpty()
        && workload.podSets().size() == 1
        && workload.podSets().get(0).nodeSelector().isEmpty()
        && workload.podSets().get(0).nodeAffinity().isEmpty();
    return isPlain
        && seen != null
        && seen.active()
        && BookChecks.mayWait(moment.before(), workload)
        && moment.before().hasNamespace(workload.namespace())
        && workload.admissibilityProblems().isEmpty()
        && queue.namespaceSelector().equals(Optional.of(LabelSelector.everything()));
  }

  private static boolean fits(Ledger books, ClusterQueue queue, Workload workload) {
    PodSet podSet = workload.podSets().get(0);
    Map<String, BigInteger> demand = VictimChecks.demand(books, workload);
    QuotaBooks quota = new QuotaBooks(books, Set.of());
    List<String> covered = queue.resourceGroups().stream()
        .flatMap(group -> group.coveredResources().stream())
        .toList();
    if (covered.contains(QuotaGenerator.PODS)) {
      demand.put(QuotaGenerator.PODS, BigInteger.valueOf(books.podCount(workload, podSet)));
    }
    boolean ignoresOthers =
        books.settings().quotaCheckStrategy() == QuotaCheckStrategy.IGNORE_UNDECLARED;
    boolean isCovered = ignoresOthers || demand.keySet().stream().allMatch(covered::contains);
    return isCovered
        && !queue.resourceGroups().isEmpty()
        && queue.resourceGroups().stream()
            .allMatch(group -> group.flavors().stream()
                .anyMatch(flavor -> fits(books, quota, queue.name(), group, flavor, demand)));
  }

  private static boolean fits(
      Ledger books,
      QuotaBooks quota,
      String queue,
      ResourceGroup group,
      FlavorQuotas flavor,
      Map<String, BigInteger> demand) {
    return isOpen(books, flavor)
        && group.coveredResources().stream()
            .allMatch(resource -> demand
                    .getOrDefault(resource, BigInteger.ZERO)
                    .compareTo(quota.available(queue, new Pair(flavor.flavor(), resource)))
                <= 0);
  }

  /** {@return whether a flavor is eligible for pods without tolerations} */
  static boolean isOpen(Ledger books, FlavorQuotas flavor) {
    return books
        .flavor(flavor.flavor())
        .map(spec -> spec.nodeTaints().stream()
            .noneMatch(taint -> taint.effect().excludes()
                && spec.tolerations().stream().noneMatch(each -> each.tolerates(taint))))
        .orElse(false);
  }

  // ----- weight

  static List<String> weightZeroIsLast(Moment moment) {
    Ledger before = moment.before();
    if (!(moment.played().step() instanceof Step.Cycle)
        || before.settings().fairSharing().isEmpty()
        || before.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS)) {
      return List.of();
    }
    List<String> wrong = new ArrayList<>();
    List<Admission> admitted = moment.admitted();
    for (int i = 0; i < admitted.size(); i++) {
      for (Admission later : admitted.subList(i + 1, admitted.size())) {
        Admission earlier = admitted.get(i);
        Optional<ClusterQueue> first = before.queue(earlier.clusterQueue());
        Optional<ClusterQueue> second = before.queue(later.clusterQueue());
        if (first.isPresent()
            && second.isPresent()
            && first.get().fairSharingWeight() == 0
            && second.get().fairSharingWeight() > 0
            && first.get().cohort().isPresent()
            && first.get().cohort().equals(second.get().cohort())
            && borrows(moment, earlier)) {
          wrong.add(earlier.workload() + " of the borrowing ClusterQueue "
              + first.get().name()
              + " of weight 0 was admitted before " + later.workload() + " of ClusterQueue "
              + second.get().name() + " of weight " + second.get().fairSharingWeight());
        }
      }
    }
    return wrong;
  }

  private static boolean borrows(Moment moment, Admission admission) {
    QuotaBooks books = new QuotaBooks(moment.before(), Set.of());
    return moment.after().charge(admission.workload()).entrySet().stream()
        .anyMatch(each -> each.getValue().signum() > 0
            && books.borrows(admission.clusterQueue(), each.getKey(), each.getValue()));
  }
}
