package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.WorkloadDecision.Outcome;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Checks of an engine without external events until nothing happens: 12, 13, 17, 18 and 20. */
final class RestChecks {
  private RestChecks() {}

  /**
   * {@return whether workloads preempt only lower priorities, and reserve the quota that victims
   * free}
   */
  private static boolean isByPriority(Ledger books) {
    return books.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS)
        && books.queues().stream().map(ClusterQueue::preemption).allMatch(RestChecks::isByPriority);
  }

  private static boolean isByPriority(Preemption preemption) {
    return isByPriority(preemption.withinClusterQueue())
        && isByPriority(preemption.reclaimWithinCohort());
  }

  private static boolean isByPriority(Preemption.Policy policy) {
    return policy == Preemption.Policy.NEVER || policy == Preemption.Policy.LOWER_PRIORITY;
  }

  /**
   * {@return whether no workload of a queue is served before a preemptor that preempted it}
   *
   * <p>Where LocalQueues are served by usage, that goes before stickiness and priority (U-4), so a
   * victim of a LocalQueue with less usage is admitted again before its preemptor. The gate
   * PrioritizePreemptorWorkloads orders the heads of queues only (S-7).
   */
  private static boolean servesPreemptorsFirst(Ledger books) {
    return books.queues().stream()
        .map(ClusterQueue::name)
        .filter(books::isServedByUsage)
        .noneMatch(queue -> localQueuesInUse(books, queue) > 1);
  }

  private static long localQueuesInUse(Ledger books, String queue) {
    return books.localQueues().stream()
        .filter(local -> local.clusterQueue().equals(queue))
        .filter(local -> books.workloads().stream()
            .anyMatch(workload -> workload.namespace().equals(local.namespace())
                && workload.queueName().equals(local.name())))
        .count();
  }

  /** 12: preemption ends. */
  record ComesToRest(boolean byPriorityOnly) implements Check {
    @Override
    public List<String> atEnd(Trial trial) {
      Session session = trial.replay();
      if (byPriorityOnly
          && !(isByPriority(session.ledger()) && servesPreemptorsFirst(session.ledger()))) {
        return List.of();
      }
      int workloads = session.ledger().workloads().size();
      Session.Rest rest = session.settle();
      if (!rest.cameToRest() && !rest.evictions().isEmpty()) {
        return List.of(rest.evictions().size() + " evictions in " + rest.cycles()
            + " cycles, and no end to it");
      }
      return byPriorityOnly && rest.evictions().size() > workloads
          ? List.of(rest.evictions().size() + " evictions among " + workloads + " workloads")
          : List.of();
    }
  }

  /** 13: preemption is asymmetric. */
  record NoMutualPreemption(boolean byPriorityOnly) implements Check {
    @Override
    public List<String> atEnd(Trial trial) {
      Session session = trial.replay();
      if (byPriorityOnly && !isByPriority(session.ledger())) {
        return List.of();
      }
      Set<List<WorkloadId>> seen = new HashSet<>();
      for (ObservedPreemption eviction : session.settle().evictions()) {
        seen.add(List.of(eviction.preemptor(), eviction.victim()));
        if (seen.contains(List.of(eviction.victim(), eviction.preemptor()))) {
          return List.of(eviction.victim() + " and " + eviction.preemptor()
              + " preempt each other, the last time by " + eviction.reason());
        }
      }
      return List.of();
    }
  }

  static List<String> terminates(Trial trial) {
    Session session = trial.replay();
    boolean mayPreempt = session.ledger().queues().stream()
        .anyMatch(queue -> !queue.preemption().equals(Preemption.never()));
    if (mayPreempt) {
      return List.of();
    }
    Session.Rest rest = session.settle();
    return rest.cameToRest()
        ? List.of()
        : List.of("no rest after " + rest.cycles() + " cycles without preemption");
  }

  // ----- 17

  static List<String> noneIsBypassed(Trial trial) {
    Session session = trial.replay();
    if (!session.settle().cameToRest()) {
      return List.of();
    }
    List<String> wrong = new ArrayList<>();
    Ledger books = session.ledger();
    for (Workload workload : ReplayChecks.waiting(session)) {
      books.queueOf(workload).ifPresent(queue -> {
        Set<WorkloadId> lower = new TreeSet<>();
        books
            .admissions()
            .forEach((id, admission) -> books.workload(id).ifPresent(other -> {
              if (admission.clusterQueue().equals(queue.name())
                  && other.priority() < workload.priority()) {
                lower.add(id);
              }
            }));
        if (!lower.isEmpty() && fitsInNominal(books, queue, workload, lower)) {
          wrong.add(workload.id() + " waits for " + lower + " of lower priority");
        }
      });
    }
    return wrong;
  }

  private static boolean fitsInNominal(
      Ledger books, ClusterQueue queue, Workload workload, Set<WorkloadId> gone) {
    QuotaBooks quota = new QuotaBooks(books, gone);
    Set<Pair> pairs = QuotaBooks.quotas(queue.resourceGroups()).keySet();
    Map<String, BigInteger> demand = VictimChecks.demand(books, workload);
    return demand.entrySet().stream()
        .allMatch(each -> pairs.stream()
            .filter(pair -> pair.resource().equals(each.getKey()))
            .anyMatch(pair -> !quota.borrows(queue.name(), pair, each.getValue())
                && each.getValue().compareTo(quota.available(queue.name(), pair)) <= 0));
  }

  // ----- 18 and 20

  /**
   * {@return whether a history contains nothing that makes Kueue lose an event, miss a
   * workload, or keep a queue busy with one that never fits }
   */
  private static boolean losesNothing(Trial trial, Ledger books) {
    boolean isCalm = trial.scenario().steps().stream()
        .skip(1)
        .noneMatch(step -> step instanceof Step.Apply || step instanceof Step.Remove);
    // Without this gate no workload becomes inadmissible, so the first one blocks the rest (F-26).
    return isCalm
        && books.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY)
        && walksAnew(books)
        && books.localQueues().stream().allMatch(queue -> queue.stopPolicy() == StopPolicy.NONE)
        && books.queues().stream()
            .allMatch(queue -> !queue
                .flavorFungibility()
                .preference()
                .equals(Optional.of(Preference.PREEMPTION_OVER_BORROWING)));
  }

  /**
   * {@return whether no workload is inadmissible after a search that did not start at the first
   * flavor, although something was freed meanwhile (F-24, F-25)}
   */
  private static boolean walksAnew(Ledger books) {
    return !books.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)
        || books.queues().stream()
            .flatMap(queue -> queue.resourceGroups().stream())
            .allMatch(group -> group.flavors().size() == 1);
  }

  /** 18: workloads that could run do. */
  record WorkConserving(boolean withoutChangesOnly) implements Check {
    @Override
    public List<String> atEnd(Trial trial) {
      Session session = trial.replay();
      if ((withoutChangesOnly && !losesNothing(trial, session.ledger()))
          || !session.settle().cameToRest()
          || (withoutChangesOnly && isTryingOn(session))) {
        return List.of();
      }
      List<String> wrong = new ArrayList<>();
      for (Workload workload : ReplayChecks.waiting(session)) {
        if (!waitsOnPurpose(session.ledger(), workload)
            && session.ask(workload).outcome() == Outcome.ADMITTED) {
          wrong.add(workload.id() + " waits, and is admitted when tried");
          break;
        }
      }
      return wrong;
    }

    private static boolean waitsOnPurpose(Ledger books, Workload workload) {
      boolean isStrict = books
          .queueOf(workload)
          .map(queue -> queue.queueingStrategy() == QueueingStrategy.STRICT_FIFO)
          .orElse(true);
      return isStrict || books.requeueTime(workload.id()).isPresent();
    }
  }

  /**
   * {@return whether a workload is tried cycle after cycle, and reserves quota meanwhile (S-18)}
   */
  private static boolean isTryingOn(Session session) {
    return session.seen().clusterQueues().values().stream()
        .anyMatch(queue -> !queue.pending().isEmpty());
  }

  /** 20: the state after single steps equals the rebuilt state. */
  record NoEventIsMissed(boolean withoutChangesOnly) implements Check {
    @Override
    public List<String> atEnd(Trial trial) {
      Session session = trial.replay();
      if ((withoutChangesOnly && !losesNothing(trial, session.ledger()))
          || !session.settle().cameToRest()) {
        return List.of();
      }
      ImmutableList<Workload> waiting = ReplayChecks.waiting(session);
      return session.ledger().hasGreatUsage()
          ? List.of()
          : missed(session.ledger(), ReplayChecks.rebuilt(trial, session), waiting);
    }

    private static List<String> missed(
        Ledger books, Session rebuilt, ImmutableList<Workload> waiting) {
      for (Workload workload : waiting) {
        Optional<Instant> requeueTime = books.requeueTime(workload.id());
        rebuilt.play(
            requeueTime.isPresent()
                ? new Step.RestoreWaiting(workload, requeueTime.get())
                : new Step.Submit(workload));
        ReplayChecks.reclaim(rebuilt, books, workload.id());
      }
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < waiting.size() && wrong.isEmpty(); i++) {
        rebuilt
            .play(new Step.Cycle())
            .played()
            .admitted()
            .forEach(admission ->
                wrong.add(admission.workload() + " waits, and a rebuilt engine admits it"));
      }
      return wrong;
    }
  }
}
