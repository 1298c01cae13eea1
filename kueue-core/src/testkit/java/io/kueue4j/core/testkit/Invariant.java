package io.kueue4j.core.testkit;

/**
 * The invariants of an admission engine, whatever its history. Each is checked on what the engine
 * shows and on books that the harness keeps itself; none uses internals.
 *
 * <p>Most are the opposite of a known defect of such schedulers; {@link #number} returns the number
 * of the defect in the project's list. Invariants for which {@link #isStrict} is true do not hold
 * for Kueue, nor for an engine with the same decisions; each names a weaker one that does.
 *
 * <p>Number 6, that an elastic slice replaces another atomically, has no invariant: the invariants
 * do not follow elastic workloads.
 */
public enum Invariant {
  /**
   * 1. No decision takes a ClusterQueue or cohort further above its available quota, once evicted
   * workloads have stopped. Amounts are summed without bounds, so this includes 4: admitted
   * workloads fit in exact arithmetic; but amounts beyond 64 bits count as 2^63 - 1 (N-3, N-4).
   */
  WITHIN_QUOTA_ONCE_VICTIMS_STOPPED("1", false, new QuotaChecks.WithinQuota(true)),

  /**
   * 1, strictly. No decision takes a ClusterQueue or cohort further above its available quota.
   *
   * <p>Kueue admits workloads into the quota of victims that have not stopped yet, so it
   * satisfies only {@link #WITHIN_QUOTA_ONCE_VICTIMS_STOPPED}. This one holds with the setting
   * {@link io.kueue4j.core.decision.Settings#strictQuota}.
   */
  WITHIN_QUOTA("1", true, new QuotaChecks.WithinQuota(false)),

  /**
   * 2. An engine with the current configuration and the current admissions restored behaves like
   * the one with the whole history: equal usage, equal decisions. So aggregates retain nothing of
   * deleted objects.
   */
  LIKE_REBUILT("2", false, (Check.OfScenarios) ReplayChecks::likeRebuilt),

  /**
   * 3. The usage of a ClusterQueue is the sum of the admissions of its workloads, minus reclaimable
   * pods, even if parts of the queue were removed meanwhile.
   */
  USAGE_IS_WHAT_IS_HELD("3", false, (Check.OfSteps) QuotaChecks::usageIsWhatIsHeld),

  /**
   * 4. Every pod of an admission is charged for all its requests, in a flavor that the ClusterQueue
   * lists; no product overflows.
   */
  NOTHING_IS_FREE("4", false, (Check.OfSteps) QuotaChecks::nothingIsFree),

  /** 5. Usage is never negative, and no decision lowers any. */
  NO_CREDIT("5", false, (Check.OfSteps) QuotaChecks::noCredit),

  /**
   * 7 and 8. No node is assigned more pods than fit, including the number of pods: each admission
   * fits beside the pods that were there before the step. Several admissions of one cycle may not
   * fit together where Kueue does not check again: across flavors, in the number of pods, and
   * across the pod sets of one workload (T-12, T-73); nowhere else.
   */
  NODES_HOLD_WHAT_IS_PLACED("7, 8", false, (Check.OfSteps) NodeChecks::holdWhatIsPlaced),

  /**
   * 7 and 8, strictly. No node is assigned more pods than fit, whatever flavor placed them, once
   * evicted workloads have stopped.
   *
   * <p>In Kueue entries of one cycle may use the same room, as described at
   * {@link #NODES_HOLD_WHAT_IS_PLACED}.
   */
  NODES_ARE_NOT_OVERCOMMITTED("7, 8", true, (Check.OfSteps) NodeChecks::areNotOvercommitted),

  /**
   * 9. Pods are placed if and only if they request it or the queue has only flavors with a
   * topology. All pods that fill a slice have a place, in existing domains; a leader has one (T-18,
   * T-19, T-23).
   */
  PLACES_ARE_COMPLETE("9", false, (Check.OfSteps) PlaceChecks::areComplete),

  /**
   * All pods are in one domain of the level that they require, and slices are complete in theirs.
   */
  PLACES_ARE_AS_REQUIRED("required", false, (Check.OfSteps) PlaceChecks::areAsRequired),

  /**
   * 10. A node or topology that is removed and added again has the same free capacity as before.
   */
  NODES_COME_BACK_AS_THEY_WERE(
      "10", false, (Check.OfScenarios) MetamorphicChecks::comeBackAsTheyWere),

  /** 11. Renamed nodes and domains, in the same order, yield the same decisions. */
  RENAMED_NODES_DECIDE_ALIKE("11", false, (Check.OfScenarios) MetamorphicChecks::renamedAlike),

  /** Additional nodes that are not ready do not change decisions. */
  UNUSABLE_NODES_CHANGE_NOTHING(
      "nodes", false, (Check.OfScenarios) MetamorphicChecks::unusableNodesChangeNothing),

