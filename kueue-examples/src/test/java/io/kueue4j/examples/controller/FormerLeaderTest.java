package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ClusterConnection;
import io.kueue4j.examples.controller.cluster.WatchQueue;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** What a controller does with jobs that its predecessor starts without being leader any more. */
class FormerLeaderTest {
  private final Scene scene = Scene.create();
  private boolean refuses = true;

  FormerLeaderTest() {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        if (refuses && object.getMetadata().getName().startsWith("job-one-")) {
          throw new WriteException(WriteException.Reason.REFUSED, "a webhook said no");
        }
        return super.replaceStatus(object);
      }
    });
  }

  /** {@return the former leader, which knows the present cluster and no later change} */
  private ControllerLoop former() {
    ControllerLoop former = ControllerLoop.create(
        ControllerOptions.defaults(),
        ClusterConnection.of(scene.cluster, "former"),
        InstantSource.fixed(scene.clock.instant()));
    try (WatchQueue watch = WatchQueue.open(scene.cluster)) {
      former.start(watch.list());
    }
    return former;
  }

  /** The former leader starts the job, and the present one stops it and leaves it as it was. */
  private void assertStopped(ControllerLoop former, Job created) {
    refuses = false;
    former.step();
    assertThat(scene.runs("one")).isTrue();
    int before = scene.log().size();
    // Writes that the server refused delay the next ones.
    scene.clock.advance(Duration.ofMinutes(2));
    scene.work();
    ImmutableList<ApiWrite> writes =
        ImmutableList.copyOf(scene.log().subList(before, scene.log().size()));
    assertThat(writes)
        .filteredOn(write -> write.key().kind().equals("Job"))
        .element(1)
        .satisfies(write -> {
          Job stopped = Serialization.unmarshal(write.object().toString(), Job.class);
          assertThat(stopped.getSpec()).isEqualTo(created.getSpec());
        });
    assertThat(writes)
        .filteredOn(write -> write.key().kind().equals("Workload"))
        .allSatisfy(write -> assertThat(WorkloadScene.isTrue(write.object(), "QuotaReserved"))
            .isEqualTo(write.object().at("/status/admission").isObject()));
    assertThat(scene.events("one")).contains("Stopped").doesNotContain("AdmissionRefused");
  }

  @Test
  void aJobStartedByAFormerLeaderIsStopped() {
    Job created = scene.createJob("one", 2);
    scene.work();
    scene.clock.advance(Duration.ofSeconds(2));
    assertStopped(former(), created);
  }

  @Test
  void soIsAJobWhoseAdmissionThisLeaderCouldNotRecord() {
    Job created = scene.createJob("one", 2);
    scene.work();
    ControllerLoop former = former();
    scene.createHigh(4);
    scene.work();
    // It waits again.
    scene.clock.advance(Duration.ofMinutes(2));
    scene.work();
    assertStopped(former, created);
  }
}
