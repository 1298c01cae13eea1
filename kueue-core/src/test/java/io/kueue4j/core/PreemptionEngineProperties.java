package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.WorkloadId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** What holds of preemption in any engine, after any history. */
class PreemptionEngineProperties {
  private static final int STEPS = 40;
  private static final int QUIET_CYCLES = 6;

  /** Runs a random history. {@return the scenario} */
  private static PreemptionScenario history(PreemptionScenario scenario) {
    for (int i = 0; i < STEPS; i++) {
      if (scenario.chance(2)) {
        scenario.submitJob();
      } else if (scenario.chance(2)) {
        checkedCycle(scenario);
      } else if (scenario.chance(3)) {
        scenario.finishOne();
      } else {
        scenario.stopOne();
      }
      usageIsThatOfTheAdmissions(scenario);
    }
    return scenario;
  }

  private static void usageIsThatOfTheAdmissions(PreemptionScenario scenario) {
    for (String queue : scenario.queues()) {
      for (QuotaUsage usage : scenario.cluster.view(queue).usage()) {
        assertThat(usage.used())
            .as("%s in %s", queue, usage.flavor())
            .isEqualTo(scenario.admitted(queue, usage.flavor()));
      }
    }
  }

  /** Runs a cycle and looks at each victim. */
  private static CycleResult checkedCycle(PreemptionScenario scenario) {
    Map<String, Long> before = new HashMap<>();
    for (String queue : scenario.queues()) {
      for (String flavor : PreemptionScenario.FLAVORS) {
        before.put(queue + flavor, scenario.admitted(queue, flavor));
      }
    }
    Set<WorkloadId> told = new HashSet<>(scenario.toldToStop);
    CycleResult result = scenario.cycle();
    Map<String, Long> headOf = new HashMap<>();
    result
        .admitted()
        .forEach(admission ->
            headOf.put(admission.clusterQueue(), scenario.asked(admission.workload())));
    result
        .pending()
        .forEach(pending ->
            headOf.put(scenario.queueOf(pending.workload()), scenario.asked(pending.workload())));
    for (PreemptionVictim victim : result.preempted()) {
      assertThat(told.add(victim.workload())).as("%s is told once", victim).isTrue();
      assertThat(scenario.cluster.engine.admission(victim.workload())).isPresent();
      String queue = victim.clusterQueue();
      if (!queue.equals(scenario.queueOf(victim.preemptor()))) {
        long head = headOf.getOrDefault(queue, 0L);
        assertThat(PreemptionScenario.FLAVORS)
            .as("%s is of a queue that borrows, counting its own head of %s", victim, head)
            .anyMatch(flavor ->
                before.getOrDefault(queue + flavor, 0L) + head > scenario.nominal(queue, flavor));
      }
    }
    return result;
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void noNodeIsOverfullWhenAllVictimsHaveStopped(@ForAll long seed, @ForAll boolean fairSharing) {
    PreemptionScenario scenario = history(new PreemptionScenario(seed, fairSharing, false));

    scenario.stopAll();

    assertThat(scenario.overfull()).isEmpty();
  }

  /**
   * With other policies, or without a preemptor going first, workloads may preempt each other for
   * ever, as they do in Kueue: rule S-7 may admit the victim again before its preemptor.
   */
  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void comesToRestIfOnlyLowerPrioritiesArePreemptedAndPreemptorsGoFirst(
      @ForAll long seed, @ForAll boolean fairSharing) {
    PreemptionScenario scenario = history(new PreemptionScenario(seed, fairSharing, true));
    scenario.stopAll();

    int evictions = 0;
    int quiet = 0;
    while (quiet < QUIET_CYCLES) {
      CycleResult result = checkedCycle(scenario);
      scenario.stopAll();
      evictions += result.preempted().size();
      quiet = result.preempted().isEmpty() && result.admitted().isEmpty() ? quiet + 1 : 0;
      assertThat(evictions).as("evictions").isLessThanOrEqualTo(scenario.jobCount());
      assertThat(scenario.overfull()).isEmpty();
    }
  }
}