  /**
   * 12. Without external events an engine stops preempting: there are at most as many evictions as
   * workloads, and cycles end.
   *
   * <p>Checked where all policies are LowerPriority or Never and the gate
   * PrioritizePreemptorWorkloads is on, which reserves the quota freed by victims for their
   * preemptor; and where no queue serves several LocalQueues by usage, which goes before the
   * preemptor in its own queue (U-4). Otherwise only {@link #COMES_TO_REST} applies.
   */
  COMES_TO_REST_BY_PRIORITY("12", false, new RestChecks.ComesToRest(true)),

  /**
   * 12, strictly. Without external events an engine stops preempting, whatever the policies are.
   *
   * <p>In Kueue a victim may be admitted again before its preemptor and be preempted again,
   * forever.
   */
  COMES_TO_REST("12", true, new RestChecks.ComesToRest(false)),

  /**
   * 13. Without external events, no two workloads preempt each other. Checked where all policies
   * are LowerPriority or Never and the gate PrioritizePreemptorWorkloads is on.
   */
  NO_MUTUAL_PREEMPTION_BY_PRIORITY("13", false, new RestChecks.NoMutualPreemption(true)),

  /**
   * 13, strictly. Without external events, no two workloads preempt each other, whatever the
   * policies are.
   */
  NO_MUTUAL_PREEMPTION("13", true, new RestChecks.NoMutualPreemption(false)),

  /**
   * 14. The same history yields the same decisions; the order of objects in a call does not matter.
   */
  SAME_HISTORY_SAME_DECISIONS("14", false, (Check.OfScenarios) ReplayChecks::sameHistory),

  /**
   * 15. A workload preempted for another queue belongs to a queue that was above its nominal quota
   * of some pair, including its admissions of the same cycle.
   */
  NOMINAL_IS_SAFE("15", false, (Check.OfSteps) VictimChecks::nominalIsSafe),

  /**
   * 16. No victim is unnecessary: with any of them restored, the preemptor would not fit without
   * borrowing. Checked where each resource has one possible flavor.
   */
  NO_NEEDLESS_VICTIM_WITHOUT_BORROWING(
      "16", false, new QuotaOnly(new VictimChecks.NoNeedlessVictim(false))),

  /**
   * 16, strictly. No victim is unnecessary: with any of them restored, the preemptor would not fit
   * at all. Checked where each resource has one possible flavor.
   *
   * <p>Kueue first searches victims without which the preemptor need not borrow, and takes them
   * even if fewer would suffice with borrowing (P-12, P-16).
   */
  NO_NEEDLESS_VICTIM("16", true, new VictimChecks.NoNeedlessVictim(true)),

  /**
   * 17, strictly. At rest, no pending workload would fit into the nominal quota of its queue if
   * only workloads of lower priority in that queue were preempted.
   *
   * <p>In Kueue this depends on the policies; with Never, small workloads overtake a large one
   * forever. {@link #BYPASS_IS_BOUNDED_BY_RECLAIM} is the weaker form.
   */
  NONE_IS_BYPASSED("17", true, (Check.OfScenarios) RestChecks::noneIsBypassed),

  /**
   * 17. The oldest workload of highest priority in its queue that requests the whole nominal quota
   * of the queue is admitted within thirty cycles, even if new small workloads are submitted to all
   * queues before each cycle.
   *
   * <p>Checked without fair sharing, where the queue may preempt lower priorities in itself and
   * reclaim from every workload in its cohort, has one resource with one flavor, and all queues of
   * the cohort are active; and, since a queue above its nominal quota may not reclaim (P-12), where
   * the queue is below it or no quota is exceeded.
   *
   * <p>Not checked where the queue may preempt while it borrows in nested cohorts, unless the gate
   * PrioritizePreemptorWorkloads is on: workloads with a lower borrow level take what its victims
   * free (S-7). Nor is it where another queue of a cohort holds room in each cycle (S-18): it is
   * StrictFIFO, or the gate SchedulingEquivalenceHashing is off, and may not reclaim from every
   * workload.
   */
  BYPASS_IS_BOUNDED_BY_RECLAIM("17", false, new QuotaOnly(new BypassChecks.BypassIsBounded(true))),

  /**
   * 17, strictly. As {@link #BYPASS_IS_BOUNDED_BY_RECLAIM}, whatever the policies are, with one
   * workload that finishes before every second cycle.
   *
   * <p>In Kueue without preemption, freed quota goes to the small workloads in a BestEffortFIFO
   * queue and in borrowing queues, forever.
   */
  BYPASS_IS_BOUNDED("17", true, new BypassChecks.BypassIsBounded(false)),

  /**
   * 18. At rest, no workload is pending in a BestEffortFIFO queue that would be admitted if tried
   * alone. Checked for histories without events that Kueue loses: a stopped LocalQueue or
   * ClusterQueue, removed and changed configuration; where no workload is tried cycle after
   * cycle, which would hold quota (S-18, X-19); and where the search over flavors starts again:
   * with one flavor in each group, or the gate FlavorFungibilityPreserveScanProgress off.
   */
  WORK_CONSERVING_WITHOUT_CHANGES("18", false, new QuotaOnly(new RestChecks.WorkConserving(true))),

