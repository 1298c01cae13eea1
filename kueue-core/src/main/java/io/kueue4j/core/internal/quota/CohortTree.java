package io.kueue4j.core.internal.quota;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Cohort;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All cohorts and ClusterQueues below one root, or one ClusterQueue without cohort. Nothing in it
 * refers to another tree.
 */
public final class CohortTree {
  private final ImmutableList<CohortNode> cohorts;
  private final ImmutableList<QueueQuota> queues;

  private CohortTree(ImmutableList<CohortNode> cohorts, ImmutableList<QueueQuota> queues) {
    this.cohorts = cohorts;
    this.queues = queues;
  }

  /** {@return the tree of a queue} */
  static CohortTree of(QueueQuota queue) {
    return queue.cohort == null
        ? new CohortTree(ImmutableList.of(), ImmutableList.of(queue))
        : below(queue.cohort.root());
  }

  /** {@return the tree of a root; iterative, because the tree may be deep} */
  static CohortTree below(CohortNode root) {
    ImmutableList.Builder<CohortNode> cohorts = ImmutableList.builder();
    ImmutableList.Builder<QueueQuota> queues = ImmutableList.builder();
    Deque<CohortNode> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      CohortNode node = open.pop();
      cohorts.add(node);
      queues.addAll(node.queues.values());
      node.cohorts.descendingMap().values().forEach(open::push);
    }
    return new CohortTree(cohorts.build(), queues.build());
  }

  /** {@return its cohorts, parents before children} */
  ImmutableList<CohortNode> cohorts() {
    return cohorts;
  }

  /** {@return its cohorts that were applied, without cohorts that others only name} */
  public ImmutableList<Cohort> appliedCohorts() {
    return cohorts.stream()
        .flatMap(cohort -> cohort.spec().stream())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return its queues} */
  public ImmutableList<QueueQuota> queues() {
    return queues;
  }

  /** Computes the heights of its cohorts, to which active queues contribute. */
  void computeHeights() {
    QuotaTree tree = queues.get(0).tree();
    boolean[] present = new boolean[tree.nodeCount()];
    queues.forEach(queue -> present[queue.node()] = queue.isActive());
    tree.computeHeights(present);
  }

  /**
   * {@return an independent copy}
   *
   * @param journal the journal of the copy
   */
  CohortTree copy(Journal journal) {
    Map<String, QueueQuota> newQueues = new HashMap<>();
    ImmutableList<QueueQuota> queuesInOrder = copyQueues(journal);
    queuesInOrder.forEach(queue -> newQueues.put(queue.name(), queue));
    Map<String, CohortNode> newCohorts = new HashMap<>();
    ImmutableList.Builder<CohortNode> cohortsInOrder = ImmutableList.builder();
    for (CohortNode cohort : cohorts) {
      CohortNode copy = new CohortNode(cohort, journal);
      newCohorts.put(copy.name, copy);
      cohortsInOrder.add(copy);
      CohortNode parent = cohort.parent == null ? null : newCohorts.get(cohort.parent.name);
      if (parent != null) {
        copy.parent = parent;
        parent.cohorts.put(copy.name, copy);
      }
      for (String member : cohort.queues.keySet()) {
        QueueQuota queue = newQueues.get(member);
        if (queue != null) {
          queue.cohort = copy;
          copy.queues.put(member, queue);
        }
      }
    }
    return new CohortTree(cohortsInOrder.build(), queuesInOrder);
  }

  private ImmutableList<QueueQuota> copyQueues(Journal journal) {
    if (queues.isEmpty()) {
      return queues;
    }
    checkState(!queues.get(0).tree().isInTrial(), "a tree cannot be copied during a trial");
    QuotaTree tree = queues.get(0).tree().copy(journal);
    @Nullable QueueQuota[] ofNode = new @Nullable QueueQuota[tree.nodeCount()];
    TreeLayout layout = queues.get(0).layout().with(ofNode);
    ImmutableList.Builder<QueueQuota> copies = ImmutableList.builderWithExpectedSize(queues.size());
    for (QueueQuota queue : queues) {
      QueueQuota copy = new QueueQuota(queue, tree, layout, journal);
      ofNode[copy.node()] = copy;
      copies.add(copy);
    }
    return copies.build();
  }
}
