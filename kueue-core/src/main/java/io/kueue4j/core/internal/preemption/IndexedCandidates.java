package io.kueue4j.core.internal.preemption;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads candidates lazily from the {@link CandidateIndex}.
 *
 * <p>Rules: P-4, P-5, P-6, P-7, P-8, P-9, P-10.
 */
final class IndexedCandidates implements ClassicalCandidates {
  private final Preemptor preemptor;
  private final Demand demand;
  private final ImmutableList<ReclaimLevel> levels;
  private final boolean readsOwn;
  private final CandidateIndex index;
  private final @Nullable Contests contests;

  /** Lists that were created but not read yet, for reuse. */
  private @Nullable Lists begun;

  /** The three lists of candidates, each in order. */
  private record Lists(
      CandidateWalk<ClassicalCandidate> hierarchical,
      CandidateWalk<ClassicalCandidate> byPriority,
      CandidateWalk<ClassicalCandidate> own) {

    Lists withoutPriority() {
      return new Lists(hierarchical, CandidateWalk.empty(), own);
    }
  }

  IndexedCandidates(
      Preemptor preemptor,
      Demand demand,
      ImmutableList<ReclaimLevel> levels,
      boolean readsOwn,
      CandidateIndex index) {
    this.preemptor = preemptor;
    this.demand = demand;
    this.levels = levels;
    this.readsOwn = readsOwn;
    this.index = index;
    this.contests = levels.isEmpty() ? null : index.contests();
  }

  /** {@return the candidates, null if there cannot be any} */
  static @Nullable IndexedCandidates find(Preemptor preemptor, Demand demand) {
    QueueQuota queue = preemptor.queue();
    ImmutableList<ReclaimLevel> levels = ReclaimLevel.of(queue, demand);
    boolean mayPreemptOwn = !queue.holders().isEmpty()
        && queue.compiled().source().preemption().withinClusterQueue() != PreemptionPolicy.NEVER;
    if (!mayPreemptOwn && levels.isEmpty()) {
      return null;
    }
    CandidateIndex index = CandidateIndex.of(queue, demand.needed());
    boolean readsOwn = mayPreemptOwn && OwnQueueCandidates.mayFindAny(index, preemptor);
    return readsOwn || !levels.isEmpty()
        ? new IndexedCandidates(preemptor, demand, levels, readsOwn, index)
        : null;
  }

  private Lists begun() {
    if (begun == null) {
      begun = new Lists(
          others(true),
          others(false),
          readsOwn ? new OwnQueueCandidates(index, preemptor) : CandidateWalk.empty());
    }
    return begun;
  }

  private CandidateWalk<ClassicalCandidate> others(boolean advantage) {
    if (contests != null) {
      for (ReclaimLevel level : levels) {
        if (level.advantage() == advantage) {
          return new CrossQueueCandidates(index, contests, preemptor, demand, levels, advantage);
        }
      }
    }
    return CandidateWalk.empty();
  }

  @Override
  public boolean hasOthers() {
    return hasHierarchical() || begun().byPriority.peek() != null;
  }

  @Override
  public boolean hasHierarchical() {
    return begun().hierarchical.peek() != null;
  }

  @Override
  public Iterator<ClassicalCandidate> inOrder(boolean allowsBorrowing) {
    Lists lists = begun();
    begun = null;
    boolean neverWhileBorrowing =
        preemptor.queue().compiled().source().preemption().borrowWithinCohort()
            == PreemptionPolicy.NEVER;
    return new Merge(
        allowsBorrowing && neverWhileBorrowing ? lists.withoutPriority() : lists, allowsBorrowing);
  }

  /** Merges the lists: evicted candidates come first, then one list after another. */
  private static final class Merge extends AbstractIterator<ClassicalCandidate> {
    private final Lists lists;
    private final boolean allowsBorrowing;

    Merge(Lists lists, boolean allowsBorrowing) {
      this.lists = lists;
      this.allowsBorrowing = allowsBorrowing;
    }

    @Override
    protected @Nullable ClassicalCandidate computeNext() {
      CandidateWalk<ClassicalCandidate> next = nextList();
      ClassicalCandidate candidate = next.peek();
      if (candidate == null) {
        return endOfData();
      }
      next.pass();
      return candidate;
    }

    private CandidateWalk<ClassicalCandidate> nextList() {
      ClassicalCandidate hierarchical = lists.hierarchical.peek();
      ClassicalCandidate byPriority = lists.byPriority.peek();
      ClassicalCandidate own = lists.own.peek();
      if (isEvicted(hierarchical)) {
        return lists.hierarchical;
      }
      if (isEvicted(byPriority)) {
        return lists.byPriority;
      }
      if (isEvicted(own)) {
        return lists.own;
      }
      if (hierarchical != null) {
        return lists.hierarchical;
      }
      return byPriority == null || isTooHigh(byPriority) ? lists.own : lists.byPriority;
    }

    private static boolean isEvicted(@Nullable ClassicalCandidate candidate) {
      return candidate != null && candidate.holder().isEvicted();
    }

    /**
     * {@return whether neither {@code candidate} nor any later one of its list may be preempted
     * while borrowing}
     */
    private boolean isTooHigh(ClassicalCandidate candidate) {
      return allowsBorrowing && candidate.kind() == CandidateKind.WITHOUT_BORROWING;
    }
  }
}
