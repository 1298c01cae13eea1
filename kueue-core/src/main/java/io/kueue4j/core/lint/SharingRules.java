package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.lint.SharedQuotas.TreePair;
import io.kueue4j.core.lint.Stage.Outcome;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.resource.Amount;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Finds queues that lend what they cannot take back, and queues that yield to all others. */
final class SharingRules {
  /** The largest number of pairs, and of borrowers of each, that are tried for a queue. */
  private static final int MAX_TRIED = 4;

  private final Stage stage;
  private final SharedQuotas quotas;

  /** The priorities of all workloads and classes, empty if there are no workloads. */
  private final ImmutableSortedSet<Integer> priorities;

  private final Map<TreePair, ImmutableList<ClusterQueue>> borrowers = new HashMap<>();

  SharingRules(Stage stage, ImmutableList<Workload> workloads) {
    this.stage = stage;
    this.quotas = stage.quotas();
    this.priorities = workloads.isEmpty()
        ? ImmutableSortedSet.of()
        : Stream.concat(
                workloads.stream().map(Workload::priority),
                stage.all(WorkloadPriorityClass.class).stream().map(WorkloadPriorityClass::value))
            .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }

  /** Reports all findings. */
  void check(Consumer<Finding> findings) {
    for (ClusterQueue queue : stage.all(ClusterQueue.class)) {
      if (queue.cohort().isPresent() && stage.view(queue).isActive()) {
        checkReclaim(queue, findings);
      }
    }
    if (stage.settings().fairSharing().isPresent()) {
      stage.all(ClusterQueue.class).stream()
          .filter(queue -> queue.fairSharingWeight() == 0)
          .forEach(queue -> checkWeight(
              queue, ClusterQueue.builder().from(queue).fairSharingWeight(1).build(), findings));
      stage.all(Cohort.class).stream()
          .filter(cohort -> cohort.fairSharingWeight() == 0)
          .forEach(cohort -> checkWeight(
              cohort, Cohort.builder().from(cohort).fairSharingWeight(1).build(), findings));
    }
  }

  private void checkReclaim(ClusterQueue owner, Consumer<Finding> findings) {
    Policy policy = owner.preemption().reclaimWithinCohort();
    boolean isHopeless =
        policy == Policy.NEVER || (policy == Policy.LOWER_PRIORITY && priorities.size() == 1);
    Optional<Entrance> entrance = stage.entrance(owner);
    if (!isHopeless || entrance.isEmpty()) {
      return;
    }
    for (QuotaPair pair : Iterables.limit(quotas.of(owner.key()).keySet(), MAX_TRIED)) {
      long own = quotas.nominal(owner.key(), pair);
      if (own == 0 || Amount.isUnlimited(own) || quotas.lent(owner.key(), pair) == 0) {
        continue;
      }
      for (ClusterQueue borrower : borrowers(quotas.root(owner.key()), pair)) {
        Optional<Play> play = borrower.name().equals(owner.name())
            ? Optional.empty()
            : lent(entrance.get(), owner, borrower, pair);
        if (play.isPresent()) {
          findings.accept(new Finding(
              LintRule.UNRECLAIMABLE_QUOTA,
              owner.key(),
              "preemption.reclaimWithinCohort",
              pair.format(quotas.lent(owner.key(), pair)) + " of its " + pair.format(own) + " of "
                  + pair + " is lent, for example to ClusterQueue " + borrower.name()
                  + ", and the queue cannot take it back: reclaimWithinCohort is " + policy
                  + (policy == Policy.NEVER ? "" : ", and every priority is " + priorities.first()),
              "let it reclaim from Any"
                  + (policy == Policy.NEVER ? " or LowerPriority" : "")
                  + ", or lend less by a lendingLimit",
              play));
          return;
        }
      }
    }
  }

  /** {@return the queues of a tree that can borrow a pair, who can get most first} */
  private ImmutableList<ClusterQueue> borrowers(String root, QuotaPair pair) {
    return borrowers.computeIfAbsent(
        new TreePair(root, pair),
        key -> quotas.queues(root, pair).stream()
            .filter(queue -> stage.view(queue).isActive()
                && quotas.potential(queue.key(), pair) > quotas.nominal(queue.key(), pair)
                && !Amount.isUnlimited(quotas.potential(queue.key(), pair)))
            .sorted(Comparator.comparing(
                queue -> quotas.potential(queue.key(), pair), Comparator.reverseOrder()))
            .limit(MAX_TRIED)
            .collect(toImmutableList()));
  }

