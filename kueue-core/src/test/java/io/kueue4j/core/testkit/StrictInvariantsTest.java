package io.kueue4j.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.CaseFormat;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What Kueue does not keep, in small scenarios, and what it keeps instead. Where a setting gives
 * the strict behaviour, that it does.
 */
class StrictInvariantsTest {
  private static void isBroken(Invariant invariant, String line) {
    assertThat(invariant.isStrict()).isTrue();
    HarnessRun strict =
        HarnessRun.of(AdmissionEngineUnderTest::create).invariants(Set.of(invariant));
    HarnessRun parity = HarnessRun.of(AdmissionEngineUnderTest::create);

    assertThat(strict.play(Scenario.parse(line)).map(HarnessFailure::cause))
        .contains(invariant.name());
    assertThat(parity.play(Scenario.parse(line))).as("what Kueue keeps").isEmpty();
  }

  /**
   * {@link Invariant#WITHIN_QUOTA}: a victim of 6 makes room for 4, and the 2 left over are given
   * away with what was free before it has stopped.
   */
  private static final String SURPLUS =
      "apply(flavor(f) queue(p in(c) all group(f(f gpu(10))) preempt(Never Any Never))"
          + " queue(v in(c) all group(f(f gpu(0)))) queue(b1 in(c) all group(f(f gpu(1))))"
          + " queue(b2 in(c) all group(f(f gpu(1)))) local(n p p) local(n v v) local(n b1 b1)"
          + " local(n b2 b2)) submit(n p0 p set(main 1 ask(gpu 3)))"
          + " submit(n v1 v set(main 1 ask(gpu 6))) cycle submit(n p1 p set(main 1 ask(gpu 4)))"
          + " submit(n w1 b1 set(main 1 ask(gpu 2))) submit(n w2 b2 set(main 1 ask(gpu 2))) cycle";

  @Test
  void withinQuota() {
    isBroken(Invariant.WITHIN_QUOTA, "settings " + SURPLUS);
  }

  private static final String ONE_NODE_FOR_TWO =
      "apply(topology(dc kubernetes.io/hostname) flavor(f label(pool x) topology(dc))"
          + " node(n label(kubernetes.io/hostname h) label(pool x) has(gpu 9) has(pods 3))"
          + " namespace(n) queue(q all group(f(f gpu(9)))) queue(r all group(f(f gpu(9))))"
          + " local(n q q) local(n r r)) submit(n one q set(main 2 ask(gpu 1)))"
          + " submit(n two r set(main 2 ask(gpu 1))) cycle";

  /**
   * {@link Invariant#NODES_ARE_NOT_OVERCOMMITTED}: the number of pods is not looked at again when
   * two of a cycle want the same node (T-73).
   */
  @Test
  void nodesAreNotOvercommitted() {
    isBroken(Invariant.NODES_ARE_NOT_OVERCOMMITTED, "settings " + ONE_NODE_FOR_TWO);
  }

  @Test
  void nodesAreNotOvercommittedWithStrictTopology() {
    HarnessRun run = HarnessRun.of(AdmissionEngineUnderTest::create)
        .invariants(Set.of(Invariant.NODES_ARE_NOT_OVERCOMMITTED, Invariant.IN_ONE_PLACE));

    assertThat(run.play(Scenario.parse("settings(strictTopology) " + ONE_NODE_FOR_TWO)))
        .isEmpty();
    ScenarioGenerator generator = ScenarioGenerator.create();
    for (long seed = 0; seed < 400; seed++) {
      Scenario scenario = generator.scenario(seed);
      if (scenario.toString().contains("topology(dc)")) {
        Settings.Builder strict = Settings.builder().strictTopology(true);
        scenario.settings().featureGates().forEach(strict::putFeatureGates);
        assertThat(run.play(new Scenario(strict.build(), scenario.steps()))).isEmpty();
      }
    }
  }

  @Test
  void withinQuotaHoldsWithStrictQuota() {
    HarnessRun run = HarnessRun.of(AdmissionEngineUnderTest::create)
        .invariants(Set.of(
            Invariant.WITHIN_QUOTA,
            Invariant.WITHIN_QUOTA_ONCE_VICTIMS_STOPPED,
            Invariant.IN_ONE_PLACE));

    assertThat(run.play(Scenario.parse("settings(strictQuota) " + SURPLUS))).isEmpty();
    ScenarioGenerator generator = ScenarioGenerator.create();
    for (long seed = 0; seed < 250; seed++) {
      Scenario scenario = generator.scenario(seed);
      assertThat(run.play(new Scenario(strict(scenario.settings()), scenario.steps())))
          .isEmpty();
    }
  }

  private static Settings strict(Settings settings) {
    Settings.Builder strict =
        Settings.builder().strictQuota(true).quotaCheckStrategy(settings.quotaCheckStrategy());
    for (FeatureGate gate : settings.featureGates().keySet()) {
      strict.putFeatureGates(gate, settings.isEnabled(gate));
    }
    List<FairSharingStrategy> strategies = settings.fairSharing().orElse(ImmutableList.of());
    return settings.fairSharing().isPresent()
        ? strict.fairSharing(strategies).build()
        : strict.build();
  }