  /**
   * 18, strictly. At rest, no workload is pending in a BestEffortFIFO queue that would be admitted
   * if tried alone, whatever the history. In Kueue the head of a StrictFIFO queue reserves quota
   * that others of the cohort could use, and a workload that resumed its search after a flavor that
   * was freed meanwhile becomes inadmissible (F-24, F-25).
   */
  WORK_CONSERVING("18", true, new RestChecks.WorkConserving(false)),

  /**
   * 19. A workload that fits in some listed flavor without preemption is admitted when tried.
   * Checked unless the queue prefers preemption over borrowing or stops at flavors that can be
   * preempted.
   */
  A_FITTING_FLAVOR_ADMITS("19", false, new QuotaOnly(new FlavorChecks.FittingFlavorAdmits(true))),

  /**
   * 19, strictly. A workload that fits in some listed flavor without preemption is admitted when
   * tried, whatever the policies of the queue are.
   */
  ANY_FITTING_FLAVOR_ADMITS("19", true, new FlavorChecks.FittingFlavorAdmits(false)),

  /**
   * 20. At rest, an engine rebuilt from the same state admits no further workload: no event was
   * missed. Checked under the conditions of {@link #WORK_CONSERVING_WITHOUT_CHANGES}.
   */
  NO_EVENT_IS_MISSED_WITHOUT_CHANGES(
      "20", false, new QuotaOnly(new RestChecks.NoEventIsMissed(true))),

  /**
   * 20, strictly. At rest, an engine rebuilt from the same state admits no further workload,
   * whatever the history.
   *
   * <p>Kueue loses events of stopped LocalQueues and of queues that leave a cohort.
   */
  NO_EVENT_IS_MISSED("20", true, new RestChecks.NoEventIsMissed(false)),

  /** A configuration with a cycle of cohorts is rejected, and a rejected change has no effect. */
  REFUSED_CHANGES_NOTHING("a", false, (Check.OfSteps) BookChecks::refusedChangesNothing),

  /**
   * Evictions are consistent: an evicted workload is stopping until it has stopped or is removed,
   * is evicted only once, and no other workload is stopping.
   */
  EVICTIONS_ADD_UP("b", false, (Check.OfSteps) BookChecks::evictionsAddUp),

  /** Without preemption, cycles end for every legal input, including pod sets without pods. */
  TERMINATES("c", false, (Check.OfScenarios) RestChecks::terminates),

  /**
   * Under fair sharing, of two queues of one cohort the one with weight 0 is served last, if it
   * borrows.
   */
  WEIGHT_ZERO_IS_LAST("e", false, (Check.OfSteps) FlavorChecks::weightZeroIsLast),

  /**
   * The usage history of a LocalQueue decays with the half-life towards its current usage: after
   * each step it equals the closed form, except for rounding. An admission adds its penalty once.
   */
  USAGE_DECAYS_IN_CLOSED_FORM("d", false, (Check.OfSteps) UsageChecks::decays),

  /** The usage history of a LocalQueue without usage decays to zero: no penalty remains. */
  USAGE_RETURNS_TO_ZERO("d", false, (Check.OfScenarios) UsageChecks::returnsToZero),

  /**
   * The fair sharing usage of a LocalQueue is its usage history divided by its weight, and infinite
   * for weight 0; admitted workloads have no penalty.
   */
  USAGE_FALLS_WITH_WEIGHT("e", false, (Check.OfSteps) UsageChecks::fallsWithWeight),

  /**
   * Where LocalQueues are served by usage, the one with the lowest fair sharing usage is first, so
   * one with weight 0 is last.
   */
  LEAST_USAGE_IS_FIRST("e", false, (Check.OfSteps) UsageChecks::leastUsageIsFirst),

  /**
   * A workload of exactly the available size is admitted, one that is larger by 1 is not: lending
   * and borrowing limits are exact.
   */
  ALL_AND_NOT_MORE_THAN_AVAILABLE(
      "f", false, new QuotaOnly((Check.OfScenarios) ProbeChecks::exactlyAvailable)),

  /**
   * A known workload is in one place: it holds quota, or is pending in its queue. Calls about
   * workloads return accordingly.
   */
  IN_ONE_PLACE("places", false, (Check.OfSteps) BookChecks::inOnePlace),

  /**
   * In a StrictFIFO queue a cycle admits only the first workload, unless it was a BestEffortFIFO
   * queue before.
   */
  STRICT_QUEUE_IS_NOT_OVERTAKEN("order", false, (Check.OfSteps) BookChecks::strictOrder);

  private final String number;
  private final boolean strict;
  private final Check check;

  Invariant(String number, boolean strict, Check check) {
    this.number = number;
    this.strict = strict;
    this.check = check;
  }

  /**
   * {@return the number of the defect that this excludes; letters for those without number, words
   * for what holds in any queue}
   */
  public String number() {
    return number;
  }

  /** {@return whether Kueue does not satisfy this} */
  public boolean isStrict() {
    return strict;
  }

  Check check() {
    return check;
  }
}
