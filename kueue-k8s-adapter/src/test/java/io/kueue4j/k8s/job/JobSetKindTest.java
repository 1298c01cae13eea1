package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobSetKindTest {
  private static final JobSetKind KIND = new JobSetKind();
  private static final JobSet TRAIN =
      Jobs.jobSet(Jobs.replicated("Driver", 1, null), Jobs.replicated("workers", 3, 4));

  private static JobSet.ReplicatedJobStatus status(
      String name, int ready, int succeeded, int active) {
    return new JobSet.ReplicatedJobStatus(name, ready, succeeded, 0, active, 0, Map.of());
  }

  private static JobSet withJobs(JobSet.ReplicatedJobStatus... statuses) {
    return TRAIN.withStatus(new JobSet.JobSetStatus(List.of(), List.of(statuses), Map.of()));
  }

  private static JobSet withCondition(String type, String value) {
    return TRAIN.withStatus(new JobSet.JobSetStatus(
        List.of(new ConditionBuilder()
            .withType(type)
            .withStatus(value)
            .withMessage("m")
            .build()),
        List.of(),
        Map.of()));
  }

  @Test
  void hasOnePodSetPerReplicatedJob() {
    assertThat(KIND.podSets(TRAIN))
        .extracting(JobPodSet::name, JobPodSet::count, JobPodSet::path)
        .containsExactly(
            tuple("driver", 1, "spec.replicatedJobs[0].template.spec.template"),
            tuple("workers", 12, "spec.replicatedJobs[1].template.spec.template"));
  }

  @Test
  void replicasAreOneUnlessSaid() {
    JobSet.ReplicatedJob job =
        new JobSet.ReplicatedJob("a", null, Jobs.jobTemplate(5, Jobs.template("1")), Map.of());
    job.template().getSpec().setCompletions(2);
    assertThat(KIND.podSets(Jobs.jobSet(job)).get(0).count()).isEqualTo(2);
  }

  @Test
  void countsDoNotOverflow() {
    assertThat(KIND.podSets(Jobs.jobSet(Jobs.replicated("a", 1 << 20, 1 << 20)))
            .get(0)
            .count())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aJobThatIsNotDescribedHasAnEmptyTemplate() {
    JobSet jobSet = Jobs.jobSet(new JobSet.ReplicatedJob("a", 2, new JobTemplateSpec()));
    assertThat(KIND.podSets(jobSet).get(0).count()).isEqualTo(2);
    assertThat(KIND.podSets(jobSet).get(0).template().getSpec()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "18, 0", "19, 1"})
  void thereAreOneToEighteenReplicatedJobs(int count, int violations) {
    JobSet jobSet = Jobs.jobSet(IntStream.range(0, count)
        .mapToObj(i -> Jobs.replicated("job-" + i, 1, 1))
        .toArray(JobSet.ReplicatedJob[]::new));
    assertThat(KIND.violations(jobSet)).hasSize(violations);
  }

  @Test
  void suspends() {
    assertThat(KIND.isSuspended(TRAIN)).isTrue();
    assertThat(KIND.isSuspended(KIND.withSuspend(TRAIN, false))).isFalse();
    assertThat(KIND.isSuspended(TRAIN.withSpec(JobSet.JobSetSpec.EMPTY))).isFalse();
  }

  @Test
  void endsByItsConditions() {
    assertThat(KIND.outcome(TRAIN)).isEmpty();
    assertThat(KIND.outcome(withCondition("Suspended", "True"))).isEmpty();
    assertThat(KIND.outcome(withCondition("Failed", "False"))).isEmpty();
    assertThat(KIND.outcome(withCondition("Completed", "True")))
        .contains(new JobKind.Outcome(true, "m"));
    assertThat(KIND.outcome(withCondition("Failed", "True")))
        .contains(new JobKind.Outcome(false, "m"));
  }

  @Test
  void isActiveAsLongAsAnyJobIs() {
    assertThat(KIND.isActive(TRAIN)).isFalse();
    assertThat(KIND.isActive(withJobs(status("Driver", 0, 1, 0)))).isFalse();
    assertThat(KIND.isActive(withJobs(status("Driver", 0, 1, 0), status("workers", 0, 0, 1))))
        .isTrue();
  }

  @Test
  void podsAreReadyWhenAllJobsAre() {
    assertThat(KIND.podsReady(TRAIN)).isFalse();
    assertThat(KIND.podsReady(withJobs(status("Driver", 0, 1, 0), status("workers", 2, 0, 3))))
        .isFalse();
    assertThat(KIND.podsReady(withJobs(status("Driver", 0, 1, 0), status("workers", 2, 1, 2))))
        .isTrue();
    assertThat(KIND.podsReady(withJobs(status("Driver", 1, 1, 0), status("workers", 2, 1, 2))))
        .as("more than there are, of an earlier attempt")
        .isFalse();
  }

  @Test
  void podsOfSucceededJobsAreReclaimable() {
    assertThat(KIND.reclaimablePods(TRAIN)).isEmpty();
    assertThat(
            KIND.reclaimablePods(withJobs(status("Driver", 0, 1, 0), status("workers", 0, 2, 1))))
        .isEqualTo(Map.of("driver", 1, "workers", 8));
    assertThat(
            KIND.reclaimablePods(withJobs(status("Driver", 1, 0, 1), status("workers", 0, 4, 0))))
        .as("more successes than jobs are of an earlier attempt")
        .isEmpty();
  }
}
