package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.MoreCollectors;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ApplyResult.ObjectResult.Outcome;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.WorkloadWriter;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KubernetesAdmissionTest {
  static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      spec: {nodeLabels: {pool: spot}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: queue, namespace: team-a}
      spec: {clusterQueue: research}
      """;

  static final String PRIORITIES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: high}
      value: 1000
      """;

  private final KubernetesAdmission admission = KubernetesAdmission.create();

  @CanIgnoreReturnValue
  private ApplyResult apply(HasMetadata... objects) {
    return admission.apply(objects);
  }

  @CanIgnoreReturnValue
  private ApplyResult apply(String... texts) {
    ImmutableList.Builder<ManifestSource> sources = ImmutableList.builder();
    for (int i = 0; i < texts.length; i++) {
      sources.add(ManifestSource.of("file-" + i + ".yaml", texts[i]));
    }
    return admission.apply(sources.build());
  }

  static Job job(String name, String cpu, Map<String, String> labels) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace("team-a")
        .withName(name)
        .withUid("uid-" + name)
        .addToLabels("kueue.x-k8s.io/queue-name", "queue")
        .addToLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withSuspend(true)
        .withNewTemplate()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withNewResources()
        .addToRequests("cpu", new Quantity(cpu))
        .endResources()
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  static Job job(String name, String cpu) {
    return job(name, cpu, Map.of());
  }

  static Job high(String name, String cpu) {
    return job(name, cpu, Map.of("kueue.x-k8s.io/priority-class", "high"));
  }

  static WorkloadId onlyWorkload(ApplyResult result) {
    return result.workloads().stream().collect(MoreCollectors.onlyElement());
  }

  @Test
  void jobsStartAsAdmittedAndStopAsTheyWere() {
    apply(QUEUES, PRIORITIES);
    Job low = job("low", "3");
    WorkloadId lowId = onlyWorkload(apply(low));
    admission.engine().runCycle();

    Job started = (Job) admission.start(lowId);

    assertThat(started.getSpec().getSuspend()).isFalse();
    assertThat(started.getSpec().getTemplate().getSpec().getNodeSelector())
        .containsEntry("pool", "spot");
    assertThat(low.getSpec().getSuspend()).isTrue();

    started.setMetadata(started
        .edit()
        .editMetadata()
        .withResourceVersion("7")
        .endMetadata()
        .build()
        .getMetadata());
    apply(started);
    WorkloadId highId = onlyWorkload(apply(high("high", "2")));
    Decisions preempting = admission.engine().runCycle();
    assertThat(preempting.preempted()).hasSize(1);
    Job stopped = (Job) admission.stop(lowId);
    assertThat(stopped.getSpec()).isEqualTo(low.getSpec());
    assertThat(stopped.getMetadata().getResourceVersion()).isEqualTo("7");
    assertThatThrownBy(() -> admission.start(lowId))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has to stop");

    admission.engine().podsStopped(lowId);
    assertThat(admission.engine().runCycle().admitted())
        .extracting(Admission::workload)
        .containsExactly(highId);
    assertThat(((Job) admission.start(highId)).getSpec().getSuspend()).isFalse();
  }

  @Test
  void onlyWhatWasAdmittedStarts() {
    apply(QUEUES);
    WorkloadId waiting = onlyWorkload(apply(job("waiting", "1")));

    assertThatThrownBy(() -> admission.start(waiting))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(waiting.toString())
        .hasMessageContaining("not admitted");
    assertThatThrownBy(() -> admission.start(WorkloadId.of("team-a", "none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("team-a/none");
    assertThatThrownBy(() -> admission.stop(WorkloadId.of("team-a", "none")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(admission.job(waiting)).isPresent();
    assertThat(admission.job(WorkloadId.of("team-a", "none"))).isEmpty();
  }

  @Test
  void aBadJobKeepsNoOtherFromBeingApplied() {
    Job malformed = job("malformed", "much");
    Job withoutClass = high("without-class", "1");

    ApplyResult result = admission.apply(ImmutableList.of(
        ManifestSource.of(malformed, job("good", "1"), withoutClass, job("better", "1")),
        ManifestSource.of("queues.yaml", QUEUES)));

    assertThat(result.refused())
        .extracting(refused -> refused.manifest().map(Manifest::source).orElse(""))
        .containsExactly("Job team-a/malformed", "Job team-a/without-class");
    assertThat(result.problems())
        .extracting(ManifestIssue::toString)
        .anyMatch(problem -> problem.startsWith(
            "Job team-a/malformed:" + " spec.template.spec.containers[0].resources.requests.cpu: "))
        .anyMatch(problem -> problem.startsWith("Job team-a/without-class:"
            + " metadata.labels[kueue.x-k8s.io/priority-class]: there is no"
            + " WorkloadPriorityClass \"high\""));
    assertThat(result.workloads()).hasSize(2);
    assertThat(result.accepted()).hasSize(5);
    assertThat(admission.engine().runCycle().admitted()).hasSize(1);
    assertThatThrownBy(result::throwIfRefused)
        .isInstanceOfSatisfying(
            ManifestException.class, e -> assertThat(e.problems()).isEqualTo(result.problems()));
    assertThat(result.toString())
        .contains("Job team-a/good: SUBMITTED")
        .contains("Job team-a/without-class: REFUSED\n  Job team-a/without-class: metadata");
  }

  @Test
  void aRefusedObjectNamesItsUnknownFieldsToo() {
    ApplyResult result = apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q}
        spec:
          resourceGroups:
          - coveredResource: [cpu]
            flavors: []
        """);
    assertThat(result.problems())
        .extracting(ManifestIssue::field)
        .containsExactly(
            "spec.resourceGroups[0].coveredResources",
            "spec.resourceGroups[0].flavors",
            "spec.resourceGroups[0].coveredResource");
  }

  @Test
  void problemsOfTextNameFileDocumentAndLine() {
    ApplyResult result = apply(QUEUES, """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: x, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec: {parallelism: -1}
        ---
        kind: Job
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: x, namespace: team-a}
        spec: {parallelism: many}
        """, "{", PRIORITIES);

    assertThat(result.problems())
        .extracting(ManifestIssue::source, ManifestIssue::document)
        .contains(
            tuple("file-1.yaml", 1),
            tuple("file-1.yaml", 2),
            tuple("file-1.yaml", 3),
            tuple("file-2.yaml", 1));
    assertThat(result.problems()).extracting(ManifestIssue::line).allMatch(line -> line > 0);
    assertThat(result.accepted()).hasSize(4);
    assertThatThrownBy(result::throwIfRefused).hasMessageContaining("file-1.yaml: document 3");
  }

  @Test
  void badConfigurationKeepsNoOtherFromBeingApplied() {
    ApplyResult result = apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: broken}
        spec:
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: spot, resources: [{name: memory, nominalQuota: 4}]}]
        ---
        apiVersion: v1
        kind: LimitRange
        metadata: {name: x, namespace: team-a}
        spec: {limits: [{type: Container, max: {cpu: lots}}]}
        """, QUEUES);

    assertThat(result.objects())
        .extracting(ApplyResult.ObjectResult::outcome)
        .containsExactly(
            Outcome.REFUSED,
            Outcome.REFUSED,
            Outcome.CONFIGURED,
            Outcome.CONFIGURED,
            Outcome.CONFIGURED);
    assertThat(result.problems().get(0).field()).startsWith("spec.resourceGroups[0]");
    assertThat(admission.engine().view().clusterQueues()).hasSize(1);
  }

  @Test
  void aJobWaitsForWhatItRefersTo() {
    apply(QUEUES);
    ApplyResult early = apply(high("urgent", "1"));
    assertThat(early.refused()).hasSize(1);
    assertThat(apply(QUEUES).objects()).hasSize(3);

    ApplyResult later = apply(PRIORITIES);

    assertThat(later.objects())
        .extracting(ApplyResult.ObjectResult::outcome)
        .containsExactly(Outcome.CONFIGURED, Outcome.SUBMITTED);
    assertThat(admission.engine().runCycle().admitted())
        .extracting(Admission::workload)
        .containsExactlyElementsOf(later.workloads());
  }

  @Test
  void aJobThatWasCorrectedMeanwhileIsNotTriedAsItWas() {
    apply(QUEUES);
    apply(high("urgent", "1"));
    WorkloadId corrected = onlyWorkload(apply(job("urgent", "1")));

    assertThat(apply(PRIORITIES).objects()).hasSize(1);
    assertThat(admission.job(corrected).orElseThrow().getMetadata().getLabels())
        .doesNotContainKey("kueue.x-k8s.io/priority-class");
  }

  @Test
  void aWaitingJobIsReadAgainAndAnEndedOneGivesItsQuotaBack() {
    apply(QUEUES);
    apply(job("train", "5"));
    assertThat(admission.engine().runCycle().admitted()).isEmpty();
    WorkloadId id = onlyWorkload(apply(job("train", "4")));
    assertThat(admission.engine().runCycle().admitted()).hasSize(1);
    assertThat(onlyWorkload(apply(job("train", "4")))).isEqualTo(id);

    Job ended = job("train", "4")
        .edit()
        .withNewStatus()
        .addNewCondition()
        .withType("Complete")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
    ApplyResult result = apply(ended);

    assertThat(result.objects())
        .extracting(ApplyResult.ObjectResult::outcome)
        .containsExactly(Outcome.FINISHED);
    assertThat(result.workloads()).isEmpty();
    assertThat(admission.engine().admission(id)).isEmpty();
    assertThat(admission.job(id)).isEmpty();
    apply(job("next", "4"));
    assertThat(admission.engine().runCycle().admitted()).hasSize(1);
  }

  @Test
  void podsOfAWaitingJobThatHaveEndedNeedNoQuota() {
    apply(QUEUES);
    Job wide = job("wide", "1")
        .edit()
        .editSpec()
        .withParallelism(6)
        .withCompletions(6)
        .endSpec()
        .withNewStatus()
        .withSucceeded(5)
        .endStatus()
        .build();
    WorkloadId id = onlyWorkload(apply(wide));
    assertThat(admission.engine().lifecycle().status(id).reclaimablePods())
        .isEqualTo(Map.of("main", 5));

    Job narrow = wide.edit().editSpec().withParallelism(3).endSpec().build();
    assertThat(onlyWorkload(apply(narrow))).isEqualTo(id);

    assertThat(admission.engine().lifecycle().status(id).reclaimablePods())
        .isEqualTo(Map.of("main", 2));
    assertThat(admission
            .engine()
            .runCycle()
            .admitted()
            .get(0)
            .podSetAssignments()
            .get(0)
            .count())
        .isEqualTo(1);
  }

  @Test
  void whatHasLeftTheEngineMayComeAgain() {
    apply(QUEUES);
    WorkloadId id = onlyWorkload(apply(job("train", "4")));
    admission.engine().delete(id);
    assertThat(onlyWorkload(apply(job("train", "4")))).isEqualTo(id);
    admission.engine().runCycle();
    assertThat(admission.finish(id).removed()).isNotEmpty();
    assertThat(admission.finish(id).removed()).isEmpty();
    assertThat(admission.job(id)).isEmpty();
    apply(job("train", "4"));
    assertThat(admission.engine().runCycle().admitted()).hasSize(1);
  }

  @Test
  void storedWorkloadsGoOnWhereTheyStood() {
    apply(QUEUES, PRIORITIES);
    Job running = job("running", "3");
    Job waiting = high("waiting", "2");
    WorkloadId runningId = onlyWorkload(apply(running));
    admission.engine().runCycle();
    Job started = (Job) admission.start(runningId);
    WorkloadId waitingId = onlyWorkload(apply(waiting));
    List<HasMetadata> stored =
        List.of(stored(waiting, waitingId), started, stored(running, runningId), waiting);

    KubernetesAdmission restarted = KubernetesAdmission.create();
    ApplyResult result = restarted.apply(ImmutableList.of(
        ManifestSource.of(stored),
        ManifestSource.of("q.yaml", QUEUES),
        ManifestSource.of("p.yaml", PRIORITIES)));

    assertThat(result.refused()).isEmpty();
    assertThat(result.workloads()).containsExactlyInAnyOrder(runningId, waitingId);
    assertThat(restarted.engine().admission(runningId).orElseThrow().podSetAssignments())
        .isEqualTo(admission.engine().admission(runningId).orElseThrow().podSetAssignments());
    assertThat(restarted.engine().runCycle().preempted()).hasSize(1);
    assertThat(((Job) restarted.stop(runningId)).getSpec().getSuspend()).isTrue();
    restarted.engine().podsStopped(runningId);
    restarted.engine().runCycle();
    assertThat(((Job) restarted.start(waitingId)).getSpec().getSuspend()).isFalse();
  }

  private GenericKubernetesResource stored(Job job, WorkloadId id) {
    AdmissionEngine engine = admission.engine();
    Workload workload = engine.workload(id).orElseThrow();
    GenericKubernetesResource object =
        WorkloadWriter.of(KueueApiVersion.V1BETA2, admission.jobWorkloads()).write(job, workload);
    return WorkloadStatusWriter.write(
        object, workload, engine.lifecycle().status(id), engine.admission(id));
  }

  @Test
  void aJobFindsTheWorkloadThatItNames() {
    Job named = job("train", "1", Map.of("kueue.x-k8s.io/prebuilt-workload-name", "stored"));
    apply(QUEUES);
    ApplyResult early = apply(named);
    assertThat(early.objects().get(0).outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(early.objects().get(0).issues())
        .singleElement()
        .hasToString(
            "Job team-a/train: metadata: there is no Workload stored, which the job names");

    ApplyResult later = apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: stored, namespace: team-a}
        spec:
          queueName: queue
          priority: 3
          podSets:
          - name: main
            count: 1
            template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}
        """);

    assertThat(later.workloads()).containsExactly(WorkloadId.of("team-a", "stored"));
    assertThat(admission.job(WorkloadId.of("team-a", "stored"))).isPresent();
    assertThat(admission.engine().runCycle().admitted()).hasSize(1);
  }

  @Test
  void podsOfAGroupMayComeOneByOne() {
    apply(QUEUES);
    String pod = """
        apiVersion: v1
        kind: Pod
        metadata:
          name: member-%d
          namespace: team-a
          labels: {kueue.x-k8s.io/queue-name: queue, kueue.x-k8s.io/pod-group-name: group}
          annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}
        spec:
          schedulingGates: [{name: kueue.x-k8s.io/admission}]
          containers: [{name: main, resources: {requests: {cpu: 1}}}]
        """;

    assertThat(apply(pod.formatted(0)).workloads()).isEmpty();
    WorkloadId id = onlyWorkload(apply(pod.formatted(1)));

    assertThat(admission.engine().runCycle().admitted())
        .extracting(Admission::workload)
        .containsExactly(id);
  }

  @Test
  void jobsThatAreStartedByTheirPodsSaySo() {
    apply(QUEUES);
    WorkloadId id = onlyWorkload(apply("""
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: web, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec:
          replicas: 2
          template: {spec: {containers: [{name: main, resources: {requests: {cpu: 250m}}}]}}
        """));
    admission.engine().runCycle();

    assertThatThrownBy(() -> admission.start(id)).isInstanceOf(JobStartException.class);
  }

  @Test
  void settingsOfJobsMayBeChanged() {
    KubernetesAdmission own = KubernetesAdmission.builder()
        .defaultNamespace("team-a")
        .jobSettings(settings -> settings.nameGenerator(prefix -> prefix + "mine"))
        .build();
    own.apply(ManifestSource.of("q.yaml", QUEUES)).throwIfRefused();
    Job generated = job("x", "1");
    generated.getMetadata().setName(null);
    generated.getMetadata().setNamespace(null);
    generated.getMetadata().setGenerateName("train-");

    assertThat(onlyWorkload(own.apply(generated)).toString()).startsWith("team-a/job-train-mine-");
    assertThatThrownBy(() -> KubernetesAdmission.builder()
            .addJobKind(JobKinds.standard().asList().get(0))
            .build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KubernetesAdmission.builder().defaultNamespace(""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void eachJobThatIsToBeNamedIsAnother() {
    apply(QUEUES);
    Job generated = job("x", "1");
    generated.getMetadata().setName(null);
    generated.getMetadata().setUid(null);
    generated.getMetadata().setGenerateName("train-");

    assertThat(onlyWorkload(apply(generated))).isNotEqualTo(onlyWorkload(apply(generated)));
  }

  @Test
  void aKindOfTheCallerThatFailsKeepsNoOtherFromBeingApplied() {
    KubernetesAdmission own =
        KubernetesAdmission.builder().addJobKind(new FailingKind()).build();
    own.apply(ManifestSource.of("q.yaml", QUEUES)).throwIfRefused();
    GenericKubernetesResource failing = new GenericKubernetesResource();
    failing.setApiVersion("example.com/v1");
    failing.setKind("Failing");
    failing.setMetadata(job("failing", "1").getMetadata());

    ApplyResult result = own.apply(failing, job("good", "1"));

    assertThat(result.objects())
        .extracting(ApplyResult.ObjectResult::outcome)
        .containsExactly(Outcome.REFUSED, Outcome.SUBMITTED);
    assertThat(result.problems())
        .singleElement()
        .hasToString("Failing team-a/failing: cannot be used: java.lang.IllegalStateException: oh");
  }
}