  /** {@return the play in which the owner waits for what another queue has borrowed} */
  private Optional<Play> lent(
      Entrance at, ClusterQueue owner, ClusterQueue borrower, QuotaPair pair) {
    Optional<Entrance> other = stage.entrance(borrower);
    if (other.isEmpty()) {
      return Optional.empty();
    }
    Workload borrowed = ofOnePriority(
        stage.request(other.get().queue(), 1, pair, quotas.potential(borrower.key(), pair)));
    Workload reclaiming =
        ofOnePriority(stage.request(at.queue(), 2, pair, quotas.nominal(owner.key(), pair)));
    Outcome outcome = stage.play(
        both(other.get(), at),
        ImmutableList.of(ImmutableList.of(borrowed), ImmutableList.of(reclaiming)));
    return outcome.holds(pair)
            && !outcome.holds(reclaiming)
            && stage.play(at, reclaiming).holds(reclaiming)
        ? Optional.of(outcome.play())
        : Optional.empty();
  }

  private Workload ofOnePriority(Workload workload) {
    return priorities.size() == 1
        ? Workload.builder().from(workload).priority(priorities.first()).build()
        : workload;
  }

  /** {@return what is added for two entrances, which may share a namespace} */
  private static ImmutableList<ConfigObject> both(Entrance one, Entrance other) {
    return Stream.concat(one.added().stream(), other.added().stream())
        .distinct()
        .collect(toImmutableList());
  }

  private void checkWeight(ConfigObject node, ConfigObject weighted, Consumer<Finding> findings) {
    Optional<String> parent = quotas.parent(node.key());
    if (parent.isEmpty()) {
      return;
    }
    for (ClusterQueue poor : quotas.queues(quotas.root(node.key()))) {
      if (!quotas.isWithin(poor.key(), node.key())) {
        continue;
      }
      for (QuotaPair pair : quotas.of(poor.key()).keySet()) {
        Optional<Finding> finding = borrowers(quotas.root(node.key()), pair).stream()
            .filter(rich -> quotas.isWithin(rich.key(), parent.get())
                && !quotas.isWithin(rich.key(), node.key()))
            .flatMap(rich -> yielding(node, weighted, poor, rich, pair).stream())
            .findFirst();
        if (finding.isPresent()) {
          findings.accept(finding.get());
          return;
        }
      }
    }
  }

  /** {@return the finding that a queue yields to another one only since its weight is 0} */
  private Optional<Finding> yielding(
      ConfigObject node,
      ConfigObject weighted,
      ClusterQueue poor,
      ClusterQueue rich,
      QuotaPair pair) {
    Optional<Entrance> at = stage.entrance(poor);
    Optional<Entrance> other = stage.entrance(rich);
    long extra = Math.min(
        quotas.potential(poor.key(), pair) - quotas.nominal(poor.key(), pair),
        quotas.potential(rich.key(), pair) - quotas.nominal(rich.key(), pair));
    if (at.isEmpty() || other.isEmpty() || extra <= 0) {
      return Optional.empty();
    }
    Workload first = stage.request(
        at.get().queue(), 1, pair, Amount.add(quotas.nominal(poor.key(), pair), extra));
    Workload second = stage.request(
        other.get().queue(), 2, pair, Amount.add(quotas.nominal(rich.key(), pair), extra));
    ImmutableList<ConfigObject> added = both(at.get(), other.get());
    ImmutableList<ImmutableList<Workload>> together =
        ImmutableList.of(ImmutableList.of(first, second));
    Outcome outcome = stage.play(added, ImmutableList.copyOf(together));
    Outcome control =
        stage.with(ImmutableList.of(weighted)).play(added, ImmutableList.copyOf(together));
    boolean isConfirmed = !outcome.holds(first) && outcome.holds(second) && control.holds(first);
    return isConfirmed
        ? Optional.of(new Finding(
            LintRule.ZERO_WEIGHT,
            node.key(),
            "fairSharing.weight",
            "with weight 0, its workloads borrow only when nobody else wants to: ClusterQueue "
                + rich.name() + " is served before ClusterQueue " + poor.name()
                + ", whose workload came first",
            "give it a small weight such as 0.1, unless it is only to fill idle quota",
            Optional.of(outcome.play())))
        : Optional.empty();
  }
}
