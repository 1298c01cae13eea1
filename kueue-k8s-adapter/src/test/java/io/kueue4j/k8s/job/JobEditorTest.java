package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.topology.PodPlacer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobEditorTest {
  private static final JobEditor EDITOR = JobEditor.of(JobKinds.standard());
  private static final JobWorkloads WORKLOADS = JobWorkloads.builder().build();
  private static final ResourceFlavor SPOT = ResourceFlavor.builder()
      .name("spot")
      .putNodeLabels("capacity", "spot")
      .addNodeTaints(new Taint("spot", "", Taint.Effect.NO_SCHEDULE))
      .addTolerations(Toleration.exists("spot"), Toleration.equal("tier", "cheap"))
      .build();

  private static Workload workload(Job job) {
    return WORKLOADS.convert(job).orElseThrow().workload();
  }

  private static Job start(Job job) {
    return EDITOR.start(
        job, workload(job), Jobs.admission(workload(job), "spot"), Jobs.flavors(SPOT));
  }

  private static PodSpec pod(Job job) {
    return job.getSpec().getTemplate().getSpec();
  }

  private static Admission partial(Job job, int count) {
    return Admission.builder()
        .workload(workload(job).id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(Jobs.assignment("main", count, Map.of("cpu", "spot")))
        .build();
  }

  private static Job startPlaced(Job job) {
    Workload workload = workload(job);
    PodSetAssignment placed = PodSetAssignment.builder()
        .name("main")
        .count(3)
        .putFlavors("cpu", "spot")
        .topologyAssignment(new TopologyAssignment(
            ImmutableList.of("rack"),
            ImmutableList.of(new TopologyAssignment.Domain(ImmutableList.of("r1"), 3))))
        .build();
    Admission admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(placed)
        .build();
    return EDITOR.start(job, workload, admission, Jobs.flavors(SPOT));
  }

  private static Job annotatedTemplate(String key, String value) {
    return Jobs.job()
        .editSpec()
        .editTemplate()
        .withNewMetadata()
        .addToAnnotations(key, value)
        .endMetadata()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void podsThatWereGivenDomainsWaitToBePlaced() {
    Job job = annotatedTemplate(TopologyAnnotations.REQUIRED, "rack");
    Job started = startPlaced(job);
    assertThat(pod(started).getSchedulingGates())
        .containsExactly(new PodSchedulingGate(PodPlacer.SCHEDULING_GATE));
    assertThat(started.getSpec().getTemplate().getMetadata().getAnnotations())
        .doesNotContainKey(TopologyAnnotations.UNCONSTRAINED);
    assertThat(startPlaced(started.toBuilder()
                .editSpec()
                .withTemplate(started.getSpec().getTemplate())
                .endSpec()
                .build())
            .getSpec()
            .getTemplate()
            .getSpec()
            .getSchedulingGates())
        .hasSize(1);
    assertThat(EDITOR.stop(started, EDITOR.snapshot(job))).isEqualTo(job);
  }

  @Test
  void podsThatAreJustPlacedAreMarked() {
    Job job = Jobs.job().build();
    Job started = startPlaced(job);
    assertThat(started.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry(TopologyAnnotations.UNCONSTRAINED, "true");
    assertThat(EDITOR.stop(started, EDITOR.snapshot(job))).isEqualTo(job);
    assertThat(start(job).getSpec().getTemplate().getMetadata().getAnnotations())
        .doesNotContainKey(TopologyAnnotations.UNCONSTRAINED);
  }

  @Test
  void aStartedJobRunsOnItsFlavor() {
    Job job = Jobs.job().build();
    Job started = start(job);
    assertThat(started.getSpec().getSuspend()).isFalse();
    assertThat(pod(started).getNodeSelector()).containsExactly(Map.entry("capacity", "spot"));
    assertThat(pod(started).getTolerations())
        .containsExactly(
            new TolerationBuilder().withKey("spot").withOperator("Exists").build(),
            new TolerationBuilder()
                .withKey("tier")
                .withOperator("Equal")
                .withValue("cheap")
                .build());
    assertThat(started.getSpec().getTemplate().getMetadata().getLabels())
        .containsExactlyInAnyOrderEntriesOf(Map.of(
            PodPlacer.POD_SET, "main",
            MetadataKeys.LOCAL_QUEUE_NAME, "lq",
            MetadataKeys.CLUSTER_QUEUE_NAME, "cq"));
    assertThat(started.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsExactly(Map.entry(PodPlacer.WORKLOAD, workload(job).name()));
    assertThat(started.getSpec().getParallelism()).isEqualTo(3);
    assertThat(job).isEqualTo(Jobs.job().build());
  }

  @Test
  void theAdmissionMayListThePodSetsInAnotherOrder() {
    JobSet jobSet = Jobs.jobSet(
        new JobSet.ReplicatedJob("driver", 1, Jobs.jobTemplate(1, Jobs.template("1"))),
        new JobSet.ReplicatedJob("worker", 1, Jobs.jobTemplate(2, Jobs.template("1"))));
    Workload workload = WORKLOADS.convert(jobSet).orElseThrow().workload();
    Admission admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(
            Jobs.assignment("worker", 2, Map.of("cpu", "spot")),
            Jobs.assignment("driver", 1, Map.of()))
        .build();

    JobSet started = EDITOR.start(jobSet, workload, admission, Jobs.flavors(SPOT));

    assertThat(started.getSpec().replicatedJobs())
        .extracting(job -> job.template().getSpec().getTemplate().getSpec().getNodeSelector())
        .containsExactly(Map.of(), Map.of("capacity", "spot"));
  }

  @Test
  void everyFlavorOfAPodSetCountsOnce() {
    Job job = Jobs.job().build();
    ResourceFlavor gpu = ResourceFlavor.builder()
        .name("gpu")
        .putNodeLabels("accelerator", "a100")
        .build();
    Admission admission = Admission.builder()
        .workload(workload(job).id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(Jobs.assignment(
            "main", 3, Map.of("cpu", "spot", "memory", "spot", "nvidia.com/gpu", "gpu")))
        .build();
    Job started = EDITOR.start(job, workload(job), admission, Jobs.flavors(SPOT, gpu));
    assertThat(pod(started).getNodeSelector())
        .containsExactlyInAnyOrderEntriesOf(Map.of("capacity", "spot", "accelerator", "a100"));
    assertThat(pod(started).getTolerations()).hasSize(2);
  }

  @Test
  void tolerationsAreNotRepeated() {
    Job job = Jobs.job().build();
    pod(job)
        .setTolerations(List.of(
            new TolerationBuilder()
                .withKey("tier")
                .withValue("cheap")
                .withTolerationSeconds(5L)
                .build(),
            new TolerationBuilder()
                .withKey("spot")
                .withOperator("Exists")
                .withEffect("NoSchedule")
                .build()));
    assertThat(pod(start(job)).getTolerations())
        .as("the absent operator is Equal; another effect is another toleration")
        .hasSize(3)
        .last()
        .isEqualTo(
            new TolerationBuilder().withKey("spot").withOperator("Exists").build());
  }

  @Test
  void writesTolerationsInFull() {
    ResourceFlavor flavor = ResourceFlavor.builder()
        .name("spot")
        .addTolerations(Toleration.builder()
            .operator(Toleration.Operator.EXISTS)
            .effect(Taint.Effect.NO_EXECUTE)
            .tolerationSeconds(30)
            .build())
        .build();
    Job job = Jobs.job().build();
    Job started = EDITOR.start(
        job, workload(job), Jobs.admission(workload(job), "spot"), Jobs.flavors(flavor));
    assertThat(pod(started).getTolerations())
        .containsExactly(new TolerationBuilder()
            .withOperator("Exists")
            .withEffect("NoExecute")
            .withTolerationSeconds(30L)
            .build());
  }

  @Test
  void aClusterQueueWhoseNameIsNoLabelIsNotNamed() {
    Job job = Jobs.job().build();
    for (String name : List.of("research.gpu", "q".repeat(64))) {
      Admission admission = Admission.builder()
          .workload(workload(job).id())
          .clusterQueue(name)
          .quotaReservedTime(Instant.EPOCH)
          .addPodSetAssignments(Jobs.assignment("main", 3, Map.of()))
          .build();
      Job started = EDITOR.start(job, workload(job), admission, Map.of());
      assertThat(started.getSpec().getTemplate().getMetadata().getLabels())
          .doesNotContainKey(MetadataKeys.CLUSTER_QUEUE_NAME);
    }
  }

  @Test
  void fewerPodsAreWrittenBack() {
    Job job = Jobs.annotated(MetadataKeys.JOB_MIN_PARALLELISM, "1");
    Job started = EDITOR.start(job, workload(job), partial(job, 2), Jobs.flavors(SPOT));
    assertThat(started.getSpec().getParallelism()).isEqualTo(2);
    assertThat(started.getSpec().getCompletions()).isEqualTo(3);
    Job following = new JobBuilder(job)
        .editMetadata()
        .addToAnnotations(MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM, "true")
        .endMetadata()
        .editSpec()
        .withCompletionMode("Indexed")
        .endSpec()
        .build();
    started = EDITOR.start(following, workload(following), partial(job, 2), Jobs.flavors(SPOT));
    assertThat(started.getSpec().getParallelism()).isEqualTo(2);
    assertThat(started.getSpec().getCompletions()).isEqualTo(2);
    assertThat(EDITOR.stop(started, EDITOR.snapshot(following))).isEqualTo(following);
  }

  @Test
  void aKeyWithAnotherValueIsAConflict() {
    Job job = Jobs.job().build();
    pod(job).setNodeSelector(Map.of("capacity", "reserved"));
    assertThatThrownBy(() -> start(job))
        .isInstanceOfSatisfying(
            JobStartException.class,
            e -> assertThat(e.problem()).isEqualTo(JobStartException.Problem.CONFLICT))
        .hasMessage("pod set main: spec.template.spec.nodeSelector[capacity] is \"reserved\","
            + " the admission needs \"spot\"; remove the key from the job, or keep the job off"
            + " that flavor or admission check");
    Job labelled = Jobs.job().build();
    labelled
        .getSpec()
        .setTemplate(new PodTemplateSpec(
            new ObjectMetaBuilder().addToLabels(PodPlacer.POD_SET, "other").build(),
            pod(labelled)));
    assertThatThrownBy(() -> start(labelled))
        .isInstanceOf(JobStartException.class)
        .hasMessageContaining("metadata.labels[kueue.x-k8s.io/podset] is \"other\"");
  }

  @Test
  void twoFlavorsMustNotContradictEachOther() {
    Job job = Jobs.job().build();
    ResourceFlavor other = ResourceFlavor.builder()
        .name("other")
        .putNodeLabels("capacity", "reserved")
        .build();
    Admission admission = Admission.builder()
        .workload(workload(job).id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(Jobs.assignment("main", 3, Map.of("cpu", "spot", "memory", "other")))
        .build();
    assertThatThrownBy(() -> EDITOR.start(job, workload(job), admission, Jobs.flavors(SPOT, other)))
        .isInstanceOf(JobStartException.class)
        .hasMessageContaining("\"spot\", the admission needs \"reserved\"");
  }

  private static Job startWith(Job job, PodSetUpdate... updates) {
    return EDITOR.start(
        job,
        workload(job),
        Jobs.admission(workload(job), "spot"),
        Jobs.flavors(SPOT),
        List.of(updates));
  }

  @Test
  void whatAdmissionChecksAddIsAddedToThePods() {
    Job job = Jobs.job().build();
    Job started = startWith(
        job,
        PodSetUpdate.builder()
            .name("main")
            .putLabels("team", "a")
            .putAnnotations("autoscaling.x-k8s.io/consume-provisioning-request", "train-1")
            .putNodeSelector("pool", "7")
            .putNodeSelector("capacity", "spot")
            .addTolerations(Toleration.exists("spot"), Toleration.exists("pool"))
            .build(),
        PodSetUpdate.builder().name("other").putNodeSelector("pool", "8").build());

    assertThat(pod(started).getNodeSelector())
        .containsOnly(Map.entry("capacity", "spot"), Map.entry("pool", "7"));
    assertThat(pod(started).getTolerations())
        .extracting(io.fabric8.kubernetes.api.model.Toleration::getKey)
        .containsExactly("spot", "tier", "pool");
    assertThat(started.getSpec().getTemplate().getMetadata().getLabels())
        .containsEntry("team", "a");
    assertThat(started.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("autoscaling.x-k8s.io/consume-provisioning-request", "train-1");
    assertThat(EDITOR.stop(started, EDITOR.snapshot(job))).isEqualTo(job);
  }

  @Test
  void anAdmissionCheckMustNotContradictTheJobOrItsFlavor() {
    Job job = Jobs.job().build();
    assertThatThrownBy(() -> startWith(
            job,
            PodSetUpdate.builder()
                .name("main")
                .putNodeSelector("capacity", "reserved")
                .build()))
        .isInstanceOfSatisfying(
            JobStartException.class,
            e -> assertThat(e.problem()).isEqualTo(JobStartException.Problem.CONFLICT))
        .hasMessageContaining("\"spot\", the admission needs \"reserved\"");
    Job annotated = annotatedTemplate("a", "1");
    assertThatThrownBy(() -> startWith(
            annotated,
            PodSetUpdate.builder().name("main").putAnnotations("a", "2").build()))
        .isInstanceOf(JobStartException.class)
        .hasMessageContaining("metadata.annotations[a] is \"1\", the admission needs \"2\"");
  }

  @Test
  void podSetsMustBeThoseOfTheAdmission() {
    Job job = Jobs.job().build();
    Admission none = Admission.builder()
        .workload(workload(job).id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .build();
    assertThatThrownBy(() -> EDITOR.start(job, workload(job), none, Map.of()))
        .isInstanceOfSatisfying(
            JobStartException.class,
            e -> assertThat(e.problem()).isEqualTo(JobStartException.Problem.POD_SETS_DIFFER))
        .hasMessage("Job team-a/train has the pod sets [main], the admission has []; expected the"
            + " same in the same order");
    JobSet two = Jobs.jobSet(Jobs.replicated("a", 1, 1), Jobs.replicated("b", 1, 1));
    JobSnapshot swapped =
        EDITOR.snapshot(Jobs.jobSet(Jobs.replicated("b", 1, 1), Jobs.replicated("a", 1, 1)));
    assertThatThrownBy(() -> EDITOR.stop(two, swapped))
        .isInstanceOf(JobStartException.class)
        .hasMessageContaining("[a, b], the snapshot has [b, a]");
    assertThat(EDITOR.suspend(two.withSpec(two.getSpec().withSuspend(false)))).isEqualTo(two);
  }

  @Test
  void mistakesOfTheCallerAreNamed() {
    Job job = Jobs.job().build();
    Workload other = Workload.builder().from(workload(job)).name("other").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            EDITOR.start(job, other, Jobs.admission(workload(job), "spot"), Jobs.flavors(SPOT)))
        .withMessageContaining("expected one of team-a/other");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EDITOR.start(
            job, workload(job), Jobs.admission(workload(job), "gone"), Jobs.flavors(SPOT)))
        .withMessageContaining("ResourceFlavor gone, which is not among the flavors [spot]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EDITOR.suspend(new Pod()))
        .withMessageContaining("is no known kind of job, expected one of [batch/Job");
  }

  @Test
  void labelsOfTheJobControllerSurviveAStop() {
    Job job = Jobs.job().build();
    JobSnapshot before = EDITOR.snapshot(job);
    Job started = start(job);
    started
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getLabels()
        .putAll(Map.of(
            "batch.kubernetes.io/job-name", "train",
            "controller-uid", "1",
            "added-by-somebody", "x"));
    assertThat(
            EDITOR.stop(started, before).getSpec().getTemplate().getMetadata().getLabels())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("batch.kubernetes.io/job-name", "train", "controller-uid", "1"));
  }

  @Test
  void aStopBringsBackWhatOthersHaveChanged() {
    Job job = Jobs.job().build();
    Job started = start(job);
    pod(started).setNodeSelector(Map.of("somewhere", "else"));
    pod(started).setTolerations(List.of());
    started.getSpec().setParallelism(7);
    Job stopped = EDITOR.stop(started, EDITOR.snapshot(job));
    assertThat(pod(stopped)).isEqualTo(pod(job));
    assertThat(stopped.getSpec().getSuspend()).isTrue();
    assertThat(stopped.getSpec().getParallelism())
        .as("only an admission of fewer pods owns the counts")
        .isEqualTo(7);
  }

  @Test
  void aSnapshotDoesNotChangeWithItsJob() {
    Job job = Jobs.job().build();
    pod(job).getTolerations().add(new TolerationBuilder().withKey("a").build());
    JobSnapshot before = EDITOR.snapshot(job);
    pod(job).getTolerations().get(0).setKey("b");
    pod(job).getNodeSelector().put("x", "y");
    assertThat(before.podSets().get(0).tolerations().get(0).getKey()).isEqualTo("a");
    assertThat(before.podSets().get(0).nodeSelector()).isEmpty();
  }
}
