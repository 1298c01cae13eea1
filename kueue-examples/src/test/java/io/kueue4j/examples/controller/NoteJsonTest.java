package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionCause;
import io.kueue4j.core.model.EvictionCount;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading a written note returns the original. */
final class NoteJsonTest {
  private static final Instant TIME = Instant.parse("2026-01-01T10:00:00.123456789Z");
  private static final JobEditor EDITOR = JobEditor.of(JobKinds.all());
  private static final String JOB = """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: train
        namespace: default
        annotations: {kueue.x-k8s.io/job-min-parallelism: "2"}
      spec:
        parallelism: 4
        completions: 8
        template:
          metadata: {labels: {app: test}, annotations: {note: 'a "quoted" one'}}
          spec:
            nodeSelector: {zone: a}
            tolerations: [{key: spot, operator: Exists, tolerationSeconds: 5}]
            schedulingGates: [{name: example.com/gate}]
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: zone, operator: In, values: [a, b]}]
            containers: [{name: main, image: busybox}]
      """;

  private static AdmissionNote note(JobSnapshot before) {
    Workload workload = Workload.builder()
        .namespace("default")
        .name("job-train-12345")
        .uid("u-1")
        .queueName("queue")
        .priority(7)
        .priorityClass("high")
        .creationTime(TIME)
        .addPodSets(
            PodSet.builder()
                .name("main")
                .count(4)
                .minCount(2)
                .requestAmount("cpu", 1500L)
                .requestAmount("memory", 3L << 30)
                .build(),
            PodSet.builder()
                .name("other")
                .count(1)
                .requestAmount("example.com/x", 3L)
                .build())
        .build();
    Admission admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("research")
        .quotaReservedTime(TIME)
        .addPodSetAssignments(
            PodSetAssignment.builder()
                .name("main")
                .count(4)
                .putFlavors("cpu", "spot")
                .putFlavors("memory", "spot")
                .resourceUsageAmount("cpu", 6000L)
                .resourceUsageAmount("memory", 12L << 30)
                .topologyAssignment(new TopologyAssignment(
                    ImmutableList.of("kubernetes.io/hostname"),
                    ImmutableList.of(
                        new TopologyAssignment.Domain(ImmutableList.of("node-1"), 1),
                        new TopologyAssignment.Domain(ImmutableList.of("node-2"), 3))))
                .build(),
            PodSetAssignment.builder()
                .name("other")
                .count(1)
                .putFlavors("example.com/x", "any")
                .resourceUsageAmount("example.com/x", 3L)
                .build())
        .build();
    return new AdmissionNote(
        "uid-1",
        workload,
        admission,
        status(),
        Optional.of(new Stopping("Preempted", "for \u00e9 \"another\"", TIME)),
        before);
  }

  private static WorkloadStatus status() {
    return WorkloadStatus.builder()
        .addConditions(
            new WorkloadCondition(ConditionType.QUOTA_RESERVED, true, "QuotaReserved", "", TIME),
            new WorkloadCondition(ConditionType.ADMITTED, false, "No", "not yet", TIME))
        .addAdmissionChecks(AdmissionCheckState.builder()
            .name("budget")
            .state(CheckState.RETRY)
            .message("later")
            .lastTransitionTime(TIME)
            .requeueAfter(Duration.ofSeconds(90))
            .retryCount(2)
            .build())
        .requeueCount(3)
        .requeueAt(TIME)
        .accumulatedPastExecutionTime(Duration.ofSeconds(77))
        .addAllEvictions(ImmutableList.of(
            new EvictionCount(EvictionReason.PREEMPTED, Optional.empty(), 2),
            new EvictionCount(
                EvictionReason.PODS_READY_TIMEOUT, Optional.of(EvictionCause.WAIT_FOR_START), 1)))
        .build();
  }

  private static Job job() {
    return Serialization.unmarshal(JOB, Job.class);
  }

  @Test
  void whatIsWrittenIsRead() {
    AdmissionNote note = note(EDITOR.snapshot(job()));

    AdmissionNote read = NoteJson.read("default", NoteJson.write(note));

    assertThat(read).isEqualTo(note);
    assertThat(read.before().podSets().get(0).affinity()).containsInstanceOf(Affinity.class);
    assertThat(NoteJson.write(read)).isEqualTo(NoteJson.write(note));
  }

  @Test
  void ofObjectsWithoutAClassTheVeryValuesAreKept() {
    HasMetadata job = Serialization.unmarshal("""
        apiVersion: kubeflow.org/v1
        kind: PyTorchJob
        metadata: {name: train, namespace: default}
        spec:
          pytorchReplicaSpecs:
            Worker:
              replicas: 2
              template:
                spec:
                  nodeSelector: null
                  containers: [{name: pytorch, resources: {limits: {cpu: 1}}}]
        """, GenericKubernetesResource.class);
    AdmissionNote note = note(EDITOR.snapshot(job));

    assertThat(NoteJson.read("default", NoteJson.write(note))).isEqualTo(note);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"uid\":\"uid-1\",",
        "\"workload\":\"job-train-12345\",",
        "\"localQueue\":\"queue\",",
        "\"clusterQueue\":\"research\",",
        "\"type\":\"QuotaReserved\",",
        "\"quotaReservedTime\":\"2026-01-01T10:00:00.123456789Z\","
      })
  void whatIsMissingIsSaid(String part) {
    String text = Json.text(NoteJson.write(note(EDITOR.snapshot(job()))));
    assertThat(text).contains(part);
    String field = Pattern.compile("\"(\\w+)\".*").matcher(part).replaceFirst("$1");

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> NoteJson.read("default", Json.parse(text.replaceFirst(Pattern.quote(part), ""))))
        .withMessageContaining(field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "3", "{", "null", "{\"uid\":7}"})
  void whatIsNoNoteIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NoteJson.read("default", Json.parse(text)));
  }
}
