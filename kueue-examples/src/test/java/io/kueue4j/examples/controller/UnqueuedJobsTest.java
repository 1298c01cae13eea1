package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.state.JobState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Jobs that wait although they are in no queue. */
final class UnqueuedJobsTest {
  private final Scene scene = Scene.create();

  @Test
  void aJobWithAnEmptyQueueNameSaysSoOnce() {
    scene.createJob("nowhere", 1, Scene.withLabel("kueue.x-k8s.io/queue-name", ""));
    scene.settle();
    scene.edit("nowhere", job -> job.getMetadata().getLabels().put("other", "changed"));
    scene.settle();
    assertThat(scene.events("nowhere")).containsExactly("NotQueued");
    assertThat(message("nowhere")).contains("names no queue");
  }

  @Test
  void aChildOfAManagedJobSaysThatItWaitsForIt() {
    Job parent = scene.createJob("parent", 100);
    scene.createJob("child", 1, job -> own(parent, job));
    scene.settle();
    assertThat(scene.events("parent")).containsExactly("ExceedsMaxQuota");
    assertThat(scene.events("child")).containsExactly("NotQueued");
    assertThat(message("child")).contains("belongs to Job parent, which is admitted as a whole");
  }

  @Test
  void aChildThatRunsSaysNothing() {
    Job parent = scene.createJob("parent", 1);
    scene.settle();
    scene.createJob("child", 1, job -> {
      own(parent, job);
      job.getSpec().setSuspend(false);
    });
    scene.settle();
    assertThat(scene.events("child")).isEmpty();
  }

  @Test
  void aJobThatItsOwnerTakesOutOfTheQueueAndStartsIsShown() {
    scene.createJob("job", 100);
    scene.settle();
    scene.edit("job", job -> job.getMetadata().getLabels().remove("kueue.x-k8s.io/queue-name"));
    scene.settle();
    assertThat(scene.view().refusedAdmissions()).isEmpty();
    scene.edit("job", job -> job.getSpec().setSuspend(false));
    scene.settle();
    assertThat(scene.view().refusedAdmissions())
        .singleElement()
        .satisfies(shown -> assertThat(shown.reason()).contains("runs beyond all quotas"));
    assertThat(scene.events("job")).last().isEqualTo("AdmissionRefused");
    scene.restart();
    scene.settle();
    assertThat(scene.view().refusedAdmissions()).as("by the next controller").hasSize(1);
    assertThat(scene.state("job")).isEqualTo(JobState.UNMANAGED);
  }

  /** Without a queue its record does not fit, which the next controller finds. */
  @Test
  void aJobThatRunsCountsInTheQueueThatAdmittedIt() {
    scene.createJob("job", 2);
    scene.settle();
    scene.edit("job", Scene.withLabel("kueue.x-k8s.io/queue-name", "nowhere"));
    scene.settle();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(2000);
    scene.edit("job", job -> job.getMetadata().getLabels().remove("kueue.x-k8s.io/queue-name"));
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(2000);
    scene.restart();
    scene.settle();
    assertThat(scene.runs("job")).isFalse();
    assertThat(scene.usedMillis()).isZero();
  }

  @Test
  void aPartThatIsStartedAgainIsSuspendedDespiteConflicts() {
    Job maker = scene.createJob("maker", 1, job -> {
      job.getMetadata().setLabels(Map.of());
      job.getSpec().setSuspend(false);
    });
    scene.createJob("part", 100, job -> own(maker, job));
    AtomicInteger conflicts = new AtomicInteger(5);
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        if (object.getMetadata().getName().equals("maker") && conflicts.getAndDecrement() > 0) {
          scene.edit("maker", job -> job.getMetadata().setAnnotations(Map.of("n", "" + conflicts)));
        }
        return super.replace(object);
      }
    });
    scene.settle();
    for (int start = 0; start < 2; start++) {
      scene.edit("part", job -> job.getSpec().setSuspend(false));
      scene.settle();
      assertThat(scene.job("part").getSpec().getSuspend()).isTrue();
    }
    assertThat(scene.job("maker").getSpec().getSuspend()).isFalse();
    for (int pause = 0; pause < 5; pause++) {
      scene.clock.advance(Duration.ofMillis(100));
      scene.settle();
    }
    assertThat(scene.job("maker").getSpec().getSuspend()).isTrue();
    assertThat(scene.view("part").messages()).singleElement().asString().contains("name the queue");
  }

  @Test
  void aPartThatIsStartedOnceBetweenItsRunsDoesNotStopItsMaker() {
    scene.createJob("first", 4);
    Job maker = scene.createJob("maker", 1, job -> {
      job.getMetadata().setLabels(Map.of());
      job.getSpec().setSuspend(false);
    });
    scene.createJob("part", 1, job -> own(maker, job));
    scene.settle();
    scene.edit("part", job -> job.getSpec().setSuspend(false));
    scene.settle();
    assertThat(scene.job("part").getSpec().getSuspend()).isTrue();
    assertThat(scene.job("maker").getSpec().getSuspend()).isFalse();
    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("part")).isTrue();
    scene.preempt(4);
    assertThat(scene.job("part").getSpec().getSuspend()).isTrue();
    assertThat(scene.job("maker").getSpec().getSuspend()).isFalse();
  }

  @Test
  void aPartThatIsStartedAfterItsAdmissionStopsItsMaker() {
    Job maker = scene.createJob("maker", 1, job -> {
      job.getMetadata().setLabels(Map.of());
      job.getSpec().setSuspend(false);
    });
    scene.createJob("part", 1, job -> own(maker, job));
    AtomicInteger starts = new AtomicInteger();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      protected <T> T intercept(Supplier<T> write) {
        T written = super.intercept(write);
        if (scene.isRecorded(scene.job("part"))
            && scene.job("part").getSpec().getSuspend()
            && !scene.job("maker").getSpec().getSuspend()) {
          scene.edit("part", job -> job.getSpec().setSuspend(false));
          starts.incrementAndGet();
        }
        return written;
      }
    });
    scene.settle();
    assertThat(starts).hasValueLessThan(4);
    assertThat(scene.job("maker").getSpec().getSuspend()).isTrue();
    assertThat(scene.job("part").getSpec().getSuspend()).isTrue();
    assertThat(scene.view("part").messages()).singleElement().asString().contains("name the queue");
    assertThat(scene.usedMillis()).isZero();
  }

  private String message(String job) {
    return scene.connection().events().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(job))
        .map(event -> event.getMessage())
        .findFirst()
        .orElseThrow();
  }

  /** Makes a Job a part of another. */
  static void own(Job parent, Job child) {
    child
        .getMetadata()
        .setOwnerReferences(List.of(new OwnerReferenceBuilder()
            .withApiVersion("batch/v1")
            .withKind("Job")
            .withName(parent.getMetadata().getName())
            .withUid(parent.getMetadata().getUid())
            .withController(true)
            .build()));
  }
}
