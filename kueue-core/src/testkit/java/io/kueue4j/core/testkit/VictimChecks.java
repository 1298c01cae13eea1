package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks of victims: 15 and 16. */
final class VictimChecks {
  private VictimChecks() {}

  /** {@return the victims named in a step, whether evicted or not} */
  private static List<ObservedPreemption> named(Moment moment) {
    return moment.played().outcome() instanceof StepOutcome.Decided decided
        ? decided.decision().victims()
        : moment.played().evictions();
  }

  // ----- 15

  static List<String> nominalIsSafe(Moment moment) {
    List<String> wrong = new ArrayList<>();
    for (ObservedPreemption eviction : named(moment)) {
      Ledger before = moment.before();
      Admission held = before.admissions().get(eviction.victim());
      Optional<ClusterQueue> preemptors =
          workload(moment, eviction.preemptor()).flatMap(before::queueOf);
      if (held == null || preemptors.isEmpty()) {
        continue;
      }
      String queue = held.clusterQueue();
      boolean isForOther = !preemptors.get().name().equals(queue);
      if (isForOther && before.queue(queue).isPresent() && !mayBorrow(moment, queue)) {
        wrong.add(eviction + " is of ClusterQueue " + queue + ", which uses "
            + before.usage(queue, Set.of()) + " and no pair above its nominal quota");
      }
    }
    return wrong;
  }

  private static Optional<Workload> workload(Moment moment, WorkloadId id) {
    return moment.played().step() instanceof Step.TryAdmit tryAdmit
            && tryAdmit.workload().id().equals(id)
        ? Optional.of(tryAdmit.workload())
        : moment.before().workload(id);
  }

  /**
   * {@return whether a queue exceeds its nominal quota, including possible earlier admissions of
   * its own head}
   */
  private static boolean mayBorrow(Moment moment, String queue) {
    QuotaBooks books = new QuotaBooks(moment.before(), Set.of());
    Map<String, BigInteger> own = new TreeMap<>();
    if (moment.played().outcome() instanceof StepOutcome.Cycled cycled) {
      Set<WorkloadId> tried = new TreeSet<>(cycled.decisions().waiting());
      cycled.decisions().admitted().forEach(admission -> tried.add(admission.workload()));
      for (WorkloadId id : tried) {
        moment.before().workload(id).ifPresent(workload -> {
          if (moment
              .before()
              .queueOf(workload)
              .map(ClusterQueue::name)
              .equals(Optional.of(queue))) {
            demand(moment.before(), workload)
                .forEach((resource, amount) -> own.merge(resource, amount, BigInteger::add));
          }
        });
      }
    }
    Set<Pair> pairs = new LinkedHashSet<>(moment.before().usage(queue, Set.of()).keySet());
    moment
        .before()
        .queue(queue)
        .ifPresent(spec -> pairs.addAll(QuotaBooks.quotas(spec.resourceGroups()).keySet()));
    return pairs.stream()
        .anyMatch(
            pair -> books.borrows(queue, pair, own.getOrDefault(pair.resource(), BigInteger.ZERO)));
  }

  /** {@return the requests of the pods of a workload, by resource} */
  static Map<String, BigInteger> demand(Ledger books, Workload workload) {
    Map<String, BigInteger> demand = new TreeMap<>();
    for (PodSet podSet : workload.podSets()) {
      BigInteger count = BigInteger.valueOf(books.podCount(workload, podSet));
      podSet
          .requests()
          .forEach((resource, amount) ->
              demand.merge(resource, BigInteger.valueOf(amount).multiply(count), BigInteger::add));
    }
    return demand;
  }

  // ----- 16

  /** 16: with any victim restored, the preemptor does not fit. */
  record NoNeedlessVictim(boolean mayBorrow) implements Check {
    @Override
    public List<String> afterStep(Moment moment) {
      List<ObservedPreemption> victims = named(moment);
      Set<WorkloadId> preemptors = new TreeSet<>();
      victims.forEach(victim -> preemptors.add(victim.preemptor()));
      boolean isCycle = moment.played().step() instanceof Step.Cycle;
      // A cycle reports only new evictions, and several preemptors share their victims.
      if (preemptors.size() != 1 || (isCycle && !moment.before().stopping().isEmpty())) {
        return List.of();
      }
      return workload(moment, preemptors.iterator().next())
          .map(preemptor -> needless(moment.before(), preemptor, victims))
          .orElse(List.of());
    }

    private List<String> needless(
        Ledger books, Workload preemptor, List<ObservedPreemption> victims) {
      Optional<ClusterQueue> queue = books.queueOf(preemptor);
      boolean mayShrink = books.isEnabled(FeatureGate.PARTIAL_ADMISSION)
          && preemptor.podSets().stream().anyMatch(podSet -> podSet.minCount().isPresent());
      if (queue.isEmpty() || mayShrink) {
        return List.of();
      }
      Optional<Map<Pair, BigInteger>> asked = onlyFlavors(books, queue.get(), preemptor);
      boolean saturates = books.hasGreatUsage()
          || asked.stream()
              .flatMap(amounts -> amounts.values().stream())
              .anyMatch(amount -> amount.compareTo(Ledger.GREAT) >= 0);
      if (asked.isEmpty() || saturates) {
        return List.of();
      }
      List<String> wrong = new ArrayList<>();
      for (ObservedPreemption back : victims) {
        Set<WorkloadId> gone = new TreeSet<>();
        victims.forEach(victim -> gone.add(victim.victim()));
        gone.remove(back.victim());
        if (fits(new QuotaBooks(books, gone), queue.get().name(), asked.get())) {
          wrong.add(back.victim() + " need not stop for " + preemptor.id() + ", which needs "
              + asked.get() + " and has it without " + gone);
        }
      }
      return wrong;
    }

    private boolean fits(QuotaBooks books, String queue, Map<Pair, BigInteger> asked) {
      return asked.entrySet().stream()
          .allMatch(each -> each.getValue().compareTo(books.available(queue, each.getKey())) <= 0
              && (mayBorrow || !books.borrows(queue, each.getKey(), each.getValue())));
    }
  }

  /** {@return the requests of a workload by pair, if each resource has only one flavor} */
  private static Optional<Map<Pair, BigInteger>> onlyFlavors(
      Ledger books, ClusterQueue queue, Workload workload) {
    Set<Pair> listed = QuotaBooks.quotas(queue.resourceGroups()).keySet();
    if (listed.stream().anyMatch(pair -> pair.resource().equals(QuotaGenerator.PODS))) {
      return Optional.empty();
    }
    Map<Pair, BigInteger> asked = new TreeMap<>();
    for (Map.Entry<String, BigInteger> each : demand(books, workload).entrySet()) {
      List<Pair> choices =
          listed.stream().filter(pair -> pair.resource().equals(each.getKey())).toList();
      if (choices.size() > 1) {
        return Optional.empty();
      }
      if (choices.size() == 1 && each.getValue().signum() > 0) {
        asked.put(choices.get(0), each.getValue());
      }
    }
    return Optional.of(asked);
  }
}
