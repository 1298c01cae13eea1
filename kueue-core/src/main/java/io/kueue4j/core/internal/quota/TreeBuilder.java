package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FairSharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the tree of some queues and their cohorts, and moves the queues with their usage into it.
 *
 * <p>Rules: Q-20.
 */
final class TreeBuilder {
  private final List<QueueQuota> queues;
  private final List<CohortNode> cohorts;

  /** In the order of declaration in the tree. */
  private final Set<FlavorResource> pairs = new LinkedHashSet<>();

  private final List<FlavorResource> more = new ArrayList<>();
  private final TrialParticipant participant;
  private final boolean exact;
  private final Journal journal;
  private boolean advancesGenerations = true;

  /**
   * Creates a builder.
   *
   * @param queues all queues of the tree
   * @param cohorts all cohorts of the tree, parents before children; none for a queue alone
   * @param participant what takes part in the trials of the tree
   * @param exact whether an unlimited amount is the greatest amount, of which a part may be lent
   * @param journal records what the trees were
   */
  TreeBuilder(
      List<QueueQuota> queues,
      List<CohortNode> cohorts,
      TrialParticipant participant,
      boolean exact,
      Journal journal) {
    this.queues = queues;
    this.cohorts = cohorts;
    this.participant = participant;
    this.exact = exact;
    this.journal = journal;
  }

  TreeBuilder withColumns(Collection<FlavorResource> morePairs) {
    more.addAll(morePairs);
    return this;
  }

  TreeBuilder keepingGenerations() {
    advancesGenerations = false;
    return this;
  }

  void build() {
    int nodes = cohorts.size() + queues.size();
    int[] parent = new int[nodes];
    boolean[] isQueue = new boolean[nodes];
    double[] weights = new double[nodes];
    @Nullable QueueQuota[] queueOfNode = new @Nullable QueueQuota[nodes];
    NodeQuota[] quotas = new NodeQuota[nodes];
    Map<CohortNode, Integer> nodeOf = new HashMap<>();
    for (int node = 0; node < cohorts.size(); node++) {
      CohortNode cohort = cohorts.get(node);
      nodeOf.put(cohort, node);
      parent[node] = cohort.parent == null ? -1 : nodeOf.getOrDefault(cohort.parent, -1);
      quotas[node] = cohort.quota;
      weights[node] =
          cohort.spec().map(Cohort::fairSharing).orElse(FairSharing.DEFAULT).weight();
    }
    for (int i = 0; i < queues.size(); i++) {
      int node = cohorts.size() + i;
      CohortNode cohort = queues.get(i).cohort;
      parent[node] = cohort == null ? -1 : nodeOf.getOrDefault(cohort, -1);
      isQueue[node] = true;
      queueOfNode[node] = queues.get(i);
      quotas[node] = queues.get(i).quota;
    }
    Arrays.stream(quotas).forEach(quota -> pairs.addAll(Arrays.asList(quota.pairs)));
    queues.forEach(this::addPairsInUse);
    pairs.addAll(more);
    QuotaTree tree = new QuotaTree(
        parent, isQueue, quotas, pairs.toArray(new FlavorResource[0]), exact, journal);
    tree.setParticipant(participant);
    tree.fillUsage(usage(tree));
    TreeLayout layout = new TreeLayout(tree, queueOfNode, weights, resourceOfColumn(tree));
    boolean[] present = new boolean[nodes];
    for (int i = 0; i < queues.size(); i++) {
      QueueQuota queue = queues.get(i);
      queue.place(new QueueQuota.Place(tree, layout, cohorts.size() + i));
      present[queue.node()] = queue.isActive();
      if (advancesGenerations) {
        queue.advanceGeneration();
      }
    }
    tree.computeHeights(present);
  }

  /** {@return the number of the resource of each column, in the order of names} */
  private static int[] resourceOfColumn(QuotaTree tree) {
    int[] numbers = new int[tree.columnCount()];
    List<String> names = IntStream.range(0, numbers.length)
        .mapToObj(column -> tree.pair(column).resource().name())
        .toList();
    List<String> sorted = names.stream().distinct().sorted().toList();
    Arrays.setAll(numbers, column -> sorted.indexOf(names.get(column)));
    return numbers;
  }

  /**
   * Adds a column for every pair that workloads hold, even with amount 0 or of a flavor that is not
   * declared any more.
   */
  private void addPairsInUse(QueueQuota queue) {
    queue.holders().forEach(holder -> pairs.addAll(Arrays.asList(holder.pairs())));
  }

  private long[][] usage(QuotaTree tree) {
    long[][] usage = new long[tree.nodeCount()][];
    for (int i = 0; i < queues.size(); i++) {
      QueueQuota queue = queues.get(i);
      long[] row = new long[tree.columnCount()];
      for (int column = 0; column < row.length; column++) {
        row[column] = queue.usage(tree.pair(column));
      }
      usage[cohorts.size() + i] = row;
    }
    return usage;
  }
}
