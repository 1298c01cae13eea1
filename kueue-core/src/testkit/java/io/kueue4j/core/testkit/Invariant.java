package io.kueue4j.core.testkit;

/**
 * What must hold of an admission engine whatever is done to it. Each is checked on what the engine
 * shows and on books that the harness keeps itself; none looks inside.
 *
 * <p>Most are the reverse of a defect that schedulers of this kind had; their numbers are those of
 * the project's list of such defects, which {@link #number} gives. Those of which {@link #isStrict}
 * is true do not hold of Kueue, nor of an engine that decides as Kueue does; each says which weaker
 * one does.
 *
 * <p>Number 6, that a slice replaces another of an elastic workload at one stroke, has no
 * invariant: the steps of the harness do not know elastic workloads.
 */
public enum Invariant {
  /**
   * 1. No decision takes a ClusterQueue or cohort further above what it may use, once those have
   * stopped that were told to. Amounts are summed without bounds, so this is also 4: what is
   * admitted fits in exact arithmetic; but what is beyond 64 bits counts as 2^63 - 1 (N-3, N-4).
   */
  WITHIN_QUOTA_ONCE_VICTIMS_STOPPED("1", false, new QuotaChecks.WithinQuota(true)),

  /**
   * 1, strictly. No decision takes a ClusterQueue or cohort further above what it may use.
   *
   * <p>Kueue admits into the room of victims that have not stopped yet, so of it only
   * {@link #WITHIN_QUOTA_ONCE_VICTIMS_STOPPED} is true. This one holds with the setting
   * {@link io.kueue4j.core.decision.Settings#strictQuota}.
   */
  WITHIN_QUOTA("1", true, new QuotaChecks.WithinQuota(false)),

  /**
   * 2. An engine that is told the configuration in force and what is admitted is like the one that
   * went through the whole history: equal usage, equal decisions. So no aggregate keeps anything of
   * what was deleted.
   */
  LIKE_REBUILT("2", false, (Check.OfScenarios) ReplayChecks::likeRebuilt),

  /**
   * 3. Usage of a ClusterQueue is the sum of what its workloads were admitted with, less what
   * reclaimable pods gave back; whatever is removed from the queue meanwhile.
   */
  USAGE_IS_WHAT_IS_HELD("3", false, (Check.OfSteps) QuotaChecks::usageIsWhatIsHeld),

  /**
   * 4. Every pod of an admission is charged for everything that it asks for, in a flavor that the
   * ClusterQueue lists; no product wraps.
   */
  NOTHING_IS_FREE("4", false, (Check.OfSteps) QuotaChecks::nothingIsFree),

  /** 5. Usage is never negative, and no decision lowers any. */
  NO_CREDIT("5", false, (Check.OfSteps) QuotaChecks::noCredit),

  /**
   * 7 and 8. No node is given more pods than it has room for, the number of pods included: each
   * admission fits beside what was there before the step. Several of one cycle may not fit together
   * where Kueue does not look again, in what a flavor does not know of another, in the number of
   * pods, and in what pod sets of one workload take together (T-12, T-73); nowhere else.
   */
  NODES_HOLD_WHAT_IS_PLACED("7, 8", false, (Check.OfSteps) NodeChecks::holdWhatIsPlaced),

  /**
   * 7 and 8, strictly. No node is given more pods than it has room for, whatever they were placed
   * by; once those have stopped that were told to.
   *
   * <p>In Kueue entries of one cycle may take the same room, as {@link #NODES_HOLD_WHAT_IS_PLACED}
   * has it.
   */
  NODES_ARE_NOT_OVERCOMMITTED("7, 8", true, (Check.OfSteps) NodeChecks::areNotOvercommitted),

  /**
   * 9. Pods are placed if and only if they ask for it or the queue has nothing else. All that fill
   * a slice have a place, in domains that exist; a leader has one (T-18, T-19, T-23).
   */
  PLACES_ARE_COMPLETE("9", false, (Check.OfSteps) PlaceChecks::areComplete),

  /** All pods are in one domain of the level that they require, and slices are whole in theirs. */
  PLACES_ARE_AS_REQUIRED("required", false, (Check.OfSteps) PlaceChecks::areAsRequired),

  /** 10. A node or topology that goes and comes back is as full as it was. */
  NODES_COME_BACK_AS_THEY_WERE(
      "10", false, (Check.OfScenarios) MetamorphicChecks::comeBackAsTheyWere),

  /** 11. Other names of nodes and domains, in the same order, give the same decisions. */
  RENAMED_NODES_DECIDE_ALIKE("11", false, (Check.OfScenarios) MetamorphicChecks::renamedAlike),

