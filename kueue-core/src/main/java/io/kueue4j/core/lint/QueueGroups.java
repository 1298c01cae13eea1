package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableMultiset.toImmutableMultiset;
import static java.util.stream.Collectors.toCollection;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multiset;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Sets;
import com.google.common.math.LongMath;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The groups of up to three ClusterQueues that may preempt each other's workloads, and the
 * workloads to try them with.
 */
final class QueueGroups {
  private static final int MAX_QUEUES = 3;

  /** The policies by which priorities decide who is preempted. */
  private static final Set<Policy> BY_PRIORITY =
      Sets.immutableEnumSet(Policy.LOWER_PRIORITY, Policy.LOWER_OR_NEWER_EQUAL_PRIORITY);

  /**
   * A group.
   *
   * @param queues the ClusterQueues
   * @param types the types of workloads to try
   */
  record Group(List<ClusterQueueView> queues, List<JobType> types) {}

  private final WorldModel model;
  private final int limit;
  private final List<Group> groups = new ArrayList<>();

  private final Map<String, Integer> kindOfQueue = new HashMap<>();

  /**
   * Makes the groups.
   *
   * @param limit the largest number of groups
   */
  QueueGroups(WorldModel model, int limit) {
    this.model = model;
    this.limit = limit;
    Map<Object, Integer> kinds = new HashMap<>();
    ListMultimap<Integer, ClusterQueueView> queues =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    for (ClusterQueueView queue : model.queues()) {
      List<Object> kind = List.of(model.tree(queue), WorldModel.kind(queue));
      int number = kinds.computeIfAbsent(kind, unused -> kinds.size());
      kindOfQueue.put(queue.name(), number);
      queues.put(number, queue);
    }
    ListMultimap<String, ClusterQueueView> trees =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    for (int kind : queues.keySet()) {
      for (ClusterQueueView queue : representatives(queues.get(kind))) {
        trees.put(model.tree(queue), queue);
      }
    }
    for (int size = 1; size <= MAX_QUEUES; size++) {
      for (String tree : trees.keySet()) {
        addGroups(trees.get(tree), size);
      }
    }
  }

  /** {@return of queues of one kind the one with the least quota, the most, and one between} */
  private static Collection<ClusterQueueView> representatives(List<ClusterQueueView> equal) {
    List<ClusterQueueView> sorted =
        equal.stream().sorted(Comparator.comparing(QueueGroups::quota)).toList();
    int last = sorted.size() - 1;
    return ImmutableSet.of(sorted.get(0), sorted.get(last), sorted.get(last / 2));
  }

