package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.WriteException;
import io.kueue4j.k8s.job.JobKinds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Admissions recorded in Workload objects, which tenants may create but whose status only the
 * controller writes.
 */
class WorkloadRecordsTest {
  private final WorkloadScene workloads = new WorkloadScene();
  private final Scene scene = workloads.scene;

  private static String nameOf(Job job) {
    return JobKinds.standard()
        .find(job)
        .orElseThrow()
        .workloadName(job, job.getMetadata().getName(), job.getMetadata().getUid());
  }

  // ----- what is written

  @Test
  void aRunningJobHasAWorkloadAsKueueWritesIt() {
    scene.createJob("one", 2, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    Job job = scene.job("one");
    JsonNode workload = workloads.tree("one");
    assertThat(workload.at("/metadata/name").asText()).matches("job-one-[0-9a-f]{5}");
    assertThat(workload.at("/metadata/ownerReferences/0/uid").asText())
        .isEqualTo(job.getMetadata().getUid());
    assertThat(workload.at("/metadata/ownerReferences/0/controller").asBoolean())
        .isTrue();
    assertThat(workload.at("/spec/queueName").asText()).isEqualTo("queue");
    assertThat(workload.at("/spec/priority").asInt()).isEqualTo(100);
    assertThat(workload.at("/spec/podSets/0/name").asText()).isEqualTo("main");
    assertThat(workload.at("/spec/podSets/0/template/spec/nodeSelector"))
        .isEqualTo(Json.parse("{\"zone\": \"a\"}"));
    assertThat(workload.at("/status/admission/clusterQueue").asText()).isEqualTo("research");
    assertThat(workload.at("/status/admission/podSetAssignments/0/flavors/cpu").asText())
        .isEqualTo("spot");
    assertThat(workload
            .at("/status/admission/podSetAssignments/0/resourceUsage/cpu")
            .asText())
        .isEqualTo("2");
    assertThat(workloads.isTrue("one", "QuotaReserved")).isTrue();
    assertThat(workloads.isTrue("one", "Admitted")).isTrue();
  }

  @Test
  void theAdmissionIsRecordedBeforeTheJobStarts() {
    scene.createJob("one", 2);
    scene.settle();
    long recorded = 0;
    long started = 0;
    for (ApiWrite write : scene.log()) {
      if (write.key().kind().equals("Workload")
          && recorded == 0
          && !write.after("status", "admission").isMissingNode()) {
        recorded = write.revision();
      }
      if (write.key().name().equals("one")
          && started == 0
          && write.verb() == ApiWrite.Verb.REPLACE
          && !write.after("spec", "suspend").asBoolean()) {
        started = write.revision();
      }
    }
    assertThat(recorded).isPositive().isLessThan(started);
  }

  @Test
  void aWaitingJobSaysWhyInItsWorkload() {
    scene.createJob("first", 4);
    scene.createJob("second", 1);
    scene.settle();
    assertThat(workloads.condition("second", "QuotaReserved").path("status").asText())
        .isEqualTo("False");
    assertThat(workloads.condition("second", "QuotaReserved").path("message").asText())
        .contains("0 available");
  }

  @Test
  void anEvictedJobSaysWhyInItsWorkloadAndIsWhatItWas() {
    Job given = scene.createJob("one", 4);
    scene.settle();
    scene.preempt(4);

    assertThat(scene.runs("one")).isFalse();
    assertThat(workloads.isTrue("one", "QuotaReserved")).isFalse();
    assertThat(workloads.condition("one", "Evicted").path("reason").asText())
        .isEqualTo("Preempted");
    assertThat(workloads.isTrue("one", "kueue4j.io/Stopping")).isFalse();
    assertThat(workloads.tree("one").at("/status/admission").isMissingNode()).isTrue();
    assertThat(workloads
            .tree("one")
            .at("/status/schedulingStats/evictions/0/reason")
            .asText())
        .isEqualTo("Preempted");
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("one"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
  }

  @Test
  void aJobEvictedByTwoControllersSaysWhyInItsWorkload() {
    scene.createJob("one", 4);
    scene.settle();
    scene.createHigh(4);
    scene.work();
    assertThat(workloads.isTrue("one", "kueue4j.io/Stopping")).isTrue();
    scene.restart();
    scene.settle();
    assertEvicted();
  }

  @Test
  void anEvictedJobWhoseRecordIsRemovedSaysWhyInItsWorkload() {
    scene.createJob("one", 4);
    scene.settle();
    scene.createHigh(4);
    scene.work();
    workloads.edit(
        workloads.key("one"),
        ApiWrite.Verb.REPLACE_STATUS,
        tree -> Trees.child(tree, "status").remove("admission"));
    scene.settle();
    assertEvicted();
  }

  private void assertEvicted() {
    assertThat(scene.runs("high")).isTrue();
    assertThat(workloads.condition("one", "Evicted").path("reason").asText())
        .isEqualTo("Preempted");
    assertThat(workloads
            .tree("one")
            .at("/status/schedulingStats/evictions/0/reason")
            .asText())
        .isEqualTo("Preempted");
  }

  @Test
  void anEvictedJobThatItsOwnerHasSuspendedSaysThatItStops() {
    scene.createJob("one", 4);
    scene.settle();
    scene.edit("one", job -> job.getSpec().setSuspend(true));
    scene.createHigh(4);
    scene.work();
    assertThat(scene.pods()).hasSize(1);
    assertThat(workloads.condition("one", "kueue4j.io/Stopping").path("reason").asText())
        .isEqualTo("Preempted");
  }

  @Test
  void aFinishedJobHasAFinishedWorkloadThatGoesWithIt() {
    scene.createJob("one", 4);
    scene.settle();
    scene.finish("one");
    scene.settle();
    assertThat(workloads.isTrue("one", "Finished")).isTrue();
    assertThat(workloads.condition("one", "Finished").path("reason").asText())
        .isEqualTo("Succeeded");
    assertThat(scene.usedMillis()).isZero();

    ObjectKey workload = workloads.key("one");
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "one"));
    scene.settle();
    scene.settle();
    assertThat(scene.cluster.get(workload)).isEmpty();
  }

