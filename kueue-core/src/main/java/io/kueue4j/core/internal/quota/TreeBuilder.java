package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FairSharing;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds trees of queues and their cohorts, and moves the queues with their usage into them.
 *
 * <p>Rules: Q-20.
 */
final class TreeBuilder {
  private final TrialParticipant participant;
  private final boolean exact;
  private final Journal journal;

  /**
   * Creates a builder.
   *
   * @param participant what takes part in the trials of the trees
   * @param exact whether an unlimited amount is the greatest amount, of which a part may be lent
   * @param journal records what the trees were
   */
  TreeBuilder(TrialParticipant participant, boolean exact, Journal journal) {
    this.participant = participant;
    this.exact = exact;
    this.journal = journal;
  }

  /**
   * Builds a tree.
   *
   * @param members its cohorts and queues
   * @param more pairs that get a column even if no node declares them and no workload holds them
   * @param advancesGenerations whether quota may have become available
   */
  void build(CohortTree members, List<FlavorResource> more, boolean advancesGenerations) {
    List<CohortNode> cohorts = members.cohorts();
    List<QueueQuota> queues = members.queues();
    if (queues.isEmpty()) {
      return;
    }
    int nodes = cohorts.size() + queues.size();
    int[] parent = new int[nodes];
    boolean[] isQueue = new boolean[nodes];
    double[] weights = new double[nodes];
    @Nullable QueueQuota[] queueOfNode = new @Nullable QueueQuota[nodes];
    DeclaredQuota[] quotas = new DeclaredQuota[nodes];
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
    // In the order of declaration in the tree.
    Set<FlavorResource> pairs = new LinkedHashSet<>();
    Arrays.stream(quotas).forEach(quota -> pairs.addAll(Arrays.asList(quota.pairs)));
    // Also pairs with amount 0, or of a flavor that is not declared any more.
    queues.forEach(
        queue -> queue.holders().forEach(holder -> pairs.addAll(Arrays.asList(holder.pairs()))));
    pairs.addAll(more);
    QuotaTree tree = new QuotaTree(
        parent, isQueue, quotas, pairs.toArray(new FlavorResource[0]), exact, journal);
    tree.setParticipant(participant);
    tree.resetUsage(usage(tree, queueOfNode));
    TreeLayout layout = new TreeLayout(tree, queueOfNode, weights, resourceOfColumn(tree));
    for (int i = 0; i < queues.size(); i++) {
      queues.get(i).place(new QueueQuota.Place(tree, layout, cohorts.size() + i));
      if (advancesGenerations) {
        queues.get(i).advanceGeneration();
      }
    }
    members.computeHeights();
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

  private static long[][] usage(QuotaTree tree, @Nullable QueueQuota[] queues) {
    long[][] usage = new long[queues.length][tree.columnCount()];
    for (int node = 0; node < queues.length; node++) {
      QueueQuota queue = queues[node];
      for (int column = 0; queue != null && column < tree.columnCount(); column++) {
        usage[node][column] = queue.usage(tree.pair(column));
      }
    }
    return usage;
  }
}
