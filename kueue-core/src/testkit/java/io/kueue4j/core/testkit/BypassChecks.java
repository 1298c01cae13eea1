package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks that small workloads do not overtake a large one forever: 17. */
final class BypassChecks {
  /** The number of rounds of small workloads after which the large one must have been admitted. */
  private static final int ROUNDS = 30;

  private static final String HERO = "hero";

  private BypassChecks() {}

  /** 17: the oldest workload, which requests the quota of its queue, is admitted. */
  record BypassIsBounded(boolean byReclaimOnly) implements Check {
    @Override
    public List<String> atEnd(Trial trial) {
      Session session = trial.replay();
      if (highest(session.ledger()) >= Integer.MAX_VALUE) {
        // There is no higher priority.
        return List.of();
      }
      for (LocalQueue local : session.ledger().localQueues()) {
        Optional<ClusterQueue> queue = session.ledger().queue(local.clusterQueue());
        if (queue.isPresent()
            && ProbeChecks.isOpen(session, local, queue.get())
            && hasOneFlavorEach(session.ledger(), queue.get())
            && (!byReclaimOnly || mayReclaim(session, queue.get()))) {
          return overtaken(session, local, queue.get());
        }
      }
      return List.of();
    }

    private List<String> overtaken(Session session, LocalQueue local, ClusterQueue queue) {
      Workload hero = hero(session.ledger(), local, queue);
      session.play(new Step.Submit(hero));
      for (int round = 0; round < ROUNDS; round++) {
        submitSmallOnes(session, hero, round);
        if (!byReclaimOnly) {
          finishOldest(session.ledger()).ifPresent(session::play);
        }
        session.stopVictims();
        session.play(new Step.Cycle());
        if (!byReclaimOnly) {
          session.play(new Step.Cycle());
        }
        if (session.ledger().holdsQuota(hero.id())) {
          return List.of();
        }
      }
      return List.of("for " + ROUNDS + " rounds others are admitted and not " + hero.id()
          + ", which asks for the nominal quota of ClusterQueue " + queue.name());
    }
  }

  /** {@return a step that finishes the workload that has held quota for longest} */
  private static Optional<Step> finishOldest(Ledger books) {
    return books.admissions().values().stream()
        .min(Comparator.comparing(admission -> admission.quotaReservedTime()))
        .map(admission -> new Step.Tell(Step.Event.FINISHED, admission.workload()));
  }

  // ----- whom it is claimed of

  /** {@return whether each resource of a queue has one flavor, which is eligible for all pods} */
  private static boolean hasOneFlavorEach(Ledger books, ClusterQueue queue) {
    return !queue.resourceGroups().isEmpty()
        && queue.resourceGroups().stream()
            .allMatch(group -> group.flavors().size() == 1
                && FlavorChecks.isOpen(books, group.flavors().get(0)));
  }

  /**
   * {@return whether a queue can reclaim its whole quota}
   *
   * <p>With several resources it may not: one resource that fits by borrowing, because a workload
   * that uses no other is not a candidate, prevents reclaiming the others (P-12, P-13).
   */
  private static boolean mayReclaim(Session session, ClusterQueue queue) {
    Ledger books = session.ledger();
    boolean hasOneResource = queue.resourceGroups().stream()
            .mapToInt(group -> group.coveredResources().size())
            .sum()
        == 1;
    return hasOneResource
        && books.settings().fairSharing().isEmpty()
        && !books.isServedByUsage(queue.name())
        && queue.preemption().withinClusterQueue() != Preemption.Policy.NEVER
        && (queue.cohort().isEmpty()
            || queue.preemption().reclaimWithinCohort() == Preemption.Policy.ANY)
        && session.seen().clusterQueues().values().stream().allMatch(each -> each.active())
        && !books.hasGreatUsage()
        && forgetsPreemptors(books)
        && goesFirstAsBorrower(books, queue)
        && (queue.cohort().isEmpty()
            || books.queues().stream()
                .noneMatch(other -> !other.equals(queue) && holdsRoom(books, other)))
        && (isBelowNominal(books, queue)
            || new QuotaBooks(books, Set.of()).excess().isEmpty());
  }