  @Test
  void theWorkloadOfAFinishedJobCanBeDeleted() {
    scene.createJob("one", 4);
    scene.settle();
    scene.finish("one");
    scene.settle();
    ObjectKey workload = workloads.key("one");
    scene.cluster.delete(StrictCluster.USER, workload);
    scene.settle();
    assertThat(scene.cluster.get(workload)).isEmpty();
  }

  // ----- tenants

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void annotationsDecideNothing(boolean isAway) {
    scene.createJob("first", 3);
    scene.createJob("second", 3);
    scene.settle();
    scene.edit("second", job -> {
      JobAnnotations.set(
          job, "kueue4j.io/admission", scene.record("first").path("status").toString());
      job.getSpec().setSuspend(false);
    });
    if (isAway) {
      scene.restart();
    }
    scene.settle();

    assertThat(scene.runs("first")).isTrue();
    assertThat(scene.job("second").getSpec().getSuspend()).isTrue();
    assertThat(scene.state("second")).isEqualTo(JobState.PENDING);
    assertThat(scene.events("second")).contains("Suspended");
    workloads.assertRunningIsCounted("first", "second");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorkloadThatATenantCreatesDecidesNothing(boolean isAway) {
    scene.createJob("first", 3);
    scene.settle();
    Job second = scene.createJob("second", 3, job -> job.getSpec().setSuspend(false));
    GenericKubernetesResource model = workloads.workload("first");
    GenericKubernetesResource forged = Serialization.clone(model);
    forged.setMetadata(new ObjectMetaBuilder()
        .withNamespace("default")
        .withName(nameOf(second))
        .withOwnerReferences(new OwnerReference(
            "batch/v1", true, true, "Job", "second", second.getMetadata().getUid()))
        .build());
    scene.cluster.create(StrictCluster.USER, forged);
    if (isAway) {
      scene.restart();
    }
    scene.settle();

    assertThat(scene.runs("first")).isTrue();
    assertThat(scene.job("second").getSpec().getSuspend()).isTrue();
    assertThat(workloads.isTrue("second", "QuotaReserved")).isFalse();
    workloads.assertRunningIsCounted("first", "second");
    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("second")).isTrue();
  }