  /**
   * {@link Invariant#COMES_TO_REST}: w17 reclaims from w12, w11 of its own queue preempts w17, w12
   * takes what is left, and so on (X-16: a victim is tried again at once).
   */
  @Test
  void comesToRest() {
    isBroken(
        Invariant.COMES_TO_REST,
        "settings apply(local(a l0 q0) local(a l1 q1) flavor(f0)"
            + " queue(q1 in(c0) all group(f(f0 cpu(4000) gpu(6)))"
            + " fungibility(TryNextFlavor TryNextFlavor) preempt(LowerPriority Any Never))"
            + " queue(q0 in(c0) strict all group(f(f0 gpu(1) cpu(4000)))"
            + " preempt(LowerOrNewerEqualPriority Never Never)) local(b l1 q1))"
            + " submit(b w11 l1 priority(2) created(PT-1S) set(p0 3 ask(cpu 1501) ask(gpu 1)))"
            + " submit(a w12 l0 priority(2) created(PT-2S) set(p0 3 ask(cpu 1001) ask(gpu 1)))"
            + " submit(a w14 l1 priority(2) created(PT-1S) set(p0 1 ask(cpu 2002)))"
            + " submit(b w16 l1 priority(1) created(PT-2S) set(p0 3 ask(gpu 1)))"
            + " submit(b w17 l1 priority(-1) created(PT0S) set(p0 1 ask(gpu 3)))");
  }

  /**
   * {@link Invariant#NO_MUTUAL_PREEMPTION}: a is within its quota and reclaims from b. Then e takes
   * what b left of another resource, so that their queue borrows, and b, which has the higher
   * priority and may preempt though it borrows, takes both back. Three steps to each other's harm
   * need a third workload: between two alone, one is above its quota and the other is not (P-11),
   * or one has the higher priority (P-7).
   */
  @Test
  void noMutualPreemption() {
    isBroken(
        Invariant.NO_MUTUAL_PREEMPTION,
        "settings apply(flavor(f)"
            + " queue(q0 in(c) strict all group(f(f cpu(0) gpu(0))) preempt(Never Any LowerPriority))"
            + " queue(q1 in(c) all group(f(f cpu(4000) gpu(0))) preempt(Never Any Never))"
            + " queue(q2 in(c) all group(f(f cpu(2000) gpu(1)))) local(n l0 q0) local(n l1 q1))"
            + " submit(n b l0 priority(2) set(main 1 ask(cpu 3000) ask(gpu 1)))"
            + " submit(n a l1 set(main 1 ask(cpu 4000)))"
            + " submit(n e l1 priority(1) set(main 1 ask(cpu 1000) ask(gpu 1)))");
  }

  /**
   * {@link Invariant#NO_NEEDLESS_VICTIM}: high fits as soon as a has stopped, if it borrows. The
   * first attempt is without borrowing and takes own as well, and who was taken last is never put
   * back (P-12, P-14).
   */
  @Test
  void noNeedlessVictim() {
    isBroken(
        Invariant.NO_NEEDLESS_VICTIM,
        "settings apply(flavor(f) queue(q in(c) all group(f(f gpu(4))) preempt(LowerPriority Any Never))"
            + " queue(o in(c) all group(f(f gpu(4)))) local(n q q) local(n o o))"
            + " submit(n own q set(main 1 ask(gpu 2))) submit(n a o set(main 1 ask(gpu 3))) cycle"
            + " submit(n b o set(main 1 ask(gpu 3))) cycle"
            + " try(n high q priority(1) set(main 1 ask(gpu 3)))");
  }

  /**
   * {@link Invariant#BYPASS_IS_BOUNDED}: without preemption, small workloads take what becomes free
   * one by one, and who asks for the whole queue never sees it free.
   */
  @Test
  void bypassIsBounded() {
    isBroken(
        Invariant.BYPASS_IS_BOUNDED,
        "settings apply(namespace(n) flavor(f) queue(q all group(f(f gpu(2)))) local(n l q))"
            + " submit(n first l set(main 1 ask(gpu 1)))"
            + " submit(n second l set(main 1 ask(gpu 1))) cycle cycle");
  }

  /** Free quota is reserved for the head of a StrictFIFO queue without cohort. */
  @Test
  void bypassIsBoundedInStrictQueuesOutsideOfCohorts() {
    HarnessRun strict = HarnessRun.of(AdmissionEngineUnderTest::create)
        .invariants(Set.of(Invariant.BYPASS_IS_BOUNDED));

    assertThat(strict.play(Scenario.parse(
            "settings apply(namespace(n) flavor(f) queue(q strict all group(f(f gpu(2))))"
                + " local(n l q)) submit(n first l set(main 1 ask(gpu 1)))"
                + " submit(n second l set(main 1 ask(gpu 1))) cycle cycle")))
        .isEmpty();
  }

