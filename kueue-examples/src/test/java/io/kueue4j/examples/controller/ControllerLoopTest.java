package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.examples.controller.cluster.ClusterConnection;
import io.kueue4j.examples.controller.cluster.WatchQueue;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The controller throughout the life of jobs, with the rules of a real API server. */
final class ControllerLoopTest {
  private static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";

  private final Scene scene = Scene.create();

  @Test
  void aStartIsOneWriteOfTheJob() {
    scene.createJob("train", 2);
    scene.settle();

    assertThat(scene.writes("train")).isEqualTo(1);
    Job job = scene.job("train");
    assertThat(job.getSpec().getSuspend()).isFalse();
    PodSpec pods = job.getSpec().getTemplate().getSpec();
    assertThat(pods.getNodeSelector())
        .containsExactlyInAnyOrderEntriesOf(Map.of("zone", "a", "pool", "spot"));
    assertThat(pods.getTolerations())
        .singleElement()
        .satisfies(toleration -> assertThat(toleration.getKey()).isEqualTo("spot"));
    JsonNode admission = scene.record("train").at("/status/admission");
    assertThat(admission.path("clusterQueue").asText()).isEqualTo("research");
    assertThat(admission.at("/podSetAssignments/0/resourceUsage/cpu").asText()).isEqualTo("2");
    assertThat(scene.state("train")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.events("train")).containsExactly("Started");
    assertThat(scene.pods()).hasSize(1);
  }

  @Test
  void aVictimHoldsItsQuotaUntilItsPodsAreGone() {
    Job given = scene.createJob("low", 4);
    scene.settle();
    scene.createJob("high", 4, Scene.withLabel(PRIORITY_CLASS, "high"));
    scene.work();

    assertThat(scene.job("low").getSpec().getSuspend()).isTrue();
    assertThat(WorkloadScene.isTrue(scene.record("low"), WorkloadObjects.STOPPING))
        .isTrue();
    assertThat(scene.state("low")).isEqualTo(JobState.STOPPING);
    assertThat(scene.runs("high")).isFalse();
    scene.work();
    assertThat(scene.runs("high")).isFalse();

    scene.settle();

    assertThat(scene.runs("high")).isTrue();
    assertThat(scene.state("low")).isEqualTo(JobState.PENDING);
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("low"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
    assertThat(scene.isRecorded(scene.job("low"))).isFalse();

    scene.finish("high");
    scene.settle();
    assertThat(scene.runs("low")).isTrue();
    assertThat(scene.events("low"))
        .containsExactly("Started", "Stopped", "WaitingForQuota", "Started");
  }

  @Test
  void aJobThatIsCreatedRunningIsSuspendedFirst() {
    scene.createJob("first", 4);
    scene.settle();
    scene.createJob("eager", 2, job -> job.getSpec().setSuspend(false));
    scene.runPods();
    assertThat(scene.pods()).hasSize(2);
    scene.settle();

    assertThat(scene.job("eager").getSpec().getSuspend()).isTrue();
    assertThat(scene.pods()).hasSize(1);
    assertThat(scene.state("eager")).isEqualTo(JobState.PENDING);

    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("eager")).isTrue();
    assertThat(scene.events("eager")).containsExactly("Suspended", "WaitingForQuota", "Started");
  }

  @Test
  void aJobWithoutAQueueIsLeftAlone() {
    scene.createJob("free", 2, job -> job.getMetadata().setLabels(new HashMap<>()));
    scene.createJob("alike", 100, job -> {
      job.getMetadata().setLabels(new HashMap<>());
      job.getSpec().setSuspend(false);
    });
    scene.settle();

    assertThat(scene.writes("free") + scene.writes("alike")).isZero();
    assertThat(scene.view().jobs()).isEmpty();
  }

  @Test
  void aJobThatIsEditedWhileItRunsStartsOver() {
    scene.createJob("train", 2);
    scene.settle();
    scene.edit("train", job -> job.getSpec().setParallelism(2));
    scene.settle();

    assertThat(scene.runs("train")).isTrue();
    assertThat(scene
            .record("train")
            .at("/status/admission/podSetAssignments/0/resourceUsage/cpu")
            .asText())
        .isEqualTo("4");
    assertThat(scene.events("train")).containsExactly("Started", "Stopped", "Started");
    assertThat(scene.pods()).hasSize(2);
  }

