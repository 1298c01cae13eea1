package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The behaviour of every API server of the tests, according to the rules up to Kubernetes 1.35. */
abstract class ApiContract extends JobStatusContract {
  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

  static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addNewSchedulingGate("example.com/wait")
        .addToNodeSelector("disk", "ssd")
        .addNewContainer()
        .withName("main")
        .withImage("registry/sleep:1")
        .withNewResources()
        .addToLimits("nvidia.com/gpu", new io.fabric8.kubernetes.api.model.Quantity("1"))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  private static Job withSelector(Job job, String value) {
    return job.toBuilder()
        .editSpec()
        .editTemplate()
        .editSpec()
        .addToNodeSelector("pool", value)
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void aNewObjectGetsItsMetadataFromTheServer() {
    Job job = api().create(job("a"));

    assertThat(job.getMetadata().getUid()).isNotEmpty();
    assertThat(job.getMetadata().getResourceVersion()).isNotEmpty();
    assertThat(job.getMetadata().getCreationTimestamp()).isNotEmpty();
    assertThat(job.getMetadata().getGeneration()).isEqualTo(1);
    assertThat(api().reload(job)).isEqualTo(job);
  }

  @Test
  void aGeneratedNameIsUnlikeOthers() {
    Job unnamed = job("x").toBuilder()
        .editMetadata()
        .withName(null)
        .withGenerateName("run-")
        .endMetadata()
        .build();

    Job first = api().create(unnamed);
    Job second = api().create(unnamed);

    assertThat(first.getMetadata().getName()).startsWith("run-").hasSizeGreaterThan(4);
    assertThat(second.getMetadata().getName()).isNotEqualTo(first.getMetadata().getName());
  }

  @Test
  void aSecondObjectOfANameIsRefused() {
    api().create(job("a"));

    assertThat(api().refusal(() -> api().create(job("a")))).satisfies(refusal -> {
      assertThat(refusal.code()).isEqualTo(409);
      assertThat(refusal.reason()).isEqualTo("AlreadyExists");
      assertThat(refusal.message()).contains("jobs.batch \"a\" already exists");
    });
  }

  @Test
  void anObjectInANamespaceThatIsNotThereIsRefused() {
    Job elsewhere =
        job("a").toBuilder().editMetadata().withNamespace("team").endMetadata().build();

    assertThat(api().refusal(() -> api().create(elsewhere)).message())
        .contains("namespaces \"team\" not found");
    api()
        .create(new NamespaceBuilder()
            .withNewMetadata()
            .withName("team")
            .endMetadata()
            .build());
    assertThat(api().create(elsewhere).getMetadata().getNamespace()).isEqualTo("team");
  }

  @Test
  void aJobIsGivenDefaults() {
    Job job = api().create(job("a"));

    assertThat(job.getSpec().getParallelism()).isEqualTo(1);
    assertThat(job.getSpec().getCompletions()).isEqualTo(1);
    assertThat(job.getSpec().getBackoffLimit()).isEqualTo(6);
    assertThat(job.getSpec().getCompletionMode()).isEqualTo("NonIndexed");
    assertThat(job.getSpec().getPodReplacementPolicy()).isEqualTo("TerminatingOrFailed");
    assertThat(job.getSpec().getManualSelector()).isFalse();
    String uid = job.getMetadata().getUid();
    assertThat(job.getSpec().getSelector().getMatchLabels()).isEqualTo(Map.of(UID_LABEL, uid));
    assertThat(job.getSpec().getTemplate().getMetadata().getLabels())
        .containsEntry(UID_LABEL, uid)
        .containsEntry("controller-uid", uid)
        .containsEntry("job-name", "a")
        .containsEntry("batch.kubernetes.io/job-name", "a");
    assertThat(job.getMetadata().getLabels())
        .as("where it had none of its own")
        .isEqualTo(job.getSpec().getTemplate().getMetadata().getLabels());
    assertThat(job.getSpec().getTemplate().getSpec().getRestartPolicy()).isEqualTo("Never");
    assertThat(job.getSpec().getTemplate().getSpec().getContainers().get(0).getImagePullPolicy())
        .isEqualTo("Always");
  }

  @Test
  void completionsStayUnsetWhereOnlyParallelismIsGiven() {
    Job job = job("a").toBuilder().editSpec().withParallelism(3).endSpec().build();

    assertThat(api().create(job).getSpec().getCompletions()).isNull();
  }

  @Test
  void aJobThatRestartsItsPodsForeverIsRefused() {
    Job job = job("a").toBuilder()
        .editSpec()
        .editTemplate()
        .editSpec()
        .withRestartPolicy(null)
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();

    assertThat(api().refusal(() -> api().create(job))).satisfies(refusal -> {
      assertThat(refusal.code()).isEqualTo(422);
      assertThat(refusal.message())
          .contains("Job.batch \"a\" is invalid: spec.template.spec.restartPolicy");
    });
  }

  @Test
  void aWriteOfAnOldVersionIsAConflict() {
    Job first = api().create(job("a"));
    Job second = api().replace(withSelector(first, "x"));

    assertThat(api().refusal(() -> api().replace(withSelector(first, "y")))).satisfies(refusal -> {
      assertThat(refusal.code()).isEqualTo(409);
      assertThat(refusal.reason()).isEqualTo("Conflict");
      assertThat(refusal.message()).contains("the object has been modified");
    });
    assertThat(api().refusal(() -> api().replaceStatus(first)).code()).isEqualTo(409);
    assertThat(api().reload(first)).isEqualTo(second);
    assertThat(second.getMetadata().getGeneration()).isEqualTo(2);
  }

  @Test
  void aWriteToAnObjectThatWasMadeAnewIsAConflict() {
    Job first = api().create(job("a"));
    api().delete(first);
    api().create(job("a"));
    Job blind =
        first.toBuilder().editMetadata().withResourceVersion(null).endMetadata().build();

    assertThat(api().refusal(() -> api().replace(withSelector(blind, "x"))).code())
        .isEqualTo(409);
  }

  @Test
  void aWriteToWhatIsNotThereIsRefused() {
    Job job = api().create(job("a"));
    api().delete(job);

    assertThat(api().refusal(() -> api().replace(job)).code()).isEqualTo(404);
  }

  @Test
  void aWriteThatChangesNothingMakesNoNewVersion() {
    // Labels that a real server adds when reading the Job are stored by the first write.
    Job job = api()
        .create(job("a").toBuilder()
            .editMetadata()
            .addToLabels("x", "y")
            .endMetadata()
            .build());
    assertThat(job.getMetadata().getLabels()).isEqualTo(Map.of("x", "y"));

    assertThat(api().replace(job)).isEqualTo(job);
    assertThat(api().reload(job)).isEqualTo(job);
  }

  @Test
  void theStatusIsWrittenByItsOwnWriteAndNothingElseIs() {
    Job job = api()
        .create(job("a").toBuilder().withNewStatus().withActive(7).endStatus().build());
    assertThat(job.getStatus() == null ? null : job.getStatus().getActive()).isNull();

    Job both = withSelector(job, "x").toBuilder()
        .withNewStatus()
        .withActive(1)
        .endStatus()
        .build();
    Job status = api().replaceStatus(both);
    assertThat(status.getStatus().getActive()).isEqualTo(1);
    assertThat(status.getSpec()).isEqualTo(job.getSpec());
    assertThat(status.getMetadata().getGeneration()).isEqualTo(1);

    Job main = api()
        .replace(withSelector(status, "x").toBuilder()
            .editStatus()
            .withActive(9)
            .endStatus()
            .build());
    assertThat(main.getStatus().getActive()).isEqualTo(1);
    assertThat(main.getSpec().getTemplate().getSpec().getNodeSelector()).containsKey("pool");
  }

  @Test
  void whatAServerSetsStaysWhateverIsWritten() {
    Job job = api().create(job("a"));
    Job forged = job.toBuilder()
        .editMetadata()
        .withCreationTimestamp("1999-01-01T00:00:00Z")
        .withGeneration(99L)
        .addToAnnotations("mine", "yes")
        .endMetadata()
        .build();

    Job stored = api().replace(forged);

    assertThat(stored.getMetadata().getCreationTimestamp())
        .isEqualTo(job.getMetadata().getCreationTimestamp());
    assertThat(stored.getMetadata().getGeneration()).isEqualTo(1);
    assertThat(stored.getMetadata().getAnnotations()).containsEntry("mine", "yes");
  }

  @Test
  void aJobThatNeverStartedTakesSelectorsAtItsStart() {
    Job job = api().create(job("a"));

    Job running = api()
        .replace(withSelector(job, "x").toBuilder()
            .editSpec()
            .withSuspend(false)
            .endSpec()
            .build());

    assertThat(running.getSpec().getTemplate().getSpec().getNodeSelector())
        .isEqualTo(Map.of("pool", "x"));
  }

  @Test
  void theTemplateOfAJobThatRunsMayNotChange() {
    Job running = started(api(), api().create(job("a")));

    assertThat(api().refusal(() -> api().replace(withSelector(running, "x"))))
        .satisfies(refusal -> {
          assertThat(refusal.code()).isEqualTo(422);
          assertThat(refusal.reason()).isEqualTo("Invalid");
          assertThat(refusal.message())
              .contains("Job.batch \"a\" is invalid: spec.template")
              .contains("field is immutable");
        });
    Job stopped = withSelector(running, "x").toBuilder()
        .editSpec()
        .withSuspend(true)
        .endSpec()
        .build();
    assertThat(api().refusal(() -> api().replace(stopped)).code())
        .as("by the write that stops it, too")
        .isEqualTo(422);
  }

  @Test
  void aStoppedJobTakesSelectorsOnceItsStartTimeIsGone() {
    Job running = started(api(), api().create(job("a")));
    Job stopped =
        api().replace(running.toBuilder().editSpec().withSuspend(true).endSpec().build());
    assertThat(api().refusal(() -> api().replace(withSelector(stopped, "x"))).code())
        .isEqualTo(422);

    Job cleared = api()
        .replaceStatus(
            stopped.toBuilder().editStatus().withStartTime(null).endStatus().build());

    assertThat(api().replace(withSelector(cleared, "x")).getSpec().getTemplate())
        .isEqualTo(withSelector(cleared, "x").getSpec().getTemplate());
  }

  @Test
  void otherFieldsOfATemplateNeverChange() {
    Job job = api().create(job("a"));
    Job otherImage = job.toBuilder()
        .editSpec()
        .editTemplate()
        .editSpec()
        .editContainer(0)
        .withImage("other")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
    Job podAffinity = job.toBuilder()
        .editSpec()
        .editTemplate()
        .editSpec()
        .withNewAffinity()
        .withNewPodAffinity()
        .addNewPreferredDuringSchedulingIgnoredDuringExecution()
        .withWeight(1)
        .endPreferredDuringSchedulingIgnoredDuringExecution()
        .endPodAffinity()
        .endAffinity()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
    Job completions = job.toBuilder().editSpec().withCompletions(5).endSpec().build();
    Job mode =
        job.toBuilder().editSpec().withCompletionMode("Indexed").endSpec().build();

    for (Job changed : List.of(otherImage, podAffinity, completions, mode)) {
      assertThat(api().refusal(() -> api().replace(changed)).code()).isEqualTo(422);
    }
    Job scaled = job.toBuilder().editSpec().withParallelism(5).endSpec().build();
    assertThat(api().replace(scaled).getSpec().getParallelism()).isEqualTo(5);
  }

  @Test
  void theLabelsThatTheServerSelectsByMayNotGo() {
    Job job = api().create(job("a"));
    Job unlabelled = job.toBuilder()
        .editSpec()
        .editTemplate()
        .editMetadata()
        .withLabels(Map.of())
        .endMetadata()
        .endTemplate()
        .endSpec()
        .build();

    assertThat(api().refusal(() -> api().replace(unlabelled)).message())
        .contains("`selector` does not match template `labels`");
  }

  @Test
  void aMergePatchTakesKeysAway() {
    Job job = api().create(withSelector(job("a"), "x"));

    api()
        .mergePatch(job, "{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"pool\":null}}}}}");

    assertThat(api().reload(job).getSpec().getTemplate().getSpec().getNodeSelector())
        .isNullOrEmpty();
  }

  @Test
  void whatHasFinalizersIsGoneWhenTheyAre() {
    Job job = api()
        .create(job("a").toBuilder()
            .editMetadata()
            .withFinalizers("example.com/hold")
            .endMetadata()
            .build());

    api().delete(job);
    Job deleting = api().reload(job);
    assertThat(deleting.getMetadata().getDeletionTimestamp()).isNotEmpty();

    api()
        .replace(
            deleting.toBuilder().editMetadata().withFinalizers().endMetadata().build());
    assertThat(api().get(job)).isEmpty();
  }

  @Test
  void aPodHardlyChanges() {
    Pod pod = api().create(pod("a"));
    assertThat(pod.getSpec().getContainers().get(0).getResources().getRequests())
        .as("requests follow limits")
        .containsKey("nvidia.com/gpu");
    assertThat(pod.getStatus().getPhase()).isEqualTo("Pending");
    assertThat(pod.getSpec().getTolerations())
        .extracting(Toleration::getKey, Toleration::getTolerationSeconds)
        .containsExactly(
            tuple("node.kubernetes.io/not-ready", 300L),
            tuple("node.kubernetes.io/unreachable", 300L));

    Pod narrowed = api()
        .replace(
            pod.toBuilder().editSpec().addToNodeSelector("zone", "b").endSpec().build());
    Pod moved = narrowed.toBuilder()
        .editSpec()
        .addToNodeSelector("disk", "hdd")
        .endSpec()
        .build();
    assertThat(api().refusal(() -> api().replace(moved)).message())
        .contains("only additions to spec.nodeSelector are allowed");
    Pod gated = narrowed.toBuilder()
        .editSpec()
        .addNewSchedulingGate("example.com/more")
        .endSpec()
        .build();
    assertThat(api().refusal(() -> api().replace(gated)).message())
        .contains("only deletion is allowed");

    Pod free = api()
        .replace(narrowed.toBuilder()
            .editSpec()
            .withSchedulingGates(List.of())
            .endSpec()
            .build());
    Pod late =
        free.toBuilder().editSpec().addToNodeSelector("rack", "c").endSpec().build();
    assertThat(api().refusal(() -> api().replace(late)).message())
        .contains("pod updates may not change fields other than");
    Pod tolerant = free.toBuilder()
        .editSpec()
        .addNewToleration()
        .withKey("gpu")
        .withOperator("Exists")
        .endToleration()
        .endSpec()
        .build();
    Pod tolerated = api().replace(tolerant);
    assertThat(tolerated.getSpec().getTolerations()).hasSize(3);
    assertThat(api()
            .refusal(() -> api()
                .replace(
                    tolerated.toBuilder().editSpec().withTolerations().endSpec().build()))
            .code())
        .isEqualTo(422);
  }

  @Test
  void theCompletionsOfAnIndexedJobFollowItsParallelism() {
    Job job = api()
        .create(job("a").toBuilder()
            .editSpec()
            .withCompletionMode("Indexed")
            .withCompletions(4)
            .withParallelism(2)
            .endSpec()
            .build());

    assertThat(api()
            .refusal(() -> api()
                .replace(job.toBuilder().editSpec().withCompletions(3).endSpec().build()))
            .message())
        .contains("can only be modified in tandem with spec.parallelism");
    Job scaled = job.toBuilder()
        .editSpec()
        .withCompletions(3)
        .withParallelism(3)
        .endSpec()
        .build();
    assertThat(api().replace(scaled).getSpec().getCompletions()).isEqualTo(3);
  }
}
