package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks of quota and usage: 1, 3, 4 and 5. */
final class QuotaChecks {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private QuotaChecks() {}

  /** 1: no decision increases an excess over quota. */
  record WithinQuota(boolean onceVictimsStopped) implements Check {
    @Override
    public List<String> afterStep(Moment moment) {
      if (moment.admitted().isEmpty()) {
        return List.of();
      }
      Map<String, BigInteger> before = excess(moment.before());
      List<String> wrong = new ArrayList<>();
      excess(moment.after()).forEach((where, excess) -> {
        BigInteger earlier = before.getOrDefault(where, BigInteger.ZERO);
        if (excess.compareTo(earlier) > 0) {
          wrong.add(where + " is " + excess + " above what it may use, " + earlier + " before");
        }
      });
      return wrong;
    }

    private Map<String, BigInteger> excess(Ledger ledger) {
      return new QuotaBooks(ledger, onceVictimsStopped ? ledger.stopping() : Set.of()).excess();
    }
  }

  static List<String> usageIsWhatIsHeld(Moment moment) {
    List<String> wrong = new ArrayList<>();
    moment.played().after().clusterQueues().forEach((name, queue) -> {
      Map<String, Long> expected = new TreeMap<>();
      moment.after().usage(name, Set.of()).forEach((pair, amount) -> {
        if (amount.signum() != 0) {
          expected.put(pair.toString(), amount.min(MAX).longValueExact());
        }
      });
      if (!expected.equals(queue.usage())) {
        wrong.add("ClusterQueue " + name + " shows usage " + queue.usage() + ", its workloads hold "
            + expected);
      }
    });
    return wrong;
  }

  static List<String> noCredit(Moment moment) {
    List<String> wrong = new ArrayList<>();
    moment.played().after().clusterQueues().forEach((name, queue) -> {
      queue.usage().forEach((pair, amount) -> {
        if (amount < 0) {
          wrong.add("ClusterQueue " + name + " uses " + amount + " of " + pair);
        }
      });
      QueueObservation before = moment.seenBefore().clusterQueues().get(name);
      if (before != null && moment.played().step().decides()) {
        before.usage().forEach((pair, amount) -> {
          long now = queue.usage().getOrDefault(pair, 0L);
          if (now < amount) {
            wrong.add("a decision lowered what ClusterQueue " + name + " uses of " + pair + " from "
                + amount + " to " + now);
          }
        });
      }
    });
    return wrong;
  }

  // ----- 4

  static List<String> nothingIsFree(Moment moment) {
    List<String> wrong = new ArrayList<>();
    for (Admission admission : moment.admitted()) {
      Ledger books = moment.after();
      books
          .workload(admission.workload())
          .ifPresent(workload -> books
              .queue(admission.clusterQueue())
              .ifPresent(queue -> wrong.addAll(unpaid(books, workload, queue, admission))));
    }
    return wrong;
  }

  private static List<String> unpaid(
      Ledger books, Workload workload, ClusterQueue queue, Admission admission) {
    List<String> wrong = new ArrayList<>();
    ImmutableMap.Builder<String, PodSetAssignment> byName = ImmutableMap.builder();
    admission.podSetAssignments().forEach(each -> byName.put(each.name(), each));
    ImmutableMap<String, PodSetAssignment> assignments = byName.buildKeepingLast();
    for (PodSet podSet : workload.podSets()) {
      PodSetAssignment assignment = assignments.get(podSet.name());
      if (assignment == null) {
        wrong.add(workload.id() + " was admitted without its pod set " + podSet.name());
        continue;
      }
      int asked = books.podCount(workload, podSet);
      boolean shrinks =
          books.isEnabled(FeatureGate.PARTIAL_ADMISSION) && podSet.minCount().isPresent();
      int least = shrinks ? Math.min(asked, podSet.minCount().getAsInt()) : asked;
      if (assignment.count() < least || assignment.count() > podSet.count()) {
        wrong.add(workload.id() + " was admitted with " + assignment.count() + " pods in "
            + podSet.name() + ", it has " + asked + " and needs " + least);
      }
      podSet
          .requests()
          .forEach((resource, amount) -> unpaid(
                  books, queue, workload.id(), assignment, resource, amount)
              .ifPresent(wrong::add));
    }
    return wrong;
  }

  private static Optional<String> unpaid(
      Ledger books,
      ClusterQueue queue,
      WorkloadId workload,
      PodSetAssignment assignment,
      String resource,
      long amount) {
    String flavor = assignment.flavors().get(resource);
    Set<Pair> listed = QuotaBooks.quotas(queue.resourceGroups()).keySet();
    if (flavor == null) {
      boolean isCovered = listed.stream().anyMatch(pair -> pair.resource().equals(resource));
      boolean isIgnored =
          books.settings().quotaCheckStrategy() == QuotaCheckStrategy.IGNORE_UNDECLARED;
      return amount == 0 || assignment.count() == 0 || (!isCovered && isIgnored)
          ? Optional.empty()
          : Optional.of(workload + " has no flavor for " + resource);
    }
    BigInteger due = BigInteger.valueOf(amount)
        .multiply(BigInteger.valueOf(assignment.count()))
        .min(MAX);
    SortedMap<String, Long> usage = assignment.resourceUsage();
    if (!BigInteger.valueOf(usage.getOrDefault(resource, 0L)).equals(due)) {
      return Optional.of(workload + " is charged " + usage.get(resource) + " of " + resource
          + " for " + assignment.count() + " pods of " + amount + " each");
    }
    return listed.contains(new Pair(flavor, resource))
        ? Optional.empty()
        : Optional.of(workload + " has " + resource + " in flavor " + flavor
            + ", which ClusterQueue " + queue.name() + " does not list for it");
  }
}