  @Test
  void aJobThatWasEditedInBetweenStartsOver() {
    scene.createJob("train", 2);
    scene.settle();
    scene.edit("train", job -> job.getSpec().setParallelism(3));
    scene.runPods();
    scene.restart();
    scene.settle();

    assertThat(scene.state("train")).isEqualTo(JobState.PENDING);
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.view().reasons(scene.view("train")).toString()).contains("6", "cpu");
  }

  @Test
  void aWaitingJobThatIsEditedIsAskedAnew() {
    scene.createJob("large", 2, job -> job.getSpec().setParallelism(3));
    scene.settle();
    assertThat(scene.state("large")).isEqualTo(JobState.PENDING);
    scene.edit("large", job -> job.getSpec().setParallelism(2));
    scene.settle();

    assertThat(scene.runs("large")).isTrue();
    assertThat(scene.writes("large")).isEqualTo(1);
  }

  @Test
  void whatFinishesGivesItsQuotaBackAndIsNotWritten() {
    scene.createJob("one", 4);
    scene.createJob("two", 4);
    scene.settle();
    assertThat(scene.runs("two")).isFalse();
    scene.finish("one");
    scene.settle();

    assertThat(scene.runs("two")).isTrue();
    assertThat(scene.writes("one")).isEqualTo(1);
    assertThat(scene.state("one")).isEqualTo(JobState.FINISHED);
  }

  @Test
  void whatIsDeletedGivesItsQuotaBack() {
    scene.createJob("one", 4);
    scene.createJob("two", 4);
    scene.settle();
    scene.cluster.delete("user", Scene.key("Job", "default", "one"));
    scene.cluster.collectGarbage();
    scene.settle();

    assertThat(scene.runs("two")).isTrue();
    assertThat(scene.view().jobs()).hasSize(1);
  }

  @Test
  void anotherControllerKnowsWhatTheFirstHasStarted() {
    scene.createJob("one", 3);
    scene.settle();
    scene.createJob("two", 3);
    scene.restart();
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
    assertThat(scene.writes("one")).isEqualTo(1);
    assertThat(scene.view().engine().clusterQueue("research").orElseThrow().admitted())
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void aControllerThatStopsAfterAnyWriteLosesNothing(int lastWrite) {
    Job given = scene.createJob("low", 4);
    scene.settle();
    scene.createJob("high", 4, Scene.withLabel(PRIORITY_CLASS, "high"));
    scene.restart(new MortalWrites(scene.connection(), lastWrite));
    for (int i = 0; i < 10; i++) {
      try {
        scene.work();
      } catch (MortalWrites.Death e) {
        break;
      }
      scene.runPods();
    }
    scene.restart();
    scene.settle();

    assertThat(scene.runs("high")).isTrue();
    assertThat(scene.runs("low")).isFalse();
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("low"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
    assertThat(scene.state("low")).isEqualTo(JobState.PENDING);
    assertThat(scene.pods()).hasSize(1);
  }

  @Test
  void whoIsNotActiveIsStoppedUntilItIsAgain() {
    scene.createJob("one", 2);
    scene.settle();
    scene.edit(
        "one", job -> job.getMetadata().getAnnotations().put(JobAnnotations.ACTIVE, "false"));
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isFalse();

    scene.edit("one", job -> job.getMetadata().getAnnotations().remove(JobAnnotations.ACTIVE));
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  @Test
  void whoRunsTooLongIsGivenUp() {
    scene.createJob("one", 2, Scene.withLabel("kueue.x-k8s.io/max-exec-time-seconds", "60"));
    scene.settle();
    Instant next = scene.work();
    assertThat(next).isEqualTo(scene.clock.instant().plusSeconds(60));
    scene.clock.advance(Duration.ofSeconds(61));
    scene.settle();

    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.record("one").at("/spec/active").asBoolean(true)).isFalse();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.isRecorded(scene.job("one"))).isFalse();
  }

  @Test
  void aJobWhosePodsAreNotReadyIsTriedAgainEvenByAnother() {
    Scene impatient = new Scene(ControllerOptions.defaults()
        .withSettings(Settings.builder()
            .podsReady(PodsReadyPolicy.builder().timeout(Duration.ofSeconds(30)).build())
            .build()));
    impatient.createJob("one", 2);
    impatient.work();
    impatient.work();
    impatient.clock.advance(Duration.ofSeconds(31));
    impatient.work();
    assertThat(impatient.job("one").getSpec().getSuspend()).isTrue();
    impatient.work();
    assertThat(impatient.runs("one")).isFalse();
    assertThat(impatient.record("one").at("/status/requeueState/requeueAt").asText())
        .isNotEmpty();

    impatient.restart();
    impatient.work();
    assertThat(impatient.runs("one")).isFalse();
    impatient.clock.advance(Duration.ofMinutes(2));
    impatient.work();
    assertThat(impatient.runs("one")).isTrue();
  }

  @Test
  void aJobStartsWhenThePodsOfTheOneBeforeAreReady() {
    Scene orderly = new Scene(ControllerOptions.defaults()
        .withSettings(Settings.builder()
            .podsReady(PodsReadyPolicy.builder().blockAdmission(true).build())
            .build()));
    orderly.createJob("one", 1);
    orderly.createJob("two", 1);
    orderly.work();
    assertThat(orderly.runs("one")).isTrue();
    assertThat(orderly.runs("two")).isFalse();
    orderly.settle();
    assertThat(orderly.runs("two")).isTrue();
  }

  @Test
  void aJobThatCannotBeStartedIsRefusedUntilItIsAnother() {
    scene.createJob(
        "one",
        2,
        job -> job.getSpec().getTemplate().getSpec().setNodeSelector(Map.of("pool", "on-demand")));
    scene.settle();

    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.state("one")).isIn(JobState.REFUSED, JobState.PENDING);
    assertThat(scene.view().reasons(scene.view("one")).toString()).contains("pool");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJobOnAPrebuiltWorkloadIsRefusedAndDoesNotRun(boolean suspended) {
    scene.createJob("one", 2, job -> {
      Scene.withLabel("kueue.x-k8s.io/prebuilt-workload-name", "made-before").accept(job);
      job.getSpec().setSuspend(suspended);
    });
    scene.settle();

    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.state("one")).isEqualTo(JobState.REFUSED);
    assertThat(scene.view("one").messages().toString())
        .contains("made-before", "prebuilt-workload-name");
    assertThat(scene.events("one")).endsWith("Refused").doesNotContain("Started");
    assertThat(scene.view().engine().clusterQueues())
        .allMatch(queue -> queue.waiting().isEmpty());
  }

  @Test
  void aJobThatBreaksRulesIsInvalidAndSaysWhy() {
    scene.createJob("one", 2, Scene.withLabel("kueue.x-k8s.io/max-exec-time-seconds", "soon"));
    scene.settle();

    assertThat(scene.state("one")).isEqualTo(JobState.INVALID);
    assertThat(scene.view("one").messages().toString()).contains("max-exec-time-seconds", "soon");
    assertThat(scene.events("one")).containsExactly("ErrWorkloadCompose");
  }

  @Test
  void aMissingPriorityClassIsWaitedFor() {
    scene.createJob("one", 2, Scene.withLabel(PRIORITY_CLASS, "missing"));
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    io.fabric8.kubernetes.api.model.GenericKubernetesResource found =
        io.fabric8.kubernetes.client.utils.Serialization.unmarshal(
            """
            apiVersion: kueue.x-k8s.io/v1beta1
            kind: WorkloadPriorityClass
            metadata: {name: missing}
            value: 7
            """, io.fabric8.kubernetes.api.model.GenericKubernetesResource.class);
    scene.cluster.create("user", found);
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  @Test
  void whatTheUserSuspendsIsStartedAgain() {
    scene.createJob("one", 2);
    scene.settle();
    scene.edit("one", job -> job.getSpec().setSuspend(true));
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.pods()).hasSize(1);
  }

  @Test
  void aFormerLeaderStartsNothingThatAnotherHasRecorded() {
    scene.createJob("late", 4);
    ControllerLoop former = ControllerLoop.create(
        ControllerOptions.defaults(), ClusterConnection.of(scene.cluster, "former"), scene.clock);
    former.start(WatchQueue.open(scene.cluster).list());
    scene.createJob("high", 4, Scene.withLabel(PRIORITY_CLASS, "high"));
    scene.restart();
    scene.work();
    assertThat(scene.runs("high")).isTrue();

    former.step();
    assertThat(scene.runs("late")).isFalse();
    scene.settle();

    assertThat(scene.runs("high")).isTrue();
    assertThat(scene.runs("late")).isFalse();
    assertThat(scene.state("late")).isEqualTo(JobState.PENDING);
  }
}
