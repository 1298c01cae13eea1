package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The behaviour of every API server of the tests for the status of Jobs. */
abstract class JobStatusContract {
  /** {@return the server} */
  public abstract Api api();

  static Job job(String name) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withSuspend(true)
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("main")
        .withImage("registry/sleep")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  static Job started(Api api, Job job) {
    Job running =
        api.replace(job.toBuilder().editSpec().withSuspend(false).endSpec().build());
    return api.replaceStatus(running.toBuilder()
        .withNewStatus()
        .withStartTime("2026-01-01T00:00:00Z")
        .withActive(1)
        .endStatus()
        .build());
  }

  @Test
  void theStartTimeOfAJobThatRunsStays() {
    Job running = started(api(), api().create(job("a")));

    assertThat(api()
            .refusal(() -> api()
                .replaceStatus(running.toBuilder()
                    .editStatus()
                    .withStartTime(null)
                    .endStatus()
                    .build()))
            .message())
        .contains("startTime cannot be removed for unsuspended job");
  }

  @Test
  void anEndCannotBeUndone() {
    Job complete = api()
        .replaceStatus(
            ended(started(api(), api().create(job("a"))), "SuccessCriteriaMet", "Complete"));

    assertThat(api()
            .refusal(() -> api()
                .replaceStatus(complete.toBuilder()
                    .editStatus()
                    .withConditions()
                    .endStatus()
                    .build()))
            .message())
        .contains("cannot disable the terminal Complete=True condition");
  }

  /** The status of a Job whose pods have finished, with these conditions. */
  private static Job ended(Job job, String... conditions) {
    List<JobCondition> all = new ArrayList<>();
    for (String type : conditions) {
      all.add(new JobConditionBuilder().withType(type).withStatus("True").build());
    }
    return job.toBuilder()
        .editStatus()
        .withActive(null)
        .withReady(null)
        .withCompletionTime(all.isEmpty() ? null : "2026-01-01T00:01:00Z")
        .withConditions(all)
        .endStatus()
        .build();
  }

  @Test
  void aJobEndsOnlyByAStatusThatMakesSense() {
    Job running = started(api(), api().create(job("a")));

    assertThat(refusalOfStatus(ended(running, "Complete")))
        .contains("Complete=True condition without the SuccessCriteriaMet=true condition");
    assertThat(refusalOfStatus(ended(running, "Failed")))
        .contains("Failed=True condition without the FailureTarget=true condition");
    Job complete = ended(running, "SuccessCriteriaMet", "Complete");
    assertThat(refusalOfStatus(
            complete.toBuilder().editStatus().withActive(1).endStatus().build()))
        .contains("active>0 is invalid for finished job");
    assertThat(refusalOfStatus(complete.toBuilder()
            .editStatus()
            .withCompletionTime(null)
            .endStatus()
            .build()))
        .contains("completionTime is required for Complete jobs");
    assertThat(refusalOfStatus(
            running.toBuilder().editStatus().withReady(2).endStatus().build()))
        .contains("cannot set more ready pods than active");
    Job neverStarted = api().create(job("b"));
    assertThat(refusalOfStatus(neverStarted.toBuilder()
            .withStatus(complete.getStatus())
            .editStatus()
            .withStartTime(null)
            .endStatus()
            .build()))
        .contains("startTime is required for finished job");

    assertThat(api().replaceStatus(complete).getStatus().getConditions()).hasSize(2);
  }

  private String refusalOfStatus(Job job) {
    return api().refusal(() -> api().replaceStatus(job)).message();
  }

  @Test
  void countsOfPodsThatHaveEndedOnlyGrow() {
    Job running = started(api(), api().create(job("a")));
    Job counted = api()
        .replaceStatus(running.toBuilder()
            .editStatus()
            .withSucceeded(1)
            .withFailed(1)
            .endStatus()
            .build());

    assertThat(refusalOfStatus(
            counted.toBuilder().editStatus().withFailed(0).endStatus().build()))
        .contains("cannot decrease the failed counter");
    assertThat(refusalOfStatus(
            counted.toBuilder().editStatus().withSucceeded(0).endStatus().build()))
        .contains("cannot decrease the succeeded counter");
  }

  @Test
  void theStartTimeOfAJobChangesByTheWriteThatSaysItResumes() {
    Job running = started(api(), api().create(job("a")));
    Job stopped =
        api().replace(running.toBuilder().editSpec().withSuspend(true).endSpec().build());
    Job suspended = api().replaceStatus(withSuspended(stopped, "True"));
    Job resumed = api()
        .replace(suspended.toBuilder().editSpec().withSuspend(false).endSpec().build());
    Job later = resumed.toBuilder()
        .editStatus()
        .withStartTime("2026-01-01T00:10:00Z")
        .endStatus()
        .build();

    assertThat(refusalOfStatus(later)).contains("startTime cannot be removed for unsuspended job");
    assertThat(api().replaceStatus(withSuspended(later, "False")).getStatus().getStartTime())
        .isEqualTo("2026-01-01T00:10:00Z");
  }

  private static Job withSuspended(Job job, String status) {
    return job.toBuilder()
        .editStatus()
        .withActive(null)
        .withConditions(
            new JobConditionBuilder().withType("Suspended").withStatus(status).build())
        .endStatus()
        .build();
  }
}