  @Test
  void theAdmissionOfAnotherJobIsNotThatOfTheJob() {
    scene.createJob("first", 3);
    scene.createJob("second", 3);
    scene.settle();
    String uid = scene.job("second").getMetadata().getUid();
    // Not even one whose owner a user has edited.
    workloads.edit(
        workloads.key("first"),
        ApiWrite.Verb.REPLACE,
        tree -> ((ObjectNode) tree.at("/metadata/ownerReferences/0"))
            .put("uid", uid)
            .put("name", "second"));
    scene.edit("second", job -> job.getSpec().setSuspend(false));
    scene.restart();
    scene.settle();
    scene.clock.advance(Duration.ofMinutes(11));
    scene.settle();

    workloads.assertRunningIsCounted("first", "second");
  }

  @Test
  void aJobWhoseWorkloadIsTooLargeIsRefusedBeforeItHoldsQuota() {
    scene.createJob("large", 1, job -> setText(job, 1_100_000));
    scene.createJob("small", 1, job -> setText(job, 900_000));
    assertLargeIsRefused(
        "the Workload would take 1,10\\d,\\d{3} bytes, and may take 1,048,576 of .*");
  }

  @Test
  void aJobWithTooLargeAnnotationsIsRefused() {
    // Each takes twice its length, since it is written as JSON.
    scene.createJob("large", 1, job -> annotate(job, "\"".repeat(130_000)));
    scene.createJob("small", 1, job -> annotate(job, "\"".repeat(120_000)));
    assertLargeIsRefused("the annotations of the Workload would take 26\\d,\\d{3} bytes, and may"
        + " take 258,048 of the 262,144 that the API server accepts; .*");
  }

  private void assertLargeIsRefused(String message) {
    scene.settle();
    assertThat(scene.state("large")).isEqualTo(JobState.REFUSED);
    assertThat(scene.workload("large")).isEmpty();
    assertThat(scene.runs("small")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(1000);
    assertThat(scene.view("large").messages()).singleElement().asString().matches(message);
    assertThat(scene.events("large")).containsExactly("Refused");
  }

  private static void annotate(Job job, String text) {
    job.getSpec().getTemplate().getMetadata().setAnnotations(Map.of("text", text));
  }

  /** Gives a job an environment variable of that length. */
  static void setText(Job job, int length) {
    job.getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .get(0)
        .setEnv(List.of(new EnvVar("TEXT", "x".repeat(length), null)));
  }

  @Test
  void aWorkloadOfTheNameThatBelongsToAnotherIsNotTaken() {
    Job job = scene.createJob("one", 1);
    String name = nameOf(job);
    GenericKubernetesResource squatter = new GenericKubernetesResource();
    squatter.setApiVersion("kueue.x-k8s.io/v1beta2");
    squatter.setKind("Workload");
    squatter.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName(name).build());
    scene.cluster.create(StrictCluster.USER, squatter);
    scene.settle();
    assertThat(scene.state("one")).isEqualTo(JobState.REFUSED);
    assertThat(scene.events("one")).contains("Refused");

    scene.cluster.delete(StrictCluster.USER, Scene.key("Workload", "default", name));
    scene.settle();
    scene.clock.advance(Duration.ofMinutes(2));
    scene.edit("one", edited -> edited.getMetadata().getLabels().put("changed", "yes"));
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  @Test
  void aDeletedWorkloadStopsItsJobAndKeepsItsQuotaUntilThen() {
    Job given = scene.createJob("one", 4);
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, workloads.key("one"));
    scene.work();
    scene.work();
    assertThat(scene.pods()).hasSize(1);
    assertThat(scene.usedMillis()).isEqualTo(4000);
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
    scene.settle();
    scene.settle();

    // Its Workload is made anew, and it is admitted again.
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.job("one").getSpec().getTemplate().getSpec().getContainers())
        .isEqualTo(given.getSpec().getTemplate().getSpec().getContainers());
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void aWaitingJobIsRefusedWhileOthersKeepItsWorkload() {
    scene.createJob("first", 4);
    scene.createJob("second", 3);
    scene.settle();
    ObjectKey old = deleteKept("second");
    assertKept("second");

    scene.finish("first");
    scene.settle();
    assertThat(scene.usedMillis()).isZero();
    assertThat(scene.runs("second")).isFalse();
    letGo(old);
    assertThat(scene.runs("second")).isTrue();
    workloads.assertRunningIsCounted("second");
  }

