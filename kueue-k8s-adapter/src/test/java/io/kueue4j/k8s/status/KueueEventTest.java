package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.KueueObjects.object;
import static io.kueue4j.k8s.status.TestEngine.START;
import static io.kueue4j.k8s.status.TestEngine.id;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Events as objects, and the events of jobs. */
class KueueEventTest {
  private final Job job = new JobBuilder()
      .withNewMetadata()
      .withName("train")
      .withNamespace("team")
      .withUid("uid-1")
      .withResourceVersion("7")
      .endMetadata()
      .build();

  @Test
  void isAnObjectOfTheCoreGroup() {
    Event event = KueueEvent.stopped("Preempted").toEvent(job, START.plusMillis(999));

    assertThat(event.getApiVersion()).isEqualTo("v1");
    assertThat(event.getKind()).isEqualTo("Event");
    assertThat(event.getMetadata().getNamespace()).isEqualTo("team");
    assertThat(event.getMetadata().getName()).matches("train\\.[0-9a-f]{16}");
    assertThat(event.getInvolvedObject().getApiVersion()).isEqualTo("batch/v1");
    assertThat(event.getInvolvedObject().getKind()).isEqualTo("Job");
    assertThat(event.getInvolvedObject().getNamespace()).isEqualTo("team");
    assertThat(event.getInvolvedObject().getName()).isEqualTo("train");
    assertThat(event.getInvolvedObject().getUid()).isEqualTo("uid-1");
    assertThat(event.getInvolvedObject().getResourceVersion()).isEqualTo("7");
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getReason()).isEqualTo("Stopped");
    assertThat(event.getMessage()).isEqualTo("Preempted");
    assertThat(event.getSource().getComponent()).isEqualTo("kueue-job-controller");
    assertThat(event.getReportingComponent()).isEqualTo("kueue-job-controller");
    assertThat(event.getFirstTimestamp()).isEqualTo("2026-01-31T12:00:00Z");
    assertThat(event.getLastTimestamp()).isEqualTo("2026-01-31T12:00:00Z");
    assertThat(event.getCount()).isEqualTo(1);
  }

  @Test
  void ofAnObjectWithoutNamespaceIsInTheDefaultOne() {
    Event event = KueueEvent.stopped("m")
        .toEvent(
            object(
                "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: cq}}"),
            START);
    assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
    assertThat(event.getInvolvedObject().getNamespace()).isNull();
  }

  @Test
  void hasANameThatFollowsFromWhatItSaysAndWhen() {
    String name = KueueEvent.stopped("m").toEvent(job, START).getMetadata().getName();
    assertThat(KueueEvent.stopped("m").toEvent(job, START).getMetadata().getName())
        .isEqualTo(name);
    assertThat(Stream.of(
                KueueEvent.stopped("other").toEvent(job, START),
                KueueEvent.stopped("m").toEvent(job, START.plusSeconds(1)),
                KueueEvent.errWorkloadCompose("m").toEvent(job, START))
            .map(event -> event.getMetadata().getName()))
        .doesNotContain(name)
        .doesNotHaveDuplicates();
    Job longName = new JobBuilder(job)
        .editMetadata()
        .withName("x".repeat(253))
        .endMetadata()
        .build();
    assertThat(KueueEvent.stopped("m").toEvent(longName, START).getMetadata().getName())
        .hasSize(253);
  }

  @Test
  void isCutWhereTheServerWouldRefuseIt() {
    String exact = "m".repeat(1024);
    assertThat(KueueEvent.stopped(exact).message()).isEqualTo(exact);
    assertThat(KueueEvent.stopped(exact + "m").message()).hasSize(1024).endsWith("m ...");
    String wide = KueueEvent.stopped("€😀".repeat(400)).message();
    assertThat(Utf8.encodedLength(wide)).isBetween(1016, 1024);
    assertThat(wide).endsWith(" ...");
    assertThat(KueueEvent.stopped("a\uD83Db").message()).isEqualTo("a\uFFFDb");
  }

  @Test
  void ofJobsHaveKueuesReasons() {
    Admission admission = Admission.builder()
        .workload(id("w"))
        .clusterQueue("cq")
        .quotaReservedTime(START)
        .build();
    assertThat(Stream.of(
                KueueEvent.createdWorkload(id("w")),
                KueueEvent.updatedWorkload(id("w")),
                KueueEvent.deletedWorkload(id("w")),
                KueueEvent.started(admission),
                KueueEvent.stopped("why"),
                KueueEvent.suspendedChild(),
                KueueEvent.finishedWorkload(id("w")),
                KueueEvent.errWorkloadCompose("why"),
                KueueEvent.workloadPriorityClassNotFound("high"),
                KueueEvent.jobNestingTooDeep("why"),
                KueueEvent.deleted())
            .map(event -> event.type() + " " + event.reason() + ": " + event.message()))
        .containsExactly(
            "Normal CreatedWorkload: Created Workload: ns/w",
            "Normal UpdatedWorkload: Updated not matching Workload for suspended job: ns/w",
            "Normal DeletedWorkload: Deleted not matching Workload: ns/w",
            "Normal Started: Admitted by clusterQueue cq",
            "Normal Stopped: why",
            "Normal Suspended: Kueue managed child job suspended",
            "Normal FinishedWorkload: Workload 'ns/w' is declared finished",
            "Warning ErrWorkloadCompose: why",
            "Warning WorkloadPriorityClassNotFound: WorkloadPriorityClass \"high\" not found",
            "Warning JobNestingTooDeep: why",
            "Normal Deleted: Deleted job: deactivation retention period expired");
  }

  @Test
  void checksThatSpeakAreQuoted() {
    List<AdmissionCheckState> checks = ImmutableList.of(
        AdmissionCheckState.builder()
            .name("a")
            .state(CheckState.PENDING)
            .message("asked for")
            .build(),
        AdmissionCheckState.of("b", CheckState.PENDING),
        AdmissionCheckState.builder()
            .name("c")
            .state(CheckState.READY)
            .message("done")
            .build(),
        AdmissionCheckState.builder()
            .name("d")
            .state(CheckState.PENDING)
            .message("later")
            .build());
    assertThat(KueueEvent.updatedAdmissionCheck(
            WorkloadStatus.builder().addAllAdmissionChecks(checks).build()))
        .hasValueSatisfying(event -> {
          assertThat(event.reason()).isEqualTo("UpdatedAdmissionCheck");
          assertThat(event.message()).isEqualTo("a: asked for; d: later");
        });
    assertThat(KueueEvent.updatedAdmissionCheck(WorkloadStatus.empty())).isEmpty();
  }
}
