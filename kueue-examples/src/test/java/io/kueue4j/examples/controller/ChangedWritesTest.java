package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.ClusterWrites;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A webhook changes what the controller writes. */
class ChangedWritesTest {
  private final Scene scene = Scene.create();

  /** Lets each job run that is suspended. */
  private static final class Contrary extends InterceptedWrites {
    private int writes;

    Contrary(ClusterWrites cluster) {
      super(cluster);
    }

    @Override
    public <T extends HasMetadata> T replace(T object) {
      writes++;
      assertThat(writes).as("writes in one step").isLessThan(1000);
      if (object instanceof Job job && job.getSpec().getSuspend()) {
        job.getSpec().setSuspend(false);
      }
      return super.replace(object);
    }
  }

  @Test
  void aJobThatChangesAfterEachWriteDoesNotBlockOthers() {
    Contrary writes = new Contrary(scene.connection());
    scene.createJob("train", 2);
    scene.settle();
    scene.restart(writes);
    scene.edit(
        "train", job -> job.getMetadata().getAnnotations().put(JobAnnotations.ACTIVE, "false"));
    scene.createJob("small", 1);

    Instant now = scene.clock.instant();
    assertThat(scene.work()).isBetween(now.plusNanos(1), now.plus(Duration.ofMinutes(1)));
    assertThat(scene.state("train")).isEqualTo(JobState.STOPPING);
    assertThat(scene.runs("small")).isTrue();
  }
}
