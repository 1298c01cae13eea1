package io.kueue4j.core.testkit.reference;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues that candidates can be taken from in one pass, and which of them is next.
 *
 * <p>Rules: H-17, H-18, H-25, X-20.
 */
final class FairTargets {
  private final String ownQueue;
  private final Map<String, Deque<Holder>> candidates = new TreeMap<>();

  /** The queues and cohorts that are excluded for the rest of the pass. */
  private final Set<String> prunedQueues = new HashSet<>();

  private final Set<String> prunedCohorts = new HashSet<>();

  /** Starts a pass with {@code candidates} in the order for each queue. */
  FairTargets(String ownQueue, List<Holder> candidates) {
    this.ownQueue = ownQueue;
    candidates.forEach(candidate -> this.candidates
        .computeIfAbsent(candidate.queue(), unused -> new ArrayDeque<>())
        .add(candidate));
  }

  boolean has(String queue) {
    Deque<Holder> left = candidates.get(queue);
    return left != null && !left.isEmpty();
  }

  /** {@return the next candidate of a queue that has one} */
  Holder take(String queue) {
    return Objects.requireNonNull(candidates.get(queue)).remove();
  }

  /** Takes no more candidates from a queue. */
  void drop(String queue) {
    prunedQueues.add(queue);
  }

  /** {@return the queue to take from next, empty if there is none} */
  Optional<String> next(Snapshot snapshot) {
    Node own = snapshot.queue(ownQueue);
    if (own.parent == null) {
      return has(ownQueue) && !prunedQueues.contains(ownQueue)
          ? Optional.of(ownQueue)
          : Optional.empty();
    }
    Node root = own.root();
    while (!prunedCohorts.contains(root.name)) {
      Optional<String> found = descend(root, own);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<String> descend(Node cohort, Node own) {
    Best best = new Best();
    for (Node child : cohort.children) {
      Share share = Share.of(child);
      if (child.isQueue) {
        if (!has(child.name) || (!share.isBorrowing() && child != own)) {
          prunedQueues.add(child.name);
        }
        if (!prunedQueues.contains(child.name)) {
          best.offerQueue(child, share);
        }
      } else {
        if (!share.isBorrowing() && !own.ancestors().contains(child)) {
          prunedCohorts.add(child.name);
        }
        if (!prunedCohorts.contains(child.name)) {
          best.offerCohort(child, share);
        }
      }
    }
    if (best.cohort == null && best.queue == null) {
      prunedCohorts.add(cohort.name);
      return Optional.empty();
    }
    return best.isCohort()
        ? descend(Objects.requireNonNull(best.cohort), own)
        : Optional.of(Objects.requireNonNull(best.queue).name);
  }

  /** The children of a cohort with the highest shares, of either kind. */
  private final class Best {
    private @Nullable Node queue;
    private @Nullable Share queueShare;
    private @Nullable Node cohort;
    private @Nullable Share cohortShare;

    void offerQueue(Node offered, Share share) {
      int higher = queueShare == null ? 1 : share.compareWith(queueShare);
      if (higher > 0 || (higher == 0 && isServedBefore(offered, Objects.requireNonNull(queue)))) {
        queue = offered;
        queueShare = share;
      }
    }

    private boolean isServedBefore(Node a, Node b) {
      return VictimSearch.order(ownQueue).compare(first(a), first(b)) < 0;
    }

    private Holder first(Node node) {
      return Objects.requireNonNull(candidates.get(node.name)).element();
    }

    /** of equal shares, the first by name. */
    void offerCohort(Node offered, Share share) {
      int higher = cohortShare == null ? 1 : share.compareWith(cohortShare);
      if (higher > 0
          || (higher == 0 && offered.name.compareTo(Objects.requireNonNull(cohort).name) < 0)) {
        cohort = offered;
        cohortShare = share;
      }
    }

    boolean isCohort() {
      return cohortShare != null
          && (queueShare == null || cohortShare.compareWith(queueShare) >= 0);
    }
  }
}
