package io.kueue4j.core.lint;

import com.google.common.base.Ascii;
import io.kueue4j.core.lint.Finding.Severity;

/**
 * What {@link ConfigurationLint} and {@link LoopSearch} look for; names and ids are stable, for
 * baselines and dashboards.
 *
 * @since 0.1.0
 */
public enum LintRule {
  /** An object breaks a rule, and Kueue refuses it. */
  INVALID_OBJECT(Severity.ERROR, "an object that Kueue refuses"),
  /** A ClusterQueue is inactive, because something that its quota refers to does not exist. */
  MISSING_OBJECT(Severity.ERROR, "quota that refers to an object that does not exist"),
  /** A ClusterQueue requires an admission check that does not exist or is not active. */
  UNANSWERED_CHECK(Severity.ERROR, "an admission check that nobody answers"),
  /** Workloads of a LocalQueue are never admitted, whatever they request. */
  UNUSABLE_LOCAL_QUEUE(Severity.ERROR, "a LocalQueue that nobody can use"),
  /** A LocalQueue leads to a ClusterQueue that is stopped. */
  STOPPED_QUEUE(Severity.WARNING, "a LocalQueue whose ClusterQueue is stopped"),
  /** A workload that is never admitted blocks a StrictFIFO queue. */
  STRICT_FIFO_BLOCKED(Severity.ERROR, "a workload that blocks a StrictFIFO queue for ever"),
  /** A workload requests TPU slices that do not fit into any pool, even if nothing runs. */
  SLICE_WITHOUT_POOL(Severity.ERROR, "TPU slices that no pool can hold"),
  /** A workload is not admitted even if nothing else runs. */
  NEVER_ADMITTED(Severity.WARNING, "a workload that is never admitted"),
  /** No node has the labels of a flavor. */
  FLAVOR_WITHOUT_NODES(Severity.WARNING, "a flavor that no node matches"),
  /** No workload of the queues of a flavor can use it. */
  FLAVOR_WITHOUT_PODS(Severity.NOTE, "a flavor that no pod matches"),
  /** No node of a topology's flavors has the label of a level. */
  LEVEL_WITHOUT_NODES(Severity.WARNING, "a topology level that no node has"),
  /** No quota names a flavor. */
  UNUSED_FLAVOR(Severity.NOTE, "a flavor without quota"),
  /** No ClusterQueue of a cohort's tree can use a quota of the cohort. */
  UNREACHABLE_QUOTA(Severity.WARNING, "quota of a cohort that no queue can use"),
  /** No queue of a cohort has any quota, and neither has the cohort. */
  COHORT_WITHOUT_QUOTA(Severity.WARNING, "a cohort without quota"),
  /** A ClusterQueue covers a resource of which it can never get any. */
  ZERO_QUOTA(Severity.NOTE, "a resource of which a queue can never get any"),
  /** Decisions are the same without a borrowing or lending limit. */
  LIMIT_WITHOUT_EFFECT(Severity.WARNING, "a limit without effect"),
  /** A queue lends quota that it cannot take back. */
  UNRECLAIMABLE_QUOTA(Severity.WARNING, "lent quota that its owner cannot reclaim"),
  /** With weight 0 in fair sharing, a queue or cohort waits for all others. */
  ZERO_WEIGHT(Severity.WARNING, "a fair sharing weight of 0 among queues that borrow"),
  /** Workloads preempt each other for ever; found by {@link LoopSearch}. */
  PREEMPTION_LOOP(Severity.WARNING, "workloads that preempt each other for ever"),
  /** Two priority classes have the same value. */
  PRIORITY_WITHOUT_EFFECT(Severity.NOTE, "a priority that changes nothing");

  private final Severity severity;
  private final String summary;

  LintRule(Severity severity, String summary) {
    this.severity = severity;
    this.summary = summary;
  }

  /** {@return how serious its findings are} */
  public Severity severity() {
    return severity;
  }

  /** {@return what it finds, for people} */
  public String summary() {
    return summary;
  }

  /** {@return the id, such as {@code limit-without-effect}} */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name()).replace('_', '-');
  }
}
