package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import org.junit.jupiter.api.Test;

/** Rule M-24. */
class JobPrioritiesTest {
  private static final WorkloadPriorityClass GOLD = new WorkloadPriorityClass("gold", 1000);
  private static final WorkloadPriorityClass DEFAULT = new WorkloadPriorityClass("default", 50);

  private static PriorityClass podClass(String name, int value, boolean globalDefault) {
    return new PriorityClassBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withValue(value)
        .withGlobalDefault(globalDefault)
        .build();
  }

  private static JobSet.ReplicatedJob jobOf(String name, String podClass) {
    PodTemplateSpec template = new PodTemplateSpecBuilder(Jobs.template("1"))
        .editSpec()
        .withPriorityClassName(podClass)
        .endSpec()
        .build();
    return new JobSet.ReplicatedJob(name, 1, Jobs.jobTemplate(1, template));
  }

  private static JobWorkloads.Builder workloads() {
    return JobWorkloads.builder()
        .addPriorityClasses(podClass("low", -5, false), podClass("high", 5, false));
  }

  private static final JobSet BY_PODS =
      Jobs.jobSet(Jobs.replicated("a", 1, 1), jobOf("b", "high"), jobOf("c", "low"));

  @Test
  void theLabelWins() {
    JobSet jobSet = Jobs.jobSet(jobOf("a", "low"));
    jobSet.getMetadata().getLabels().put(MetadataKeys.PRIORITY_CLASS, "gold");
    Workload workload = workloads()
        .addWorkloadPriorityClasses(GOLD, DEFAULT)
        .build()
        .convert(jobSet)
        .orElseThrow()
        .workload();
    assertThat(workload.priority()).isEqualTo(1000);
    assertThat(workload.priorityClass()).contains("gold");
  }

  @Test
  void thenAClassOfTheNameDefault() {
    Workload workload = workloads()
        .addWorkloadPriorityClasses(GOLD, DEFAULT)
        .build()
        .convert(BY_PODS)
        .orElseThrow()
        .workload();
    assertThat(workload.priority()).isEqualTo(50);
    assertThat(workload.priorityClass()).contains("default");
  }

  @Test
  void thenTheFirstPodSetThatNamesAClass() {
    Workload workload = workloads()
        .addPriorityClasses(podClass("global", 7, true))
        .addWorkloadPriorityClasses(GOLD)
        .build()
        .convert(BY_PODS)
        .orElseThrow()
        .workload();
    assertThat(workload.priority()).isEqualTo(5);
    assertThat(workload.priorityClass())
        .as("the value of a pod class does not change later")
        .isEmpty();
  }

  @Test
  void theClassesOfEveryClusterAreThere() {
    JobSet jobSet = Jobs.jobSet(jobOf("a", "system-node-critical"));
    assertThat(workloads().build().convert(jobSet).orElseThrow().workload().priority())
        .isEqualTo(2_000_001_000);
    PriorityClass given = podClass("system-node-critical", 2_000_001_000, false);
    assertThat(workloads()
            .addPriorityClasses(given)
            .build()
            .convert(jobSet)
            .orElseThrow()
            .workload()
            .priority())
        .isEqualTo(2_000_001_000);
  }

  @Test
  void thenTheLowestGlobalDefault() {
    assertThat(workloads()
            .addPriorityClasses(podClass("g9", 9, true), podClass("g7", 7, true))
            .build()
            .convert(Jobs.job().build())
            .orElseThrow()
            .workload()
            .priority())
        .isEqualTo(7);
  }

  @Test
  void aClassThatIsNotKnownIsAViolation() {
    JobSet jobSet = Jobs.jobSet(Jobs.replicated("a", 1, 1), jobOf("b", "missing"));
    assertThat(((JobConversion.Invalid) workloads().build().convert(jobSet)).violations())
        .containsExactly(new Violation(
            "JobSet team-a/train",
            "spec.replicatedJobs[1].template.spec.template.spec.priorityClassName",
            "there is no PriorityClass \"missing\"; create it, or name one that exists"));
  }
}
