package io.kueue4j.examples.dryrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.MoreCollectors;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.controller.JobView;
import io.kueue4j.examples.controller.TutorialManifests;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.job.JobSet;
import io.kueue4j.k8s.job.SubmissionPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The five tutorials, with unmodified manifests, through the controller. */
final class TutorialControllerTest {
  private static final ControllerOptions OPTIONS =
      ControllerOptions.defaults().withLegacyQueueAnnotation(true);
  private static final String MULTISLICE = "001-tpu-multislice-jobset";
  private static final String GPUS = "004-gpu-operator-binpack";
  private static final String DENIAL =
      "spec.schedulerName value must be `gpu-binpack-scheduler` when you use nvidia.com/gpu";

  private static ImmutableList<String> names(DryRun run, JobState state) {
    return run.view().jobs().stream()
        .filter(job -> job.state() == state)
        .map(JobView::name)
        .collect(ImmutableList.toImmutableList());
  }

  private static JobView job(DryRun run, String name) {
    return run.view().jobs().stream()
        .filter(job -> job.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static <T extends HasMetadata> T stored(DryRun run, String name, Class<T> type) {
    return run.cluster().objects().stream()
        .filter(type::isInstance)
        .filter(object -> object.getMetadata().getName().equals(name))
        .map(type::cast)
        .findFirst()
        .orElseThrow();
  }

  private static HasMetadata named(List<HasMetadata> objects, String name) {
    return objects.stream()
        .filter(object -> object.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void finish(DryRun run, String name) {
    JobSet jobSet = stored(run, name, JobSet.class);
    run.cluster()
        .replaceStatus(jobSet.withStatus(new JobSet.JobSetStatus(
            List.of(
                new ConditionBuilder().withType("Completed").withStatus("True").build()),
            List.of(),
            Map.of())));
    run.settle();
  }

  /** {@return the names of the started jobs, in order, with repetitions} */
  private static ImmutableList<String> started(DryRun run) {
    return run.cluster().events().stream()
        .filter(event -> event.getReason().equals("Started"))
        .map(event -> event.getInvolvedObject().getName())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the Workload of a job} */
  private static JsonNode record(DryRun run, HasMetadata job) {
    String uid = job.getMetadata().getUid();
    return run.cluster().objects().stream()
        .filter(GenericKubernetesResource.class::isInstance)
        .map(GenericKubernetesResource.class::cast)
        .filter(object -> WorkloadObjects.ownerUids(object).contains(uid))
        .map(Json::tree)
        .collect(MoreCollectors.onlyElement());
  }

  @Test
  void gkeBatchJobs() throws IOException {
    DryRun run = DryRun.play(
        TutorialManifests.read(
            "000-gke-batch-jobs",
            "00-namespaces.yaml",
            "10-flavors.yaml",
            "20-cluster-queue.yaml",
            "30-local-queues.yaml",
            "40-job-team-a.yaml",
            "40-job-team-a.yaml",
            "41-job-team-b.stand-in.yaml",
            "41-job-team-b.stand-in.yaml"),
        OPTIONS);

    assertThat(names(run, JobState.ADMITTED)).hasSize(3);
    assertThat(started(run)).containsExactlyElementsOf(names(run, JobState.ADMITTED));
    JobView waiting = job(run, names(run, JobState.PENDING).get(0));
    assertThat(waiting.name()).startsWith("sample-job-team-b-");
    assertThat(run.view().reasons(waiting)).singleElement().asString().contains("nvidia.com/gpu");
    assertThat(stored(run, waiting.name(), Job.class).getSpec().getSuspend()).isTrue();
    for (String name : started(run)) {
      Job job = stored(run, name, Job.class);
      assertThat(job.getSpec().getSuspend()).isFalse();
      assertThat(job.getSpec().getTemplate().getSpec().getNodeSelector())
          .isEqualTo(
              name.contains("team-a")
                  ? Map.of("cloud.google.com/gke-accelerator", "nvidia-tesla-t4")
                  : Map.of());
      assertThat(record(run, job).at("/status/admission/clusterQueue").asText())
          .isEqualTo("cluster-queue");
    }
    ClusterQueueView queue = run.view().engine().clusterQueue("cluster-queue").orElseThrow();
    assertThat(queue.waitingCount()).isEqualTo(1);
    assertThat(queue.usage())
        .extracting(
            usage -> usage.resource() + "=" + Quantity.format(usage.resource(), usage.used()))
        .containsExactlyInAnyOrder(
            "cpu=4500m", "memory=4608Mi", "ephemeral-storage=4608Mi", "nvidia.com/gpu=9");
  }

  @Test
  void tpuMultisliceJobSetsTakeTurns() throws IOException {
    DryRun run = DryRun.play(TutorialManifests.read(MULTISLICE, "10-kueue.yaml"), OPTIONS);
    List<HasMetadata> jobSets = TutorialManifests.objects(MULTISLICE, "20-jobsets-autopilot.yaml");
    List.of("multislice-3slice", "multislice-2slice", "multislice-1slice")
        .forEach(name -> run.create(named(jobSets, name)));

    assertThat(started(run)).containsExactly("multislice-3slice");
    assertThat(names(run, JobState.PENDING))
        .containsExactly("multislice-1slice", "multislice-2slice");

    finish(run, "multislice-3slice");

    assertThat(started(run))
        .containsExactly("multislice-3slice", "multislice-2slice", "multislice-1slice");
    assertThat(names(run, JobState.FINISHED)).containsExactly("multislice-3slice");
    assertThat(names(run, JobState.PENDING)).isEmpty();
    JobView started = job(run, "multislice-2slice");
    assertThat(run.podSets(started).get(0).template().getSpec().getNodeSelector())
        .containsEntry("cloud.google.com/gke-tpu-accelerator", "tpu-v5-lite-podslice")
        .containsEntry("cloud.google.com/gke-tpu-topology", "2x4");
  }

  @Test
  void tpuMultisliceInTheOrderOfTheFile() throws IOException {
    DryRun run = DryRun.play(
        TutorialManifests.read(MULTISLICE, "10-kueue.yaml", "20-jobsets-autopilot.yaml"), OPTIONS);

    assertThat(started(run)).containsExactly("multislice-1slice", "multislice-2slice");
    assertThat(names(run, JobState.PENDING)).containsExactly("multislice-3slice");
  }

  @Test
  void tpuMultislicePreempts() throws IOException {
    DryRun run = DryRun.play(
        TutorialManifests.read(
            MULTISLICE, "10-kueue.yaml", "40-kueue-preemption.yaml", "41-priority-class.yaml"),
        OPTIONS);
    JobSet given = (JobSet) named(
        TutorialManifests.objects(MULTISLICE, "20-jobsets-autopilot.yaml"), "multislice-3slice");
    given
        .getSpec()
        .replicatedJobs()
        .get(0)
        .template()
        .getSpec()
        .getTemplate()
        .getSpec()
        .setNodeSelector(null);
    run.create(given);
    assertThat(run.podSets(job(run, "multislice-3slice"))
            .get(0)
            .template()
            .getSpec()
            .getNodeSelector())
        .containsKey("cloud.google.com/gke-tpu-topology");

    run.create(TutorialManifests.objects(MULTISLICE, "42-jobset-low-priority-autopilot.yaml")
        .get(0));

    assertThat(started(run)).containsExactly("multislice-3slice", "low-priority");
    JobSet stopped = stored(run, "multislice-3slice", JobSet.class);
    assertThat(Json.tree(stopped.getSpec()))
        .isEqualTo(Json.tree(given.getSpec().withSuspend(true)));
    assertThat(record(run, stopped).at("/status").has("admission")).isFalse();
    assertThat(run.cluster().events())
        .filteredOn(event -> event.getReason().equals("Stopped"))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.getInvolvedObject().getName()).isEqualTo("multislice-3slice");
          assertThat(event.getMessage()).contains("Preempted to accommodate");
        });
    assertThat(record(run, stopped)
            .at("/status/schedulingStats/evictions/0/reason")
            .asText())
        .isEqualTo("Preempted");
  }

  @Test
  void kueueOnGke() throws IOException {
    DryRun run = DryRun.play(
        TutorialManifests.read(
            "002-kueue-v080-gke",
            "00-namespaces.yaml",
            "10-resource-flavor.yaml",
            "20-cluster-queue.yaml",
            "30-local-queues.yaml",
            "40-job-team-a.yaml",
            "41-job-team-b.yaml",
            "40-job-team-a.yaml"),
        OPTIONS);

    assertThat(started(run)).hasSize(2).allMatch(name -> name.contains("team-a"));
    assertThat(names(run, JobState.PENDING)).singleElement().asString().contains("team-b");
  }

  @Test
  void firstSlides() throws IOException {
    DryRun run = DryRun.play(
        TutorialManifests.read("003-kueue-v010-slides", "10-settings.yaml", "20-job.yaml"),
        OPTIONS);

    assertThat(started(run)).hasSize(1);
    assertThat(stored(run, started(run).get(0), Job.class).getSpec().getSuspend())
        .isFalse();
    assertThat(run.view().engine().clusterQueues().get(0).usage())
        .filteredOn(usage -> usage.resource().equals("cpu"))
        .extracting(QuotaUsage::used)
        .containsExactly(3000L);
  }

  @Test
  void gpuPodsMustNameTheScheduler() throws IOException {
    SubmissionPolicy policy = SubmissionPolicy.builder()
        .resource("nvidia.com/gpu")
        .schedulerName("gpu-binpack-scheduler")
        .message(DENIAL)
        .putExemptNamespaceLabels("openpolicyagent.org/webhook", "ignore")
        .build();
    DryRun run = DryRun.play(
        TutorialManifests.read(GPUS, "00-nodes.derived.yaml", "60-topology.yaml"),
        OPTIONS.withPolicies(policy));
    Job job = (Job) TutorialManifests.objects(GPUS, "63-job.yaml").get(0);
    run.create(job);

    assertThat(job(run, "two-more").state()).isEqualTo(JobState.REFUSED);
    assertThat(run.view().reasons(job(run, "two-more"))).containsExactly(DENIAL);
    assertThat(stored(run, "two-more", Job.class).getSpec().getSuspend()).isTrue();
    assertThat(run.cluster().events())
        .extracting(Event::getType, Event::getReason, Event::getMessage)
        .containsExactly(tuple("Warning", "Refused", DENIAL));

    Job edited = JobAnnotations.copy(stored(run, "two-more", Job.class));
    edited.getSpec().getTemplate().getSpec().setSchedulerName("gpu-binpack-scheduler");
    run.cluster().replace(edited);
    run.settle();

    assertThat(started(run)).containsExactly("two-more");
  }

  @Test
  void aPodWithAQueueIsRefusedLikewise() throws IOException {
    SubmissionPolicy policy = SubmissionPolicy.builder()
        .resource("nvidia.com/gpu")
        .schedulerName("gpu-binpack-scheduler")
        .message(DENIAL)
        .build();
    DryRun run = DryRun.play(
        TutorialManifests.read(GPUS, "00-nodes.derived.yaml", "60-topology.yaml"),
        OPTIONS.withPolicies(policy));
    Pod denied = gated(
        (Pod) TutorialManifests.objects(GPUS, "30-pod-denied-by-policy.yaml").get(0));
    run.create(denied);
    Pod allowed = new PodBuilder(denied)
        .editMetadata()
        .withName("allowed")
        .endMetadata()
        .editSpec()
        .withSchedulerName("gpu-binpack-scheduler")
        .endSpec()
        .build();
    run.create(allowed);

    assertThat(run.view().reasons(job(run, "pod-gpu-3"))).containsExactly(DENIAL);
    assertThat(stored(run, "pod-gpu-3", Pod.class).getSpec().getSchedulingGates())
        .hasSize(1);
    assertThat(started(run)).containsExactly("allowed");
    assertThat(stored(run, "allowed", Pod.class).getSpec().getSchedulingGates()).isEmpty();
  }

  private static Pod gated(Pod pod) {
    return new PodBuilder(pod)
        .editMetadata()
        .withNamespace("gpu-operator")
        .addToLabels("kueue.x-k8s.io/queue-name", "pods")
        .endMetadata()
        .editSpec()
        .addNewSchedulingGate("kueue.x-k8s.io/admission")
        .endSpec()
        .build();
  }

  @Test
  void fragmentationKeepsAJobWaiting() throws IOException {
    DryRun spread = DryRun.play(
        TutorialManifests.read(GPUS, "60-topology.yaml", "61-pods-spread.yaml", "63-job.yaml"),
        OPTIONS);
    DryRun packed = DryRun.play(
        TutorialManifests.read(GPUS, "60-topology.yaml", "62-pods-packed.yaml", "63-job.yaml"),
        OPTIONS);

    assertThat(names(spread, JobState.PENDING)).containsExactly("two-more");
    assertThat(names(packed, JobState.ADMITTED)).containsExactly("two-more");
    assertThat(record(packed, stored(packed, "two-more", Job.class))
            .at("/status/admission/podSetAssignments/0")
            .has("topologyAssignment"))
        .isTrue();
  }
}
