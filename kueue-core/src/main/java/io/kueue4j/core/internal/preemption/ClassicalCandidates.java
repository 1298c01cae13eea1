package io.kueue4j.core.internal.preemption;

import java.util.Iterator;

/**
 * The candidates of a preemptor without fair sharing.
 *
 * <p>Rules: P-4, P-5, P-6, P-7, P-8, P-9, P-10.
 */
interface ClassicalCandidates {
  /** {@return whether a candidate is of another queue} */
  boolean hasOthers();

  /** {@return whether a candidate is {@link CandidateKind#HIERARCHICAL}} */
  boolean hasHierarchical();

  /**
   * {@return the candidates in the order in which they are taken; may omit candidates that cannot
   * be taken any more at their turn}
   *
   * <p>Between two reads, usage may decrease in a trial; otherwise it must be unchanged since the
   * candidates were found.
   *
   * @param allowsBorrowing whether they are taken while the preemptor's queue borrows
   */
  Iterator<ClassicalCandidate> inOrder(boolean allowsBorrowing);
}
