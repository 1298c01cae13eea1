package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.pod.PodTemplates;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobWorkloadsTest {
  private static final JobWorkloads WORKLOADS = JobWorkloads.builder().build();

  private static Workload workload(HasMetadata job) {
    return WORKLOADS.convert(job).orElseThrow().workload();
  }

  private static JobConversion.NotManaged notManaged(JobWorkloads workloads, HasMetadata job) {
    return (JobConversion.NotManaged) workloads.convert(job);
  }

  private static List<Violation> violations(HasMetadata job) {
    return ((JobConversion.Invalid) WORKLOADS.convert(job)).violations();
  }

  private static Job ownedBy(String apiVersion, String kind, boolean controller) {
    return Jobs.job()
        .editMetadata()
        .withOwnerReferences(new OwnerReferenceBuilder()
            .withApiVersion(apiVersion)
            .withKind(kind)
            .withName("parent")
            .withController(controller)
            .build())
        .endMetadata()
        .build();
  }

  @Test
  void carriesOverWhatTheJobSays() {
    Job job = Jobs.job()
        .editMetadata()
        .withUid("1234")
        .withCreationTimestamp("2026-01-01T01:00:05+01:00")
        .addToAnnotations(MetadataKeys.ADMISSION_GATED_BY, "example.com/budget, example.com/data")
        .addToAnnotations(MetadataKeys.JOB_MIN_PARALLELISM, "2")
        .addToLabels(MetadataKeys.MAX_EXEC_TIME_SECONDS, "3600")
        .endMetadata()
        .build();
    JobConversion.Converted converted = WORKLOADS.convert(job).orElseThrow();
    Workload workload = converted.workload();
    assertThat(workload.id())
        .hasToString("team-a/" + WorkloadNames.of("batch", "Job", "train", "1234"));
    assertThat(workload.uid()).isEqualTo("1234");
    assertThat(workload.creationTime()).contains(Instant.parse("2026-01-01T00:00:05Z"));
    assertThat(workload.queueName()).isEqualTo("lq");
    assertThat(workload.priority()).isZero();
    assertThat(workload.admissionGates()).containsExactly("example.com/budget", "example.com/data");
    assertThat(workload.podSets().get(0).minCount()).hasValue(2);
    assertThat(workload.podSets().get(0).requests()).containsEntry("cpu", 1000L);
    assertThat(converted.maximumExecutionTimeSeconds()).hasValue(3600);
    assertThat(converted.jobName()).isEqualTo("train");
    assertThat(converted.notes()).isEmpty();
  }

  @Test
  void whatTheJobDoesNotSayIsLeftToTheEngine() {
    Workload workload = workload(Jobs.job().build());
    assertThat(workload.uid()).isEqualTo(workload.id().toString());
    assertThat(workload.creationTime()).isEmpty();
    assertThat(workload.admissionGates()).isEmpty();
    assertThat(WORKLOADS.convert(Jobs.job().build()).orElseThrow().reclaimablePods())
        .isEmpty();
    assertThat(WORKLOADS.convert(Jobs.job().build()).orElseThrow().maximumExecutionTimeSeconds())
        .isEmpty();
  }

  @Test
  void theNamespaceIsTheCallersIfTheJobHasNone() {
    Job job = Jobs.job().editMetadata().withNamespace(null).endMetadata().build();
    assertThat(workload(job).namespace()).isEqualTo("default");
    assertThat(JobWorkloads.builder()
            .defaultNamespace("team-b")
            .build()
            .convert(job)
            .orElseThrow()
            .workload()
            .namespace())
        .isEqualTo("team-b");
  }

  @Test
  void theLabelOfTheQueueWins() {
    Job both = Jobs.annotated(MetadataKeys.QUEUE_NAME, "annotated");
    assertThat(workload(both).queueName()).isEqualTo("lq");
    Job annotated = new JobBuilder(both)
        .editMetadata()
        .removeFromLabels(MetadataKeys.QUEUE_NAME)
        .endMetadata()
        .build();
    JobConversion.Converted converted = WORKLOADS.convert(annotated).orElseThrow();
    assertThat(converted.workload().queueName()).isEqualTo("annotated");
    assertThat(converted.notes()).singleElement().asString().contains("use the label");
    JobConversion.NotManaged strict =
        notManaged(JobWorkloads.builder().legacyQueueAnnotation(false).build(), annotated);
    assertThat(strict.reason()).isEqualTo(JobConversion.Reason.NO_QUEUE_NAME);
    assertThat(strict.message())
        .isEqualTo("Job team-a/train names no queue; set the label kueue.x-k8s.io/queue-name");
  }

  @Test
  void aJobWithoutANameIsCalledSo() {
    Job job = new JobBuilder().withNewMetadata().endMetadata().build();
    assertThat(notManaged(WORKLOADS, job).message())
        .isEqualTo("Job without a name names no queue; set the label kueue.x-k8s.io/queue-name");
  }

  @Test
  void aJobWithoutAQueueMayHaveToWait() {
    Job job = Jobs.job()
        .editMetadata()
        .removeFromLabels(MetadataKeys.QUEUE_NAME)
        .endMetadata()
        .build();
    JobWorkloads managing = JobWorkloads.builder()
        .manageJobsWithoutQueueName(true)
        .managedNamespaces(namespace -> !namespace.equals("kube-system"))
        .build();
    assertThat(notManaged(managing, job))
        .isEqualTo(new JobConversion.NotManaged(
            JobConversion.Reason.WAITS_FOR_QUEUE_NAME,
            "Job team-a/train names no queue and waits, suspended, until it does; set the label"
                + " kueue.x-k8s.io/queue-name"));
    job.getMetadata().setNamespace("kube-system");
    assertThat(notManaged(managing, job).reason()).isEqualTo(JobConversion.Reason.NO_QUEUE_NAME);
    Job part = Jobs.job()
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion("jobset.x-k8s.io/v1alpha2")
        .withKind("JobSet")
        .withName("set")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .build();
    JobSet owner = Jobs.jobSet(Jobs.replicated("a", 1, 1));
    owner.getMetadata().setLabels(Map.of());
    assertThat(JobWorkloads.builder()
            .owners((namespace, reference) -> Optional.of(owner))
            .build()
            .convert(part))
        .as("its owner does not matter")
        .isInstanceOf(JobConversion.Converted.class);
    assertThat(notManaged(
                JobWorkloads.builder()
                    .owners((namespace, reference) -> Optional.of(owner))
                    .manageJobsWithoutQueueName(true)
                    .build(),
                part)
            .reason())
        .isEqualTo(JobConversion.Reason.MANAGED_BY_PARENT);
  }

  @Test
  void gatesMayBeOff() {
    Job gated = Jobs.annotated(MetadataKeys.ADMISSION_GATED_BY, "example.com/gate");
    assertThat(workload(gated).admissionGates()).containsExactly("example.com/gate");
    JobWorkloads off = JobWorkloads.builder()
        .admissionGatedBy(false)
        .topologyAwareScheduling(false)
        .build();
    assertThat(off.convert(gated).orElseThrow().workload().admissionGates()).isEmpty();
    Job invalid = Jobs.annotated(MetadataKeys.ADMISSION_GATED_BY, "not a gate");
    assertThat(WORKLOADS.convert(invalid)).isInstanceOf(JobConversion.Invalid.class);
    assertThat(off.convert(invalid)).isInstanceOf(JobConversion.Converted.class);
    Job placed = Jobs.job().build();
    placed
        .getSpec()
        .getTemplate()
        .setMetadata(new ObjectMetaBuilder()
            .addToAnnotations("kueue.x-k8s.io/podset-required-topology", "rack")
            .addToAnnotations("kueue.x-k8s.io/podset-group-name", "ring")
            .build());
    assertThat(workload(placed).podSets().get(0).topologyRequest().required()).contains("rack");
    PodSet plain = off.convert(placed).orElseThrow().workload().podSets().get(0);
    assertThat(plain.topologyRequest()).isEqualTo(TopologyRequest.none());
    assertThat(plain.group()).isEmpty();
    placed
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getAnnotations()
        .put("kueue.x-k8s.io/podset-preferred-topology", "rack");
    assertThat(WORKLOADS.convert(placed)).isInstanceOf(JobConversion.Invalid.class);
    assertThat(off.convert(placed)).isInstanceOf(JobConversion.Converted.class);
  }

  @Test
  void unknownKindsAreNotManaged() {
    JobConversion.NotManaged pod = notManaged(
        WORKLOADS,
        new PodBuilder().withNewMetadata().withName("p").endMetadata().build());
    assertThat(pod.reason()).isEqualTo(JobConversion.Reason.UNKNOWN_KIND);
    assertThat(pod.message())
        .isEqualTo("Pod p of v1, read as Pod, is no kind of job that is known; known are"
            + " [batch/Job, jobset.x-k8s.io/JobSet]");
    assertThatThrownBy(() -> WORKLOADS.convert(new PodBuilder().build()).orElseThrow())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no kind of job");
  }

  @Test
  void partsOfAKnownJobAreLeftToIt() {
    assertThat(notManaged(WORKLOADS, ownedBy("jobset.x-k8s.io/v1alpha2", "JobSet", true)))
        .isEqualTo(new JobConversion.NotManaged(
            JobConversion.Reason.MANAGED_BY_PARENT,
            "Job team-a/train belongs to JobSet parent, which is admitted as a whole"));
    assertThat(WORKLOADS.convert(ownedBy("jobset.x-k8s.io/v1alpha2", "JobSet", false)))
        .isInstanceOf(JobConversion.Converted.class);
    assertThat(WORKLOADS.convert(ownedBy("batch/v1", "CronJob", true)))
        .isInstanceOf(JobConversion.Converted.class);
  }

  @Test
  void ownersDecideIfTheyCanBeFound() {
    Job child = ownedBy("jobset.x-k8s.io/v1alpha2", "JobSet", true);
    JobSet parent = Jobs.jobSet(Jobs.replicated("a", 1, 1));
    JobWorkloads workloads = JobWorkloads.builder()
        .owners((namespace, reference) ->
            namespace.equals("team-a") ? Optional.of(parent) : Optional.empty())
        .build();
    assertThat(notManaged(workloads, child).reason())
        .isEqualTo(JobConversion.Reason.MANAGED_BY_PARENT);
    parent.getMetadata().setLabels(Map.of());
    assertThat(workloads.convert(child))
        .as("a parent without queue is not managed")
        .isInstanceOf(JobConversion.Converted.class);
    parent.getMetadata().setOwnerReferences(child.getMetadata().getOwnerReferences());
    assertThat(workloads.convert(child))
        .as("a circle of owners ends")
        .isInstanceOf(JobConversion.Converted.class);
  }

  @Test
  void generatedNamesDifferAndRepeat() {
    Job job = Jobs.job()
        .editMetadata()
        .withName(null)
        .withGenerateName("train-")
        .endMetadata()
        .build();
    JobWorkloads workloads = JobWorkloads.builder().build();
    assertThat(workloads.convert(job).orElseThrow().jobName()).isEqualTo("train-00001");
    assertThat(workloads.convert(job).orElseThrow().jobName()).isEqualTo("train-00002");
    assertThat(JobWorkloads.builder()
            .nameGenerator(prefix -> prefix + "x")
            .build()
            .convert(job)
            .orElseThrow()
            .jobName())
        .isEqualTo("train-x");
    job.getMetadata().setGenerateName("t".repeat(80));
    assertThat(workloads.convert(job).orElseThrow().jobName()).hasSize(63).endsWith("00003");
  }

  @Test
  void listsEverythingThatIsWrong() {
    Job job = Jobs.job()
        .editMetadata()
        .withName(null)
        .withCreationTimestamp("yesterday")
        .addToLabels(MetadataKeys.QUEUE_NAME, "Not A Queue")
        .addToLabels(MetadataKeys.MAX_EXEC_TIME_SECONDS, "0")
        .addToLabels(MetadataKeys.PRIORITY_CLASS, "gold")
        .addToAnnotations(MetadataKeys.ADMISSION_GATED_BY, "example.com/a,,example.com/a,b")
        .addToAnnotations(MetadataKeys.JOB_MIN_PARALLELISM, "7")
        .endMetadata()
        .editSpec()
        .withTemplate(Jobs.template("one"))
        .endSpec()
        .build();
    assertThat(violations(job))
        .extracting(Violation::field)
        .containsExactly(
            "metadata.labels[kueue.x-k8s.io/queue-name]",
            "metadata.name",
            "metadata.annotations[kueue.x-k8s.io/admission-gated-by]",
            "metadata.annotations[kueue.x-k8s.io/admission-gated-by]",
            "metadata.annotations[kueue.x-k8s.io/admission-gated-by]",
            "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]",
            "metadata.creationTimestamp",
            "metadata.labels[kueue.x-k8s.io/priority-class]",
            "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]",
            "spec.template.spec.containers[0].resources.requests[cpu]");
    assertThatThrownBy(() -> WORKLOADS.convert(job).orElseThrow())
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("there is no WorkloadPriorityClass \"gold\"");
  }

  @Test
  void theExpectedDurationIsAnAnnotation() {
    Job job = Jobs.job()
        .editMetadata()
        .addToAnnotations("kueue4j.io/expected-duration", "PT2H30M")
        .endMetadata()
        .build();
    assertThat(WORKLOADS.convert(job).orElseThrow().workload().expectedDuration())
        .contains(Duration.ofMinutes(150));
    assertThat(WORKLOADS.convert(Jobs.job().build()).orElseThrow().workload().expectedDuration())
        .isEmpty();
    job.getMetadata().getAnnotations().put("kueue4j.io/expected-duration", "soon");
    assertThatThrownBy(() -> WORKLOADS.convert(job).orElseThrow())
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(
            "metadata.annotations[kueue4j.io/expected-duration]: \"soon\"; expected"
                + " a duration above 0 as P1D or PT1H30M");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "1h", "", "9999999999"})
  void theTimeLimitIsANumberOfSeconds(String text) {
    assertThat(violations(Jobs.labelled(MetadataKeys.MAX_EXEC_TIME_SECONDS, text)))
        .singleElement()
        .asString()
        .contains("\"" + text + "\"; expected a number of seconds above 0");
  }

  @Test
  void pathsSayWhichReplicatedJobIsWrong() {
    JobSet.ReplicatedJob wrong =
        new JobSet.ReplicatedJob("b", 1, Jobs.jobTemplate(1, Jobs.template("1 core")));
    assertThat(violations(Jobs.jobSet(Jobs.replicated("a", 1, 1), wrong)))
        .singleElement()
        .asString()
        .startsWith("JobSet team-a/train: spec.replicatedJobs[1].template.spec.template.spec"
            + ".containers[0].resources.requests[cpu]: \"1 core\" is not a quantity");
    assertThat(violations(Jobs.jobSet(
            new JobSet.ReplicatedJob("a", 1, Jobs.jobTemplate(1, new PodTemplateSpec())))))
        .singleElement()
        .asString()
        .contains("spec.replicatedJobs[0].template.spec.template.spec: missing");
  }

  @Test
  void rulesOfWorkloadsHoldAndNameTheFieldOfTheJob() {
    assertThat(violations(Jobs.jobSet()))
        .extracting(Violation::field)
        .containsExactly("spec.replicatedJobs");
    assertThat(violations(Jobs.jobSet(Jobs.replicated("a", 1, 1), Jobs.replicated("A", -1, 1))))
        .extracting(Violation::field)
        .containsExactly("spec.replicatedJobs[1].name", "spec.replicatedJobs[1].replicas");
    assertThat(violations(Jobs.jobSet(Jobs.replicated("", 1, -2))))
        .extracting(Violation::field)
        .containsExactly(
            "spec.replicatedJobs[0].name", "spec.replicatedJobs[0].template.spec.parallelism");
    assertThat(violations(Jobs.job().editSpec().withParallelism(-1).endSpec().build()))
        .extracting(Violation::field)
        .containsExactly("spec.parallelism");
  }

  @Test
  void podsThatHaveEndedAreReclaimable() {
    Job job = Jobs.job().withNewStatus().withSucceeded(2).endStatus().build();
    assertThat(WORKLOADS.convert(job).orElseThrow().reclaimablePods()).isEqualTo(Map.of("main", 2));
    Job fewerCompletions = new JobBuilder(job)
        .editSpec()
        .withParallelism(5)
        .withCompletions(2)
        .endSpec()
        .build();
    assertThat(WORKLOADS.convert(fewerCompletions).orElseThrow().reclaimablePods())
        .as("no more than the pods of the pod set")
        .isEqualTo(Map.of("main", 2));
  }

  @Test
  void podsThatCouldNotBeCreatedAreReportedToTheEngine() {
    Job job = Jobs.job().build();
    job.getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .get(0)
        .getResources()
        .setLimits(Map.of("cpu", new Quantity("500m")));
    assertThat(workload(job).admissibilityProblems())
        .containsExactly(
            "spec.template.spec.containers[0]: requests must not exceed limits: cpu 1 > 500m");
  }

  @Test
  void runtimeClassesThatAreNotKnownAreReported() {
    Job job = Jobs.job().build();
    job.getSpec().getTemplate().getSpec().setRuntimeClassName("box");
    RuntimeClass box = new RuntimeClassBuilder()
        .withNewMetadata()
        .withName("box")
        .endMetadata()
        .build();
    JobWorkloads knowing = JobWorkloads.builder()
        .podTemplates(PodTemplates.builder().addRuntimeClasses(box).build())
        .build();

    assertThat(WORKLOADS.convert(job).orElseThrow().unknownRuntimeClasses()).containsExactly("box");
    assertThat(knowing.convert(job).orElseThrow().unknownRuntimeClasses()).isEmpty();
    job.getSpec().getTemplate().getSpec().setOverhead(Map.of("cpu", new Quantity("1")));
    assertThat(WORKLOADS.convert(job).orElseThrow().unknownRuntimeClasses()).isEmpty();
    assertThat(WORKLOADS.convert(Jobs.job().build()).orElseThrow().unknownRuntimeClasses())
        .isEmpty();
  }

  @Test
  void templatesAreReadAsConfigured() {
    Workload workload = JobWorkloads.builder()
        .podTemplates(PodTemplates.builder().addExcludedResourcePrefixes("cpu").build())
        .build()
        .convert(Jobs.job().build())
        .orElseThrow()
        .workload();
    assertThat(workload.podSets().get(0).requests()).isEmpty();
  }

  @Test
  void kindsCanBeAddedAndAreUnique() {
    assertThat(JobKinds.of(List.of()).and(new BatchJobKind())).hasToString("[batch/Job]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobKinds.standard().and(new BatchJobKind()));
    assertThat(JobKinds.standard().find(Jobs.job().build())).isPresent();
    assertThat(JobKinds.of(List.of()).find(Jobs.job().build())).isEmpty();
  }

  @Test
  void convertingChangesNothing() {
    Job job = Jobs.job().build();
    var unused = WORKLOADS.convert(job);
    assertThat(job).isEqualTo(Jobs.job().build());
    assertThat(WORKLOADS.convert(job)).isEqualTo(WORKLOADS.convert(job));
  }
}
