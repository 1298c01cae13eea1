package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.simulation.JobOutcome;
import io.kueue4j.core.simulation.SimulationResult;
import org.junit.jupiter.api.Test;

class EngineWarmUpTest {
  /** What is not called here is not warm afterwards. */
  @Test
  void jobsWaitStartAndFinish() {
    SimulationResult result = EngineWarmUp.simulate(100);

    assertThat(result.jobs()).hasSize(100).allMatch(job -> job.outcome() == JobOutcome.FINISHED);
    assertThat(result.total().maxWait()).isPositive();
  }
}