  /** More nodes that are not ready give the same decisions. */
  UNUSABLE_NODES_CHANGE_NOTHING(
      "nodes", false, (Check.OfScenarios) MetamorphicChecks::unusableNodesChangeNothing),

  /**
   * 12. Left to itself, an engine stops to preempt: there are at most as many evictions as
   * workloads, and no cycle goes on for ever.
   *
   * <p>Claimed where all policies are LowerPriority or Never and gate PrioritizePreemptorWorkloads
   * is on, which holds what victims free for whom they made room. Otherwise {@link #COMES_TO_REST}
   * is what one might wish.
   */
  COMES_TO_REST_BY_PRIORITY("12", false, new RestChecks.ComesToRest(true)),

  /**
   * 12, strictly. Left to itself, an engine stops to preempt, whatever the policies are.
   *
   * <p>In Kueue a victim may be admitted again before its preemptor and be preempted again,
   * for ever.
   */
  COMES_TO_REST("12", true, new RestChecks.ComesToRest(false)),

  /**
   * 13. Left to itself, no two workloads preempt each other. Claimed where
   * {@link #COMES_TO_REST_BY_PRIORITY} is.
   */
  NO_MUTUAL_PREEMPTION_BY_PRIORITY("13", false, new RestChecks.NoMutualPreemption(true)),

  /**
   * 13, strictly. Left to itself, no two workloads preempt each other, whatever the policies are.
   */
  NO_MUTUAL_PREEMPTION("13", true, new RestChecks.NoMutualPreemption(false)),

  /** 14. The same history gives the same decisions; the order of objects in a call is none. */
  SAME_HISTORY_SAME_DECISIONS("14", false, (Check.OfScenarios) ReplayChecks::sameHistory),

  /**
   * 15. Who is preempted for another queue is of a queue that was above its nominal quota of some
   * pair, counting what it asked for in the same cycle.
   */
  NOMINAL_IS_SAFE("15", false, (Check.OfSteps) VictimChecks::nominalIsSafe),

  /**
   * 16. No victim is needless: with any of them back, the preemptor would not fit in without
   * borrowing. Checked where each resource can come from one flavor only.
   */
  NO_NEEDLESS_VICTIM_WITHOUT_BORROWING(
      "16", false, new QuotaOnly(new VictimChecks.NoNeedlessVictim(false))),

  /**
   * 16, strictly. No victim is needless: with any of them back, the preemptor would not fit in at
   * all. Checked where each resource can come from one flavor only.
   *
   * <p>Kueue first looks for victims with whom the preemptor need not borrow, and takes them though
   * fewer would do if it borrowed (P-12, P-16).
   */
  NO_NEEDLESS_VICTIM("16", true, new VictimChecks.NoNeedlessVictim(true)),

  /**
   * 17, strictly. At rest, no workload waits that would fit into its queue's nominal quota if only
   * workloads of lower priority in that queue gave way.
   *
   * <p>In Kueue this depends on the policies; with Never, small workloads overtake a great one for
   * ever. {@link #BYPASS_IS_BOUNDED_BY_RECLAIM} is the weaker form.
   */
  NOBODY_IS_BYPASSED("17", true, (Check.OfScenarios) RestChecks::nobodyIsBypassed),

  /**
   * 17. A workload that is the oldest and of highest priority in its queue and asks for the queue's
   * whole nominal quota is admitted within thirty cycles, though new small workloads come to all
   * queues before each of them.
   *
   * <p>Claimed without fair sharing, where the queue may preempt lower priorities in itself and
   * reclaim from anybody in its cohort, has one resource of one flavor, and all queues of the
   * cohort take part.
   */
  BYPASS_IS_BOUNDED_BY_RECLAIM("17", false, new QuotaOnly(new BypassChecks.BypassIsBounded(true))),

  /**
   * 17, strictly. As {@link #BYPASS_IS_BOUNDED_BY_RECLAIM}, whatever the policies are, with one
   * workload that finishes before every second cycle.
   *
   * <p>In Kueue, where nobody is preempted, what becomes free goes to the small ones in a
   * BestEffortFIFO queue and in queues that borrow, for ever.
   */
  BYPASS_IS_BOUNDED("17", true, new BypassChecks.BypassIsBounded(false)),

  /**
   * 18. At rest, nobody waits in a BestEffortFIFO queue who would be admitted if tried alone.
   * Claimed of histories without events that Kueue loses: a stopped LocalQueue or ClusterQueue,
   * removed and changed configuration, where nobody is tried cycle after cycle, who would
   * hold room (S-18, X-19), and where walks over flavors begin anew: with one flavor in each group,
   * or gate FlavorFungibilityPreserveScanProgress off.
   */
  WORK_CONSERVING_WITHOUT_CHANGES("18", false, new QuotaOnly(new RestChecks.WorkConserving(true))),