  @Test
  void everyStrictInvariantHasACounterexample() {
    Set<String> tests = new TreeSet<>();
    for (Method method : StrictInvariantsTest.class.getDeclaredMethods()) {
      tests.add(method.getName());
    }

    assertThat(AdmissionInvariants.strict())
        .allSatisfy(invariant -> assertThat(tests)
            .contains(CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.LOWER_CAMEL, invariant.name())));
  }

  /** {@link Invariant#NONE_IS_BYPASSED}: without preemption, who came first stays. */
  @Test
  void noneIsBypassed() {
    isBroken(
        Invariant.NONE_IS_BYPASSED,
        "settings apply(flavor(f) queue(q all group(f(f gpu(4)))) local(n l q))"
            + " submit(n low l set(main 1 ask(gpu 3))) cycle"
            + " submit(n high l priority(1) set(main 1 ask(gpu 2))) cycle");
  }

  /** {@link Invariant#WORK_CONSERVING}: the head of a StrictFIFO queue holds room for itself. */
  @Test
  void workConserving() {
    isBroken(
        Invariant.WORK_CONSERVING,
        "settings apply(queue(q2 in(c0) all group(f(f0 cpu(5000 borrow(2000)) gpu(0 lend(0)))))"
            + " flavor(f0) local(b l1 q1)"
            + " queue(q0 in(c0) strict all group(f(f0 cpu(0 borrow(0) lend(0)) gpu(5 borrow(3)))))"
            + " queue(q1 in(c0) strict all group(f(f0 cpu(4000 lend(0)) gpu(4 borrow(3)))))"
            + " local(b l2 q2)) submit(b w2 l1 created(PT0S) set(p0 2 ask(gpu 2)))"
            + " submit(b w3 l2 priority(-1) created(PT0S) set(p0 1 ask(cpu 1001) ask(gpu 3)))"
            + " submit(b w9 l2 priority(2) created(PT-2S) set(p0 1))"
            + " submit(b w10 l1 priority(2) created(PT-2S) set(p0 4 ask(gpu 1)))");
  }

  private static final String LATE_WALK =
      "apply(queue(q3 all group(f(f1 cpu(5000) gpu(1)) f(f0 cpu(5000) gpu(6)))) local(b l3 q3)"
          + " flavor(f1) flavor(f0)) submit(b w11 l3 priority(1) created(PT0S)"
          + " set(p0 2 ask(cpu 500)) set(p1 1 ask(gpu 2))) cycle"
          + " submit(b w14 l3 priority(2) created(PT-1S)"
          + " set(p0 2 min(1) ask(cpu 1501) group(together)) set(p1 2 ask(gpu 3) group(together))"
          + " set(p2 1 ask(gpu 1))) cycle tell(deleted b w11)";

  /**
   * {@link Invariant#WORK_CONSERVING}: a walk that went on behind a flavor that has become free
   * ends in vain, and the workload is parked (F-24, F-25).
   */
  @Test
  void workConservingWhereWalksGoOn() {
    isBroken(Invariant.WORK_CONSERVING, "settings " + LATE_WALK);
    isBroken(Invariant.NO_EVENT_IS_MISSED, "settings " + LATE_WALK);
  }

  /** The gate that carries the walk on is to blame. */
  @Test
  void workConservingHoldsWhereWalksBeginAnew() {
    HarnessRun strict = HarnessRun.of(AdmissionEngineUnderTest::create)
        .invariants(Set.of(Invariant.WORK_CONSERVING, Invariant.NO_EVENT_IS_MISSED));

    assertThat(strict.play(
            Scenario.parse("settings(off(FlavorFungibilityPreserveScanProgress)) " + LATE_WALK)))
        .isEmpty();
  }

  /**
   * {@link Invariant#ANY_FITTING_FLAVOR_ADMITS}: a queue that stops at flavors that can be
   * preempted preempts though a later flavor is free.
   */
  @Test
  void anyFittingFlavorAdmits() {
    isBroken(
        Invariant.ANY_FITTING_FLAVOR_ADMITS,
        "settings apply(flavor(f0) flavor(f1) namespace(n)"
            + " queue(q all group(f(f0 gpu(1)) f(f1 gpu(1)))"
            + " fungibility(MayStopSearch MayStopSearch) preempt(LowerPriority Never Never))"
            + " local(n l q)) submit(n low l set(main 1 ask(gpu 1))) cycle"
            + " try(n high l priority(1) set(main 1 ask(gpu 1)))");
  }

  /** {@link Invariant#NO_EVENT_IS_MISSED}: events of a stopped LocalQueue are lost. */
  @Test
  void noEventIsMissed() {
    isBroken(
        Invariant.NO_EVENT_IS_MISSED,
        "settings apply(flavor(f) queue(q all group(f(f gpu(1)))) local(n l q) local(n m q))"
            + " submit(n first l set(main 1 ask(gpu 1))) cycle"
            + " submit(n second m set(main 1 ask(gpu 1))) cycle apply(local(n l q stop(Hold)))"
            + " tell(finished n first)");
  }
}
