package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Quantity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The jobs of tutorials, as they were published. */
class SeedJobsTest {
  private static final JobWorkloads WORKLOADS = JobWorkloads.builder().build();

  private static Map<String, String> totals(PodSet podSet) {
    Map<String, String> totals = new TreeMap<>();
    podSet
        .requests()
        .forEach((resource, amount) ->
            totals.put(resource, Quantity.format(resource, amount * podSet.count())));
    return totals;
  }

  /** S000-1: 1500m cpu, 1536Mi memory, 1536Mi ephemeral-storage and 3 GPUs per job. */
  @Test
  void aJobOfThreeGpuPods() {
    Job job = Jobs.read("job-with-queue-annotation.yaml", Job.class).get(0);
    JobConversion.Converted converted = WORKLOADS.convert(job).orElseThrow();
    Workload workload = converted.workload();
    assertThat(workload.namespace()).isEqualTo("team-a");
    assertThat(workload.queueName()).isEqualTo("lq-team-a");
    assertThat(workload.podSets()).hasSize(1);
    PodSet podSet = workload.podSets().get(0);
    assertThat(podSet.name()).isEqualTo("main");
    assertThat(podSet.count()).isEqualTo(3);
    assertThat(totals(podSet))
        .containsExactly(
            Map.entry("cpu", "1500m"),
            Map.entry("ephemeral-storage", "1536Mi"),
            Map.entry("memory", "1536Mi"),
            Map.entry("nvidia.com/gpu", "3"));
    assertThat(podSet.nodeSelector())
        .containsExactly(Map.entry("cloud.google.com/gke-accelerator", "nvidia-tesla-t4"));
    assertThat(workload.admissibilityProblems()).isEmpty();
    assertThat(converted.jobName()).matches("sample-job-team-a-[0-9]{5}");
    assertThat(workload.name()).matches("job-" + converted.jobName() + "-[0-9a-f]{5}");
    assertThat(converted.notes()).singleElement().asString().contains("annotation");
  }

  /** S001-1: counts 2, 4 and 6 and 8, 16 and 24 chips; limits count as requests. */
  @Test
  void threeJobSetsOfTpuSlices() {
    List<Workload> workloads = Jobs.read("jobsets-tpu-slices.yaml", JobSet.class).stream()
        .map(jobSet -> WORKLOADS.convert(jobSet).orElseThrow().workload())
        .toList();
    assertThat(workloads)
        .extracting(workload -> workload.podSets().get(0).name())
        .containsOnly("slice");
    assertThat(workloads)
        .extracting(workload -> workload.podSets().get(0).count())
        .containsExactly(2, 4, 6);
    assertThat(workloads)
        .extracting(workload -> totals(workload.podSets().get(0)))
        .containsExactly(
            Map.of("google.com/tpu", "8"),
            Map.of("google.com/tpu", "16"),
            Map.of("google.com/tpu", "24"));
    assertThat(workloads).extracting(Workload::namespace).containsOnly("default");
    assertThat(workloads).extracting(Workload::queueName).containsOnly("multislice-queue");
    // S001-3 prints jobset-multislice-3slice-8c695; the hash depends on an unknown uid.
    assertThat(workloads.get(2).name()).matches("jobset-multislice-3slice-[0-9a-f]{5}");
  }

  /** S001-8, S001-9: the priority of the pod template, 100. */
  @Test
  void aJobSetWithAPodPriorityClass() {
    JobSet jobSet = Jobs.read("jobset-with-priority-class.yaml", JobSet.class).get(0);
    Workload workload = JobWorkloads.builder()
        .addPriorityClasses(new PriorityClassBuilder()
            .withNewMetadata()
            .withName("low-priority")
            .endMetadata()
            .withValue(100)
            .build())
        .build()
        .convert(jobSet)
        .orElseThrow()
        .workload();
    assertThat(workload.priority()).isEqualTo(100);
    assertThat(workload.priorityClass()).isEmpty();
  }

  /** S001-6: the flavor's labels exist already, so a start adds no node selector. */
  @Test
  void equalValuesAreNoConflict() {
    JobSet jobSet = Jobs.read("jobsets-tpu-slices.yaml", JobSet.class).get(0);
    Workload workload = WORKLOADS.convert(jobSet).orElseThrow().workload();
    JobEditor editor = JobEditor.of(JobKinds.standard());
    JobSet started = editor.start(
        jobSet,
        workload,
        Jobs.admission(workload, "vlp-24"),
        Jobs.flavors(ResourceFlavor.builder()
            .name("vlp-24")
            .putNodeLabels("cloud.google.com/gke-tpu-accelerator", "tpu-v5-lite-podslice")
            .putNodeLabels("cloud.google.com/gke-tpu-topology", "2x4")
            .build()));
    assertThat(selector(started)).isEqualTo(selector(jobSet));
    assertThat(started.getSpec().suspend()).isFalse();
    assertThat(started.getSpec().additionalProperties()).containsKey("failurePolicy");
  }

  private static Map<String, String> selector(JobSet jobSet) {
    return jobSet
        .getSpec()
        .replicatedJobs()
        .get(0)
        .template()
        .getSpec()
        .getTemplate()
        .getSpec()
        .getNodeSelector();
  }
}