  @Test
  void aStoppedJobIsRefusedWhileOthersKeepItsWorkload() {
    scene.createJob("one", 4);
    scene.settle();
    ObjectKey old = deleteKept("one");
    assertKept("one");
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.usedMillis()).isZero();
    scene.restart();
    scene.settle();
    assertKept("one");
    assertThat(scene.usedMillis()).isZero();

    letGo(old);
    assertThat(scene.runs("one")).isTrue();
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void aWorkloadThatOnlyOthersKeepIsLeftToThem() {
    scene.createJob("first", 4);
    scene.createJob("second", 3);
    scene.settle();
    deleteKept("second");
    AtomicBoolean isWritten = new AtomicBoolean();
    scene.restart(new BeforeEachWrite(scene.connection(), () -> isWritten.set(true)));
    scene.edit("first", job -> job.getMetadata().getLabels().put("changed", "yes"));
    scene.settle();
    assertThat(isWritten).isFalse();
  }

  /** It is no obstacle before it is deleted. */
  @Test
  void aJobRunsThoughOthersWillKeepItsWorkload() {
    scene.createJob("first", 4);
    scene.createJob("second", 3);
    scene.settle();
    keepForOthers("second");
    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("second")).isTrue();
  }

  @Test
  void aWorkloadThatIsMadeAnewIsKept() {
    scene.createJob("first", 4);
    scene.createJob("second", 3);
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, workloads.key("second"));
    scene.settle();
    scene.edit("second", job -> job.getMetadata().getLabels().put("changed", "yes"));
    scene.settle();
    assertThat(workloads.workload("second").getMetadata().getFinalizers())
        .containsExactly(WorkloadObjects.FINALIZER);
  }

  /** Deletes the Workload of a job, which another controller keeps. */
  private ObjectKey deleteKept(String job) {
    ObjectKey workload = keepForOthers(job);
    scene.cluster.delete(StrictCluster.USER, workload);
    scene.settle();
    return workload;
  }

  private ObjectKey keepForOthers(String job) {
    ObjectKey workload = workloads.key(job);
    workloads.edit(
        workload,
        ApiWrite.Verb.REPLACE,
        tree -> Trees.child(tree, "metadata").withArray("finalizers").add("example.com/audit"));
    return workload;
  }

  private void letGo(ObjectKey workload) {
    workloads.edit(
        workload,
        ApiWrite.Verb.REPLACE,
        tree -> Trees.child(tree, "metadata").putArray("finalizers"));
    scene.settle();
  }

  private void assertKept(String job) {
    assertThat(scene.state(job)).isEqualTo(JobState.REFUSED);
    assertThat(scene.view(job).messages())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("is being deleted", "finalizers [example.com/audit]");
    assertThat(scene.events(job)).contains("Refused");
  }

  @Test
  void aWorkloadThatIsNotActiveKeepsItsJobStopped() {
    scene.createJob("one", 4);
    scene.settle();
    workloads.edit(
        workloads.key("one"),
        ApiWrite.Verb.REPLACE,
        tree -> Trees.child(tree, "spec").put("active", false));
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(workloads.condition("one", "Evicted").path("reason").asText())
        .isEqualTo("Deactivated");
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isFalse();

    workloads.edit(
        workloads.key("one"),
        ApiWrite.Verb.REPLACE,
        tree -> Trees.child(tree, "spec").put("active", true));
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  /** As in Kueue, its quota is free from the deactivation on. */
  @Test
  void aJobThatRunsTooLongStopsThoughTheControllerChanges() {
    scene.createJob("one", 4, Scene.withLabel("kueue.x-k8s.io/max-exec-time-seconds", "60"));
    scene.settle();
    scene.clock.advance(Duration.ofMinutes(1));
    scene.work();
    assertThat(scene.usedMillis()).isEqualTo(4000);
    scene.restart();
    scene.work();
    assertThat(scene.pods()).hasSize(1);
    assertThat(scene.usedMillis()).isEqualTo(4000);
    scene.settle();
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
    assertThat(workloads.condition("one", "Evicted").path("reason").asText())
        .isEqualTo("DeactivatedDueToMaximumExecutionTimeExceeded");
    assertThat(scene.usedMillis()).isZero();
  }

  @Test
  void aWorkloadOfOtherPodsIsMadeTheOneOfItsJobAgain() {
    scene.createJob("first", 4);
    scene.createJob("one", 2);
    scene.settle();
    workloads.edit(
        workloads.key("one"),
        ApiWrite.Verb.REPLACE,
        tree -> ((ObjectNode) tree.at("/spec/podSets/0")).put("count", 7));
    scene.settle();
    assertThat(workloads.tree("one").at("/spec/podSets/0/count").asInt()).isEqualTo(1);

    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  @Test
  void aJobThatIsEditedWhileItRunsStartsOver() {
    scene.createJob("one", 2);
    scene.settle();
    scene.edit("one", job -> job.getSpec().setParallelism(2));
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(workloads.tree("one").at("/spec/podSets/0/count").asInt()).isEqualTo(2);
    assertThat(workloads
            .tree("one")
            .at("/status/admission/podSetAssignments/0/count")
            .asInt())
        .isEqualTo(2);
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void aJobThatShrinksWhileNoControllerRunsStartsOver() {
    scene.createJob("one", 1, job -> job.getSpec().setParallelism(2));
    scene.settle();
    scene.edit("one", job -> job.getSpec().setParallelism(1));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(workloads.tree("one").at("/spec/podSets/0/count").asInt()).isEqualTo(1);
    assertThat(scene.events("one")).contains("Stopped");
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void aJobStartedByItsOwnerAtItsAdmissionStartsOver() {
    AtomicBoolean isEdited = new AtomicBoolean();
    scene.restart(new BeforeEachWrite(scene.connection(), () -> {
      if (scene.workload("one").filter(WorkloadObjects::isAdmitted).isPresent()
          && isEdited.compareAndSet(false, true)) {
        scene.edit("one", job -> job.getSpec().setSuspend(false));
        scene.runPods();
      }
    }));
    scene.createJob("one", 2);
    scene.settle();

    assertThat(isEdited).isTrue();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.pods())
        .isNotEmpty()
        .allSatisfy(
            pod -> assertThat(pod.getSpec().getNodeSelector()).containsEntry("pool", "spot"));
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void aJobStartedByItsOwnerAtItsAdmissionGetsNoPodsElsewhere() {
    AtomicBoolean isEdited = new AtomicBoolean();
    scene.restart(new BeforeEachWrite(scene.connection(), () -> {
      if (scene.workload("one").filter(WorkloadObjects::isAdmitted).isPresent()
          && isEdited.compareAndSet(false, true)) {
        scene.edit("one", job -> job.getSpec().setSuspend(false));
      }
    }));
    scene.createJob("one", 2);
    for (int step = 0; step < 3; step++) {
      Instant unused = scene.work();
    }
    scene.settle();

    assertThat(isEdited).isTrue();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.log())
        .filteredOn(write -> write.key().kind().equals("Pod"))
        .isNotEmpty()
        .allSatisfy(write ->
            assertThat(write.object().at("/spec/nodeSelector/pool").asText()).isEqualTo("spot"));
  }

  /** The controller does not know whether the admission is recorded when the owner starts it. */
  @Test
  void aJobStartedAfterAnUnansweredRecordStartsOver() {
    AtomicBoolean isEdited = new AtomicBoolean();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      protected <T> T intercept(Supplier<T> write) {
        T stored = write.get();
        if (scene.workload("one").filter(WorkloadObjects::isAdmitted).isPresent()
            && isEdited.compareAndSet(false, true)) {
          scene.edit("one", job -> job.getSpec().setSuspend(false));
          scene.runPods();
          throw new WriteException(WriteException.Reason.UNAVAILABLE, "the connection was closed");
        }
        return stored;
      }
    });
    scene.createJob("one", 2);
    scene.settle();

    assertThat(isEdited).isTrue();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.pods())
        .isNotEmpty()
        .allSatisfy(
            pod -> assertThat(pod.getSpec().getNodeSelector()).containsEntry("pool", "spot"));
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void aJobThatItsOwnerSuspendsStartsAgainWhenItsPodsAreGone() {
    scene.createJob("one", 2);
    scene.settle();
    scene.edit("one", job -> job.getSpec().setSuspend(true));
    scene.work();
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void theWorkloadOfAJobGoesAlsoIfAnotherJobHasItsName() {
    scene.createJob("one", 2);
    scene.settle();
    ObjectKey former = workloads.key("one");
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "one"));
    scene.createJob("one", 2);
    scene.settle();
    scene.settle();
    assertThat(scene.cluster.get(former)).isEmpty();
    assertThat(scene.runs("one")).isTrue();
  }

  @Test
  void aStatusThatAnotherClientChangesIsWrittenAgain() {
    scene.createJob("first", 4);
    scene.createJob("second", 1);
    scene.settle();
    JsonNode said = workloads.condition("second", "QuotaReserved");
    workloads.edit(
        workloads.key("second"),
        ApiWrite.Verb.REPLACE_STATUS,
        tree -> ((ObjectNode) tree.at("/status")).remove("conditions"));
    scene.settle();
    assertThat(workloads.condition("second", "QuotaReserved")).isEqualTo(said);
  }

  /** Otherwise a later controller would not know of the pods. */
  @Test
  void anUnreadableRecordStaysUntilThePodsAreGone() {
    scene.createJob("one", 3);
    scene.settle();
    ObjectKey key = workloads.key("one");
    workloads.edit(key, ApiWrite.Verb.REPLACE, tree -> Trees.child(tree, "spec").remove("podSets"));
    scene.work();
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
    scene.cluster.delete(StrictCluster.USER, key);
    scene.work();
    assertThat(scene.cluster.get(key)).isPresent();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  // ----- restart

  @Test
  void aWorkloadThatNoControllerOfThisKindHasAdmittedStays() {
    scene.createJob("one", 2);
    scene.settle();
    GenericKubernetesResource other = Serialization.clone(workloads.workload("one"));
    other.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName("other").build());
    scene.cluster.create(StrictCluster.USER, other);
    ObjectKey key = Scene.key("Workload", "default", "other");
    workloads.edit(
        key,
        ApiWrite.Verb.REPLACE_STATUS,
        tree -> tree.set("status", scene.record("one").path("status")));
    scene.restart();
    scene.settle();
    assertThat(scene.cluster.get(key)).isPresent();
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void anotherControllerFindsEverythingInTheWorkloads() {
    scene.createJob("one", 2);
    scene.createJob("two", 2);
    scene.createJob("waits", 2);
    scene.settle();
    int writes = scene.log().size();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isTrue();
    assertThat(scene.state("waits")).isEqualTo(JobState.PENDING);
    workloads.assertRunningIsCounted("one", "two", "waits");
    assertThat(scene.log().subList(writes, scene.log().size()))
        .filteredOn(write -> write.key().kind().equals("Job"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void aControllerThatEndsBetweenTwoWritesLosesNothing(int writes) {
    Job given = scene.createJob("one", 4);
    scene.restart(new MortalWrites(scene.connection(), writes));
    try {
      scene.settle();
      scene.createHigh(4);
      scene.settle();
      scene.finish("high");
      scene.settle();
    } catch (MortalWrites.Death e) {
      scene.restart();
    }
    scene.settle();
    if (scene.cluster.get(Scene.key("Job", "default", "high")).isEmpty()) {
      scene.createHigh(4);
    }
    scene.settle();
    scene.clock.advance(Duration.ofMinutes(2));
    scene.settle();
    workloads.assertRunningIsCounted("one", "high");
    if (scene.runs("high")) {
      assertThat(Json.tree(Scene.withoutMetadata(scene.job("one"))))
          .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
      scene.finish("high");
      scene.settle();
      scene.clock.advance(Duration.ofMinutes(2));
      scene.settle();
    }
    assertThat(scene.runs("one")).isTrue();
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void theUsageFollowsFromThePodsAndNotFromTheStatus() {
    scene.createJob("one", 3);
    scene.settle();
    workloads.edit(
        workloads.key("one"),
        ApiWrite.Verb.REPLACE_STATUS,
        tree -> ((ObjectNode) tree.at("/status/admission/podSetAssignments/0/resourceUsage"))
            .put("cpu", "1m"));
    scene.restart();
    scene.settle();
    workloads.assertRunningIsCounted("one");
  }

  @Test
  void aJobWhoseRecordedUsageIsEditedRunsOn() {
    scene.createJob("one", 3);
    scene.settle();
    workloads.edit(
        workloads.key("one"),
        ApiWrite.Verb.REPLACE_STATUS,
        tree -> ((ObjectNode) tree.at("/status/admission/podSetAssignments/0/resourceUsage"))
            .put("cpu", "1"));
    scene.settle();
    assertThat(scene.events("one")).containsExactly("Started");
    workloads.assertRunningIsCounted("one");
  }

  /** Otherwise its quota would be given to others while it runs. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "renamed", "small", "invalid"})
  void theUsageFollowsFromTheAdmissionAndNotFromTheSpec(String edited) {
    scene.createJob("one", 3);
    scene.settle();
    workloads.edit(workloads.key("one"), ApiWrite.Verb.REPLACE, tree -> {
      ObjectNode podSet = (ObjectNode) tree.at("/spec/podSets/0");
      switch (edited) {
        case "none" -> Trees.child(tree, "spec").remove("podSets");
        case "renamed" -> podSet.put("name", "other");
        case "small" -> podSet.put("count", 0);
        default -> podSet.put("count", 1).put("minCount", 3);
      }
    });
    scene.createJob("two", 3);
    scene.restart();
    scene.settle();
    workloads.assertRunningIsCounted("one", "two");
  }

  @Test
  void anUnreadableDeletedWorkloadDoesNotStopItsJob() {
    scene.createJob("one", 3);
    scene.settle();
    ObjectKey key = workloads.key("one");
    scene.cluster.delete(StrictCluster.USER, key);
    workloads.edit(key, ApiWrite.Verb.REPLACE, tree -> Trees.child(tree, "spec").remove("podSets"));
    scene.edit("one", job -> job.getSpec().setSuspend(true));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    workloads.assertRunningIsCounted("one");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobWhoseLocalQueueLeadsElsewhereNowIsStopped(boolean isQueueGone) {
    scene.createJob("one", 3);
    scene.settle();
    if (isQueueGone) {
      scene.deleteClusterQueue();
    }
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        Scene.key("LocalQueue", "default", "queue"),
        tree -> Trees.child(tree, "spec").put("clusterQueue", "other"));
    scene.restart();
    scene.settle();
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
    assertThat(scene.workload("one").filter(WorkloadObjects::isAdmitted)).isEmpty();
    assertThat(scene.state("one")).isEqualTo(JobState.PENDING);
    assertThat(scene.events("one")).contains("AdmissionRefused");
  }

  @Test
  void aJobWhoseQueueDoesNotServeItsNamespaceNowIsStopped() {
    scene.createJob("one", 3);
    scene.settle();
    scene.editQueue("namespaceSelector", Map.of("matchLabels", Map.of("team", "other")));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.events("one")).contains("AdmissionRefused");
  }

  @Test
  void aJobWhoseFlavorIsRemovedRunsOn() {
    scene.createJob("one", 3);
    scene.settle();
    scene.cluster.delete(
        StrictCluster.USER, new ObjectKey("kueue.x-k8s.io", "ResourceFlavor", "", "spot"));
    scene.settle();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.state("one")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.events("one")).containsExactly("Started");
  }
}
