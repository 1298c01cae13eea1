package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The same happens in every run, on every JVM. */
class SimulationDigestTest {
  private static SimulationJob job(int i) {
    SimulationJob.Builder job = SimulationJob.builder()
        .workload(Jobs.workload("job" + i, i % 3 == 0 ? "small" : "large", 1 + i * 7 % 5)
            .priority(i * 11 % 4)
            .build())
        .submitTime(at(i * 13L % 997))
        .duration(Duration.ofSeconds(5 + i * 31L % 200));
    if (i % 4 == 0) {
      job.checkpoints(new Checkpoints(Duration.ofSeconds(20), Duration.ofSeconds(3)));
    }
    if (i % 10 == 9) {
      job.addAfter(Jobs.id("job" + (i - 5))).thinkTime(Duration.ofSeconds(30));
    }
    return job.build();
  }

  private static Simulation simulation() {
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    for (int i = 0; i < 300; i++) {
      jobs.add(job(i));
    }
    Preemption preemption = Preemption.builder()
        .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
        .reclaimWithinCohort(Preemption.Policy.LOWER_PRIORITY)
        .build();
    return Simulation.builder()
        .settings(Settings.builder().kueueVersion(KueueVersion.V0_19).build())
        .configuration(
            ResourceFlavor.of("default"),
            ResourceFlavor.of("spot"),
            Jobs.clusterQueue("small", 6).cohort("all").preemption(preemption).build(),
            Jobs.clusterQueue("large", 12)
                .cohort("all")
                .preemption(preemption)
                .resourceGroups(ImmutableList.of(ResourceGroup.of(
                    FlavorQuotas.of("default", ResourceQuota.of("cpu", "12")),
                    FlavorQuotas.of("spot", ResourceQuota.of("cpu", "8")))))
                .build(),
            Jobs.localQueue("small"),
            Jobs.localQueue("large"))
        .trace(jobs.build())
        .events(
            new SimulationEvent.Cancel(at(100), Jobs.id("job7")),
            new SimulationEvent.Delete(at(120), Jobs.id("job8")),
            SimulationEvent.apply(
                at(300),
                Jobs.clusterQueue("small", 9)
                    .cohort("all")
                    .preemption(preemption)
                    .build()))
        .behavior(new ClusterBehavior() {
          @Override
          public Duration terminationDelay(SimulationJob job) {
            return Duration.ofSeconds(job.workload().podSets().get(0).count());
          }
        })
        .build();
  }

  @Test
  void theDigestIsAlwaysTheSame() {
    SimulationResult result = simulation().run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(result.preemptions()).isPositive();
    assertThat(result.by(JobResult::flavor).keySet()).containsExactly("default", "spot");
    assertThat(result.digest())
        .isEqualTo("0b1aae5c63a95ea01524a60c10f930bfeb76772387c13a4f41f0edbe251ec244");
  }

  @Test
  void aSecondRunIsEqualToTheFirst() {
    Simulation simulation = simulation();

    assertThat(simulation.run().jobs()).isEqualTo(simulation.run().jobs());
    assertThat(simulation.run().digest()).isEqualTo(simulation().run().digest());
  }

  @Test
  void theDigestChangesWithWhatHappens() {
    Simulation simulation = simulation();

    assertThat(simulation
            .with(Jobs.clusterQueue("small", 7).cohort("all").build())
            .run()
            .digest())
        .isNotEqualTo(simulation.run().digest());
  }
}
