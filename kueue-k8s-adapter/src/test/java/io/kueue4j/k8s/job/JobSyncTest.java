package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Edits of jobs, and the reported differences. */
class JobSyncTest {
  private static final JobSync SYNC = JobSync.of(JobKinds.all());
  private static final Map<String, ResourceFlavor> FLAVORS = Jobs.flavors(ResourceFlavor.builder()
      .name("spot")
      .addTolerations(Toleration.exists("spot"))
      .build());

  private static Job tolerating(Job job, String key) {
    return job.toBuilder()
        .editSpec()
        .editTemplate()
        .editSpec()
        .addToTolerations(
            new TolerationBuilder().withKey(key).withOperator("Exists").build())
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void saysWhatDiffers() {
    JobSync.Form form = SYNC.form(Jobs.job().build());
    assertThat(
            SYNC.differences(Jobs.job().editSpec().withParallelism(2).endSpec().build(), form))
        .containsExactly("pod set main: count is 2, was 3");
    assertThat(SYNC.differences(Jobs.labelled("kueue.x-k8s.io/max-exec-time-seconds", "9"), form))
        .containsExactly("metadata.labels[kueue.x-k8s.io/max-exec-time-seconds] is 9, was none");
    assertThat(SYNC.differences(Jobs.annotated("kueue.x-k8s.io/job-min-parallelism", "2"), form))
        .containsExactly("pod set main: minimum is 2, was none");
    assertThat(SYNC.differences(
            Jobs.job()
                .editMetadata()
                .withUid("u")
                .withName("other")
                .endMetadata()
                .build(),
            form))
        .containsExactly("metadata.name is other, was train", "metadata.uid is u, was ");
    assertThat(SYNC.differences(tolerating(Jobs.job().build(), "edited"), form))
        .containsExactly("pod set main: spec.template.spec.tolerations is edited");
  }

  @Test
  void theNumberOfPodSetsCounts() {
    GenericKubernetesResource job = KindManifests.get("PyTorchJob");
    assertThat(SYNC.differences(
            KindManifests.without("PyTorchJob", "spec.pytorchReplicaSpecs.Master"), SYNC.form(job)))
        .containsExactly("pod sets is [worker], was [master, worker]");
  }

  @Test
  void theSameInOtherWordsIsTheSame() {
    Job job = Jobs.job().build();
    JobSync.Form form = SYNC.form(job);
    Job rewritten = job.toBuilder()
        .editSpec()
        .editTemplate()
        .editSpec()
        .editFirstContainer()
        .withResources(
            new ResourceRequirements(List.of(), Map.of(), Map.of("cpu", new Quantity("1000m"))))
        .withArgs(List.of())
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
    assertThat(SYNC.differences(rewritten, form)).isEmpty();
  }

  @Test
  void aFormDoesNotFollowItsJob() {
    Job job = Jobs.job().build();
    JobSync.Form form = SYNC.form(job);
    job.getSpec().getTemplate().getSpec().getContainers().get(0).setImage("edited");
    assertThat(SYNC.differences(job, form)).hasSize(1);
  }

  @Test
  void aJobThatRunsHasTheTolerationsOfItsFlavor() {
    Job job = Jobs.job().build();
    JobSync.Form form = SYNC.form(job);
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    Admission admission = Jobs.admission(workload, "spot");
    Job running = job.toBuilder().editSpec().withSuspend(false).endSpec().build();
    assertThat(SYNC.differences(running, form, admission, false, FLAVORS))
        .containsExactly("pod set main: spec.template.spec.tolerations is edited");
    assertThat(SYNC.differences(running, form, admission, true, FLAVORS)).isEmpty();
    assertThat(SYNC.differences(tolerating(running, "spot"), form, admission, false, FLAVORS))
        .isEmpty();
  }

  @Test
  void aJobWithFewerPodsIsAsItWasAdmitted() {
    Job job = Jobs.annotated("kueue.x-k8s.io/job-min-parallelism", "1");
    JobSync.Form form = SYNC.form(job);
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    Admission fewer = Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(Jobs.assignment("main", 2, Map.of("cpu", "spot")))
        .build();
    Job running = job.toBuilder()
        .editSpec()
        .withSuspend(false)
        .withParallelism(2)
        .endSpec()
        .build();
    assertThat(SYNC.differences(running, form, fewer, true, FLAVORS)).isEmpty();
    Job asked = job.toBuilder().editSpec().withSuspend(false).endSpec().build();
    assertThat(SYNC.differences(asked, form, fewer, true, FLAVORS))
        .containsExactly("pod set main: count is 3, was 2");
  }
}
