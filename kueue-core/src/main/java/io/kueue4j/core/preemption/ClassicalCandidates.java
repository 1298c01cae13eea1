package io.kueue4j.core.preemption;

import java.util.Iterator;

/**
 * The workloads that one could be admitted for by preempting them.
 *
 * <p>Rules: P-4, P-5, P-6, P-7, P-8, P-9, P-10.
 */
interface ClassicalCandidates {
  /** {@return whether some candidate is of another queue} */
  boolean hasOthers();

  /** {@return whether some candidate is {@link CandidateKind#HIERARCHICAL}} */
  boolean hasHierarchical();

  /**
   * {@return the candidates in the order in which they are taken; those may be missing that cannot
   * be taken any more when their turn comes}
   *
   * <p>Between two that are read, usage may have become less on trial; else it is as it was when
   * the candidates were found.
   *
   * @param allowsBorrowing whether they are taken while the preemptor's queue borrows
   */
  Iterator<ClassicalCandidate> inOrder(boolean allowsBorrowing);
}