  /**
   * {@return whether a preemptor that does not fit any more lets others of its queue be served}
   *
   * <p>Without the fix it stays first (U-11) as long as it is active, which with the gate
   * FlavorFungibility off it is forever (F-26).
   */
  private static boolean forgetsPreemptors(Ledger books) {
    return books.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY)
        || books.settings().includes(KueueFix.FORGOTTEN_PREEMPTORS);
  }

  /**
   * {@return whether no workload of lower priority takes what the victims of a borrower free}
   *
   * <p>A queue that may preempt while it borrows tries that first (P-12), and so spares workloads
   * of its own. In nested cohorts a workload with a lower borrow level goes before the
   * borrower (S-7) and takes what its victims freed; they are admitted again and preempted again.
   * With the gate PrioritizePreemptorWorkloads the preemptor goes first.
   */
  private static boolean goesFirstAsBorrower(Ledger books, ClusterQueue queue) {
    boolean isInNestedCohorts = books.cohorts().stream()
        .filter(cohort -> cohort.parent().isPresent())
        .anyMatch(cohort -> queue.cohort().equals(Optional.of(cohort.name()))
            || queue.cohort().equals(cohort.parent()));
    return !isInNestedCohorts
        || queue.preemption().borrowWithinCohort() == Preemption.Policy.NEVER
        || books.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS);
  }

  /**
   * {@return whether a queue may hold room for a workload without victims, cycle after cycle}
   *
   * <p>Room is held (S-18) for a workload that does not borrow before the fit check of one that
   * does. The victims of the borrower were found without that room (P-18): they do not suffice, and
   * it preempts none. A BestEffortFIFO queue parks the workload without victims and all of its
   * shape (U-15), and so holds room once.
   */
  private static boolean holdsRoom(Ledger books, ClusterQueue queue) {
    boolean parksShapes = queue.queueingStrategy() == QueueingStrategy.BEST_EFFORT_FIFO
        && books.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING);
    return queue.cohort().isPresent()
        && !parksShapes
        && queue.preemption().reclaimWithinCohort() != Preemption.Policy.ANY;
  }

  /**
   * {@return whether a queue uses less than its nominal quota}
   *
   * <p>Otherwise it may preempt in itself only (P-12). That is enough unless others use more than
   * there is, which they do after quota was taken away.
   */
  private static boolean isBelowNominal(Ledger books, ClusterQueue queue) {
    QuotaBooks quotas = new QuotaBooks(books, Set.of());
    return QuotaBooks.quotas(queue.resourceGroups()).entrySet().stream()
        .allMatch(quota -> quotas
                .usage(queue.name(), quota.getKey())
                .compareTo(BigInteger.valueOf(quota.getValue().nominalQuota()))
            < 0);
  }

  // ----- the workloads

  private static Workload hero(Ledger books, LocalQueue local, ClusterQueue queue) {
    PodSet.Builder podSet = PodSet.builder();
    for (ResourceGroup group : queue.resourceGroups()) {
      for (ResourceQuota quota : group.flavors().get(0).resources()) {
        podSet.requestAmount(
            quota.resource(), Math.min(quota.nominalQuota(), Ledger.GREAT.longValue()));
      }
    }
    return Workload.builder()
        .namespace(local.namespace())
        .name(HERO)
        .queueName(local.name())
        .priority(Math.toIntExact(highest(books) + 1))
        .creationTime(Scenario.START.minusSeconds(3600))
        .addPodSets(podSet.build())
        .build();
  }

  private static long highest(Ledger books) {
    return books.workloads().stream().mapToLong(books::priority).max().orElse(0);
  }

  /** Submits one small workload to each LocalQueue. */
  private static void submitSmallOnes(Session session, Workload hero, int round) {
    for (LocalQueue local : session.ledger().localQueues()) {
      PodSet.Builder podSet = PodSet.builder();
      session
          .ledger()
          .queue(local.clusterQueue())
          .ifPresent(queue -> queue.resourceGroups().stream()
              .flatMap(group -> group.coveredResources().stream())
              .filter(resource -> !resource.equals(QuotaGenerator.PODS))
              .forEach(resource -> podSet.requestAmount(resource, 1)));
      session.play(new Step.Submit(Workload.builder()
          .namespace(local.namespace())
          .name("small-" + local.name() + "-" + round)
          .queueName(local.name())
          .priority(hero.priority() - 1)
          .creationTime(session.ledger().now().plusSeconds(round))
          .addPodSets(podSet.build())
          .build()));
    }
  }
}
