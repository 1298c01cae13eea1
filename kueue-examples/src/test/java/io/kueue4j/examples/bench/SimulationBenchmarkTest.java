package io.kueue4j.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.bench.SimulationBenchmark.Machine;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SimulationBenchmarkTest {
  @ParameterizedTest
  @EnumSource(Machine.class)
  void allJobsOfTheLogFinish(Machine machine) throws IOException {
    SimulationResult result = run(machine, 3_000);

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(result.total().finished()).isEqualTo(3_000);
    assertThat(result.quotas()).hasSizeGreaterThan(100);
  }

  @Test
  void jobsWaitOnACrowdedMachineOnly() throws IOException {
    assertThat(run(Machine.SHARED, 10_000).total().maxWait()).isZero();
    assertThat(run(Machine.CROWDED, 10_000).total().maxWait()).isPositive();
  }

  private static SimulationResult run(Machine machine, int jobs) throws IOException {
    SimulationBenchmark benchmark = new SimulationBenchmark();
    benchmark.jobs = jobs;
    benchmark.machine = machine;
    benchmark.setUp();
    try {
      assertThat(benchmark.read().trace()).hasSize(jobs);
      return benchmark.run();
    } finally {
      benchmark.tearDown();
    }
  }
}