  private static BigInteger quota(ClusterQueueView queue) {
    return queue.usage().stream()
        .map(quota -> BigInteger.valueOf(quota.nominal()))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** {@return the groups, ClusterQueues alone before pairs and triples} */
  List<Group> all() {
    return groups;
  }

  /** {@return whether there are as many groups as the limit allows, so that some may be missing} */
  boolean isCut() {
    return groups.size() == limit;
  }

  private void addGroups(List<ClusterQueueView> tree, int size) {
    Set<Object> seen = new HashSet<>();
    for (String resource : resources(tree)) {
      SetMultimap<Integer, Integer> neighbors =
          size == 1 || isCut() ? ImmutableSetMultimap.of() : neighbors(tree, resource);
      for (int i = 0; i < tree.size() && !isCut(); i++) {
        if (size == 1) {
          if (preemptsWithin(tree.get(i))) {
            add(seen, resource, tree.get(i));
          }
          continue;
        }
        for (int j : neighbors.get(i)) {
          if (size == 2 && j > i) {
            add(seen, resource, tree.get(i), tree.get(j));
          }
          if (size == 3) {
            for (int k : Sets.union(neighbors.get(i), neighbors.get(j))) {
              if (k != i && k != j) {
                add(seen, resource, tree.get(i), tree.get(j), tree.get(k));
              }
            }
          }
        }
      }
    }
  }

  /** Adds a group, unless it has one of the same kinds with the same quotas. */
  private void add(Set<Object> seen, String resource, ClusterQueueView... members) {
    if (isCut()) {
      return;
    }
    List<ClusterQueueView> queues =
        Stream.of(members).sorted(Comparator.comparing(ClusterQueueView::name)).toList();
    if (seen.add(proportions(queues, resource))) {
      groups.add(new Group(queues, types(queues, resource)));
    }
  }

  /** {@return the same value for groups of the same kinds whose quotas differ by a factor only} */
  private Multiset<Object> proportions(List<ClusterQueueView> queues, String resource) {
    long divisor =
        queues.stream().flatMap(queue -> amountsOf(queue, resource)).reduce(0L, LongMath::gcd);
    return queues.stream()
        .map(queue -> List.of(
            kindOfQueue.get(queue.name()),
            amountsOf(queue, resource)
                .map(amount -> amount / Math.max(1, divisor))
                .toList()))
        .collect(toImmutableMultiset());
  }

  private static Stream<Long> amountsOf(ClusterQueueView queue, String resource) {
    return quotas(queue, resource).flatMap(quota -> Stream.of(quota.nominal(), quota.available()));
  }

  private static Set<String> resources(List<ClusterQueueView> queues) {
    return queues.stream()
        .flatMap(queue -> queue.usage().stream())
        .map(QuotaUsage::resource)
        .collect(toCollection(TreeSet::new));
  }

  private static Stream<QuotaUsage> quotas(ClusterQueueView queue, String resource) {
    return queue.usage().stream().filter(quota -> quota.resource().equals(resource));
  }

  // ----- who may preempt whom

  private static boolean preemptsWithin(ClusterQueueView queue) {
    return queue.spec().preemption().withinClusterQueue() != Policy.NEVER;
  }

  /** {@return for each queue the queues that it may preempt, or that may preempt it} */
  private static SetMultimap<Integer, Integer> neighbors(
      List<ClusterQueueView> tree, String resource) {
    ListMultimap<String, Integer> reclaiming =
        MultimapBuilder.hashKeys().arrayListValues().build();
    for (int i = 0; i < tree.size(); i++) {
      if (tree.get(i).spec().preemption().reclaimWithinCohort() != Policy.NEVER) {
        for (QuotaUsage quota : quotas(tree.get(i), resource).toList()) {
          reclaiming.put(quota.flavor(), i);
        }
      }
    }
    SetMultimap<Integer, Integer> neighbors =
        MultimapBuilder.hashKeys().treeSetValues().build();
    for (int i = 0; i < tree.size(); i++) {
      for (QuotaUsage quota : quotas(tree.get(i), resource).toList()) {
        if (quota.available() > quota.nominal()) {
          for (int preemptor : reclaiming.get(quota.flavor())) {
            if (preemptor != i) {
              neighbors.put(i, preemptor);
              neighbors.put(preemptor, i);
            }
          }
        }
      }
    }
    return neighbors;
  }

  // ----- workloads

  private List<JobType> types(List<ClusterQueueView> queues, String resource) {
    Set<Integer> priorities = priorities(queues);
    List<JobType> types = new ArrayList<>();
    for (ClusterQueueView queue : queues) {
      for (long amount : amounts(queue, resource)) {
        for (int priority : priorities) {
          types.add(new JobType(
              model.localQueue(queue), ImmutableSortedMap.of(resource, amount), priority));
        }
      }
    }
    return types;
  }

  /**
   * {@return the amounts to try: what the queue owns, what it could get at most, a half and a
   * quarter of that, and more than it could ever get}
   */
  private static NavigableSet<Long> amounts(ClusterQueueView queue, String resource) {
    NavigableSet<Long> amounts = new TreeSet<>();
    long most = quotas(queue, resource).mapToLong(QuotaUsage::available).max().orElse(0);
    if (most > 0 && most <= Long.MAX_VALUE / 2) {
      long quarter = LongMath.divide(most, 4, RoundingMode.CEILING);
      amounts.add(quarter);
      amounts.add(LongMath.divide(most, 2, RoundingMode.CEILING));
      quotas(queue, resource)
          .mapToLong(QuotaUsage::nominal)
          .filter(nominal -> nominal > 0)
          .forEach(amounts::add);
      amounts.add(most);
      amounts.add(most + quarter);
    }
    return amounts;
  }

  /** {@return a low and a high priority, or one if priorities do not count} */
  private Set<Integer> priorities(List<ClusterQueueView> queues) {
    NavigableSet<Integer> classes = model.priorities();
    int low = classes.isEmpty() ? 0 : classes.first();
    int high = classes.isEmpty() ? 0 : classes.last();
    boolean count = false;
    for (ClusterQueueView queue : queues) {
      Preemption preemption = queue.spec().preemption();
      count |= BY_PRIORITY.contains(preemption.withinClusterQueue())
          || BY_PRIORITY.contains(preemption.reclaimWithinCohort())
          || preemption.borrowWithinCohort() != Policy.NEVER;
      OptionalInt threshold = preemption.maxPriorityThreshold();
      if (threshold.isPresent() && (low > threshold.getAsInt() || high <= threshold.getAsInt())) {
        low = threshold.getAsInt();
        high = low;
      }
    }
    if (low == high && high < Integer.MAX_VALUE) {
      high++;
    }
    return count ? ImmutableSet.of(low, high) : ImmutableSet.of(low);
  }
}