  /**
   * 18, strictly. At rest, nobody waits in a BestEffortFIFO queue who would be admitted if tried
   * alone, whatever came before. In Kueue the head of a StrictFIFO queue keeps room for itself that
   * others of the cohort could use, and a workload that resumed its walk behind a flavor that was
   * freed meanwhile is parked (F-24, F-25).
   */
  WORK_CONSERVING("18", true, new RestChecks.WorkConserving(false)),

  /**
   * 19. Who fits in some listed flavor without preemption is admitted when tried. Claimed unless
   * the queue prefers preemption over borrowing or stops at flavors that can be preempted.
   */
  A_FITTING_FLAVOR_ADMITS("19", false, new QuotaOnly(new FlavorChecks.FittingFlavorAdmits(true))),

  /**
   * 19, strictly. Who fits in some listed flavor without preemption is admitted when tried,
   * whatever the queue's policies are.
   */
  ANY_FITTING_FLAVOR_ADMITS("19", true, new FlavorChecks.FittingFlavorAdmits(false)),

  /**
   * 20. At rest, an engine that is told everything anew admits nobody more: no event was missed.
   * Claimed where {@link #WORK_CONSERVING_WITHOUT_CHANGES} is.
   */
  NO_EVENT_IS_MISSED_WITHOUT_CHANGES(
      "20", false, new QuotaOnly(new RestChecks.NoEventIsMissed(true))),

  /**
   * 20, strictly. At rest, an engine that is told everything anew admits nobody more, whatever came
   * before.
   *
   * <p>Kueue loses events of stopped LocalQueues and of queues that leave a cohort.
   */
  NO_EVENT_IS_MISSED("20", true, new RestChecks.NoEventIsMissed(false)),

  /**
   * A configuration in which cohorts are below themselves is refused, and a refused change changes
   * nothing.
   */
  REFUSED_CHANGES_NOTHING("a", false, (Check.OfSteps) BookChecks::refusedChangesNothing),

  /**
   * Evictions add up: whoever was told to stop is stopping until it stops or leaves, is told once,
   * and nobody else is.
   */
  EVICTIONS_ADD_UP("b", false, (Check.OfSteps) BookChecks::evictionsAddUp),

  /**
   * Where nobody may preempt, cycles come to an end for every legal input, pod sets without pods
   * included.
   */
  TERMINATES("c", false, (Check.OfScenarios) RestChecks::terminates),

  /**
   * Under fair sharing, of two queues of one cohort the one of weight 0 is served last, if it
   * borrows.
   */
  WEIGHT_ZERO_IS_LAST("e", false, (Check.OfSteps) FlavorChecks::weightZeroIsLast),

  /**
   * What a LocalQueue has used decays by the half-life towards what it uses: after each step it is
   * what the closed form says, but for the digits that are cut. An admission adds its penalty once.
   */
  USAGE_DECAYS_IN_CLOSED_FORM("d", false, (Check.OfSteps) UsageChecks::decays),

  /** A LocalQueue that uses nothing any more has used nothing some day: no penalty stays behind. */
  USAGE_RETURNS_TO_ZERO("d", false, (Check.OfScenarios) UsageChecks::returnsToZero),

  /**
   * What a LocalQueue counts with is what it has used divided by its weight, and infinite without
   * weight; nothing is penalized that is admitted.
   */
  USAGE_FALLS_WITH_WEIGHT("e", false, (Check.OfSteps) UsageChecks::fallsWithWeight),

  /**
   * Where LocalQueues are served by usage, the one that counts with least goes first, so that one
   * without weight never does.
   */
  LEAST_USAGE_IS_FIRST("e", false, (Check.OfSteps) UsageChecks::leastUsageIsFirst),

  /**
   * A workload of exactly the size that is available is admitted, one that is greater by 1 is not:
   * lending and borrowing limits neither over- nor undercount.
   */
  ALL_AND_NOT_MORE_THAN_AVAILABLE(
      "f", false, new QuotaOnly((Check.OfScenarios) ProbeChecks::exactlyAvailable)),

  /**
   * A workload that is known is in one place: it holds quota, or waits in the queue that it belongs
   * to. Calls that tell of workloads answer accordingly.
   */
  IN_ONE_PLACE("places", false, (Check.OfSteps) BookChecks::inOnePlace),

  /**
   * In a StrictFIFO queue nobody but the first is admitted by a cycle; unless it was a
   * BestEffortFIFO queue before.
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
   * {@return the number of the defect that this rules out; letters for those without number, words
   * for what is true of any queue}
   */
  public String number() {
    return number;
  }

  /** {@return whether this is more than Kueue keeps} */
  public boolean isStrict() {
    return strict;
  }

  Check check() {
    return check;
  }
}
