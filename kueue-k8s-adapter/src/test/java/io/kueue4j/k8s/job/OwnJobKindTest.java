package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A kind of job unknown to this library, for a resource without a class of its own. */
class OwnJobKindTest {
  /** {@code example.com/Sweep}: {@code spec.paused}, {@code spec.trials}, {@code spec.template}. */
  private static final class SweepKind implements JobKind<GenericKubernetesResource> {
    @Override
    public Class<GenericKubernetesResource> type() {
      return GenericKubernetesResource.class;
    }

    @Override
    public String apiGroup() {
      return "example.com";
    }

    @Override
    public String kind() {
      return "Sweep";
    }

    @Override
    public boolean isSuspended(GenericKubernetesResource job) {
      return Boolean.TRUE.equals(job.get("spec", "paused"));
    }

    @Override
    public GenericKubernetesResource withSuspend(GenericKubernetesResource job, boolean suspend) {
      return with(job, "paused", suspend);
    }

    @Override
    public List<JobPodSet> podSets(GenericKubernetesResource job) {
      PodTemplateSpec template =
          Jobs.MAPPER.convertValue(job.get("spec", "template"), PodTemplateSpec.class);
      return ImmutableList.of(
          JobPodSet.of("trials", "spec.template", template, job.get("spec", "trials")));
    }

    @Override
    public GenericKubernetesResource withPodSets(
        GenericKubernetesResource job, List<JobPodSet> podSets) {
      Map<?, ?> template = Jobs.MAPPER.convertValue(podSets.get(0).template(), Map.class);
      return with(job, "template", template);
    }

    @Override
    public Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
      return Optional.empty();
    }

    @Override
    public boolean isActive(GenericKubernetesResource job) {
      return false;
    }

    @Override
    public boolean podsReady(GenericKubernetesResource job) {
      return false;
    }

    @Override
    public Optional<String> priorityClassName(GenericKubernetesResource job) {
      return Optional.ofNullable(job.get("spec", "priorityClass"));
    }

    private static GenericKubernetesResource with(
        GenericKubernetesResource job, String field, Object value) {
      Map<String, Object> spec = new HashMap<>(job.<Map<String, Object>>get("spec"));
      spec.put(field, value);
      return new GenericKubernetesResourceBuilder(job)
          .withAdditionalProperties(Map.of("spec", spec))
          .build();
    }
  }

  private static final JobKinds KINDS = JobKinds.standard().and(new SweepKind());

  private static GenericKubernetesResource sweep(String kind) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("example.com/v1")
        .withKind(kind)
        .withNewMetadata()
        .withName("lr")
        .addToLabels(MetadataKeys.QUEUE_NAME, "lq")
        .endMetadata()
        .addToAdditionalProperties(
            "spec",
            Map.of(
                "paused",
                true,
                "trials",
                4,
                "priorityClass",
                "high",
                "template",
                Jobs.MAPPER.convertValue(Jobs.template("2"), Map.class)))
        .build();
  }

  private static JobWorkloads workloads() {
    return JobWorkloads.builder()
        .kinds(KINDS)
        .addPriorityClasses(new PriorityClassBuilder()
            .withNewMetadata()
            .withName("high")
            .endMetadata()
            .withValue(9)
            .build())
        .build();
  }

  @Test
  void becomesAWorkload() {
    JobConversion.Converted converted = workloads().convert(sweep("Sweep")).orElseThrow();
    Workload workload = converted.workload();
    assertThat(workload.name()).isEqualTo(WorkloadNames.of("example.com", "Sweep", "lr", ""));
    assertThat(workload.priority()).as("the kind's own class").isEqualTo(9);
    assertThat(workload.podSets()).hasSize(1);
    assertThat(workload.podSets().get(0).count()).isEqualTo(4);
    assertThat(workload.podSets().get(0).requests()).containsEntry("cpu", 2000L);
    assertThat(converted.reclaimablePods()).isEmpty();
  }

  @Test
  void startsAndStops() {
    JobEditor editor = JobEditor.of(KINDS);
    GenericKubernetesResource sweep = sweep("Sweep");
    Workload workload = workloads().convert(sweep).orElseThrow().workload();
    GenericKubernetesResource started = editor.start(
        sweep,
        workload,
        Jobs.admission(workload, "spot"),
        Jobs.flavors(ResourceFlavor.builder()
            .name("spot")
            .putNodeLabels("capacity", "spot")
            .build()));
    assertThat(started.<Boolean>get("spec", "paused")).isFalse();
    assertThat(started.<String>get("spec", "template", "spec", "nodeSelector", "capacity"))
        .isEqualTo("spot");
    assertThat(editor.stop(started, editor.snapshot(sweep))).isEqualTo(sweep);
  }

  @Test
  void otherResourcesOfTheSameClassAreNotKnown() {
    assertThat(workloads().convert(sweep("Sweeper"))).isInstanceOf(JobConversion.NotManaged.class);
  }

  @Test
  void aKnownKindReadAsAnotherClassIsNot() {
    GenericKubernetesResource jobSet = sweep("JobSet");
    jobSet.setApiVersion("jobset.x-k8s.io/v1alpha2");
    String answer = workloads()
        .convert(jobSet)
        .match(
            JobConversion.Converted::jobName,
            JobConversion.NotManaged::message,
            invalid -> invalid.violations().toString());
    assertThat(answer)
        .startsWith("JobSet lr of jobset.x-k8s.io/v1alpha2, read as GenericKubernetesResource, is"
            + " no kind of job that is known");
  }

  @Test
  void matchAnswersForEachCase() {
    assertThat(workloads()
            .convert(Jobs.job().build())
            .<String>match(JobConversion.Converted::jobName, none -> "", none -> ""))
        .isEqualTo("train");
    assertThat(workloads()
            .convert(Jobs.jobSet())
            .<Integer>match(
                none -> 0, none -> 0, invalid -> invalid.violations().size()))
        .isEqualTo(1);
  }
}
