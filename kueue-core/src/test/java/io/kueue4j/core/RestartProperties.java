package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * An engine restored from the visible state of another one, in the middle of preemptions, makes the
 * same decisions.
 *
 * <p>A restart loses, in Kueue as here, the records of attempts: which head waits for its victims,
 * which workloads are parked, the progress of searches over flavors. So the old engine is made to
 * forget them, too: its pending workloads are deleted and submitted again.
 */
class RestartProperties {
  private static final int STEPS = 40;

  private static Operation<PreemptionScenario> step(Choices choices) {
    if (!choices.oneIn(2)) {
      return PreemptionScenario.submission(choices);
    } else if (!choices.oneIn(2)) {
      return PreemptionScenario.nextCycle();
    }
    return choices.oneIn(4) ? PreemptionScenario.finish(choices) : PreemptionScenario.stop(choices);
  }

  @Provide
  Arbitrary<PreemptionScenario.Setup> setups() {
    return PreemptionScenario.setups();
  }

  @Provide
  Arbitrary<List<Operation<PreemptionScenario>>> histories() {
    return Choices.lists(STEPS, RestartProperties::step);
  }

  /** For each cycle whether the pods of an evicted workload stop before. */
  @Provide
  Arbitrary<List<Boolean>> futures() {
    return Choices.lists(STEPS, choices -> choices.nextInt(3) < 2);
  }

  private static void restart(PreemptionScenario from, PreemptionScenario to) {
    Set<Workload> waiting = new LinkedHashSet<>();
    for (ClusterQueueView queue : from.cluster.engine.view().clusterQueues()) {
      for (Admission admission : queue.admitted()) {
        WorkloadId id = admission.workload();
        from.cluster
            .engine
            .lifecycle()
            .preempted(id)
            .ifPresentOrElse(
                condition ->
                    to.cluster.engine.lifecycle().restore(from.job(id), admission, condition),
                () -> to.cluster.engine.lifecycle().restore(from.job(id), admission));
      }
      queue.pending().forEach(id -> waiting.add(from.job(id)));
      queue.inadmissible().forEach(id -> waiting.add(from.job(id)));
    }
    waiting.forEach(job -> from.cluster.engine.delete(job.id()));
    for (Workload job : waiting) {
      from.cluster.submit(job);
      to.cluster.submit(job);
    }
    to.cluster.advanceSeconds(
        from.cluster.now().getEpochSecond() - to.cluster.now().getEpochSecond());
  }

  @Property(tries = 300)
  void decidesAlikeAfterwards(
      @ForAll("setups") PreemptionScenario.Setup setup,
      @ForAll("histories") List<Operation<PreemptionScenario>> history,
      @ForAll("futures") List<Boolean> future) {
    PreemptionScenario old = new PreemptionScenario(setup);
    history.forEach(step -> step.on(old));
    PreemptionScenario restarted = new PreemptionScenario(setup);
    restart(old, restarted);
    Set<WorkloadId> stopping = new LinkedHashSet<>(old.isStopping);

    for (boolean stopsOne : future) {
      assertThat(restarted.cluster.engine.view())
          .hasToString(old.cluster.engine.view().toString());
      for (String queue : old.queues()) {
        assertThat(restarted.cluster.view(queue).stopping())
            .containsExactlyInAnyOrderElementsOf(old.cluster.view(queue).stopping());
      }
      if (!stopping.isEmpty() && stopsOne) {
        WorkloadId stopped = stopping.iterator().next();
        stopping.remove(stopped);
        assertThat(EngineCalls.podsStopped(old.cluster.engine, stopped)).isTrue();
        assertThat(EngineCalls.podsStopped(restarted.cluster.engine, stopped)).isTrue();
      }
      Decisions expected = old.cluster.cycle();
      Decisions actual = restarted.cluster.cycle();
      assertThat(actual.admitted()).isEqualTo(expected.admitted());
      assertThat(actual.preempted()).isEqualTo(expected.preempted());
      assertThat(actual.pending()).hasToString(expected.pending().toString());
      expected.preempted().forEach(victim -> stopping.add(victim.workload()));
    }
  }
}
