package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Violation;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchJobKindTest {
  private static final BatchJobKind KIND = new BatchJobKind();

  private static Job counts(Integer parallelism, Integer completions) {
    return Jobs.job()
        .editSpec()
        .withParallelism(parallelism)
        .withCompletions(completions)
        .endSpec()
        .build();
  }

  private static Job status(JobStatusBuilder status) {
    return Jobs.job().withStatus(status.build()).build();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"3,3,3", "3,-,3", "5,2,2", "2,5,2", "-,-,1", "-,4,1", "0,3,0"})
  void hasOnePodPerSlot(Integer parallelism, Integer completions, int expected) {
    assertThat(KIND.podSets(counts(parallelism, completions))).singleElement().satisfies(podSet -> {
      assertThat(podSet.name()).isEqualTo("main");
      assertThat(podSet.path()).isEqualTo("spec.template");
      assertThat(podSet.count()).isEqualTo(expected);
      assertThat(podSet.minCount()).isEmpty();
      assertThat(podSet.counts()).isEmpty();
    });
  }

  @Test
  void aJobWithoutSpecIsOfOnePodThatIsNotDescribed() {
    assertThat(KIND.podSets(new Job()).get(0).count()).isEqualTo(1);
    assertThat(KIND.podSets(new Job()).get(0).template().getSpec()).isNull();
    assertThat(KIND.isSuspended(new Job())).isFalse();
    assertThat(KIND.withSuspend(new Job(), true).getSpec().getSuspend()).isTrue();
  }

  @Test
  void isSuspendedOnceStoppingIsOver() {
    assertThat(KIND.isSuspended(Jobs.job().build())).isTrue();
    Job stopping = Jobs.annotated(MetadataKeys.STOPPING, "true");
    assertThat(KIND.isSuspended(stopping)).isFalse();
    assertThat(KIND.isSuspended(KIND.withSuspend(stopping, true))).isTrue();
    assertThat(
            KIND.isSuspended(Jobs.job().editSpec().withSuspend(null).endSpec().build()))
        .isFalse();
  }

  @Test
  void takesFewerPodsIfAnnotated() {
    JobPodSet podSet =
        KIND.podSets(Jobs.annotated(MetadataKeys.JOB_MIN_PARALLELISM, "2")).get(0);
    assertThat(podSet.minCount()).hasValue(2);
    assertThat(podSet.counts())
        .contains(new JobPodSet.Counts(OptionalInt.of(3), OptionalInt.of(3)));
    assertThat(KIND.violations(Jobs.annotated(MetadataKeys.JOB_MIN_PARALLELISM, "2")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "3", "4", "two", "", "99999999999"})
  void theMinimumIsBetweenNoneAndAll(String minimum) {
    assertThat(KIND.violations(Jobs.annotated(MetadataKeys.JOB_MIN_PARALLELISM, minimum)))
        .containsExactly(new Violation(
            "Job team-a/train",
            "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]",
            "\"" + minimum + "\"; expected an integer above 0 and below the number of pods, 3"));
  }

  @Test
  void anElasticJobHasNoMinimum() {
    assertThat(KIND.violations(Jobs.annotated(
            MetadataKeys.JOB_MIN_PARALLELISM, "1", MetadataKeys.ELASTIC_JOB, "true")))
        .singleElement()
        .asString()
        .contains("not together with kueue.x-k8s.io/elastic-job");
  }

  @Test
  void completionsFollowParallelismOfIndexedJobsOnly() {
    Job job = Jobs.annotated(MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM, "true");
    assertThat(KIND.violations(job)).singleElement().asString().contains("completionMode Indexed");
    JobBuilder indexed =
        new JobBuilder(job).editSpec().withCompletionMode("Indexed").endSpec();
    assertThat(KIND.violations(indexed.build())).isEmpty();
    assertThat(KIND.violations(indexed.editSpec().withCompletions(5).endSpec().build()))
        .extracting(Violation::field)
        .containsExactly("spec.completions");
    assertThat(
            KIND.violations(Jobs.annotated(MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM, "yes")))
        .singleElement()
        .asString()
        .contains("\"yes\"; expected true or false");
  }

  @Test
  void resizingChangesCompletionsOnlyIfTheyFollow() {
    Job job = Jobs.annotated(MetadataKeys.JOB_MIN_PARALLELISM, "1");
    assertThat(KIND.resize(job, KIND.podSets(job).get(0), 2).counts())
        .contains(new JobPodSet.Counts(OptionalInt.of(2), OptionalInt.of(3)));
    Job following = Jobs.annotated(
        MetadataKeys.JOB_MIN_PARALLELISM, "1",
        MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM, "true");
    assertThat(KIND.resize(following, KIND.podSets(following).get(0), 2).counts())
        .contains(new JobPodSet.Counts(OptionalInt.of(2), OptionalInt.of(2)));
  }

  @Test
  void endsByItsConditions() {
    assertThat(KIND.outcome(Jobs.job().build())).isEmpty();
    assertThat(KIND.outcome(status(new JobStatusBuilder()
            .addNewCondition()
            .withType("Complete")
            .withStatus("False")
            .endCondition())))
        .isEmpty();
    assertThat(KIND.outcome(status(new JobStatusBuilder()
            .addNewCondition()
            .withType("SuccessCriteriaMet")
            .withStatus("True")
            .endCondition()
            .addNewCondition()
            .withType("Complete")
            .withStatus("True")
            .withMessage("done")
            .endCondition())))
        .contains(new JobKind.Outcome(true, "done"));
    assertThat(KIND.outcome(status(new JobStatusBuilder()
            .addNewCondition()
            .withType("Failed")
            .withStatus("True")
            .endCondition())))
        .contains(new JobKind.Outcome(false, ""));
  }

  @Test
  void isActiveAsLongAsPodsAre() {
    assertThat(KIND.isActive(Jobs.job().build())).isFalse();
    assertThat(KIND.isActive(status(new JobStatusBuilder().withActive(0)))).isFalse();
    assertThat(KIND.isActive(status(new JobStatusBuilder().withActive(1)))).isTrue();
  }

  @Test
  void podsAreReadyWhenTheyAreOrHaveSucceeded() {
    assertThat(KIND.podsReady(Jobs.job().build())).isFalse();
    assertThat(KIND.podsReady(status(new JobStatusBuilder().withReady(2)))).isFalse();
    assertThat(KIND.podsReady(status(new JobStatusBuilder()
            .withReady(1)
            .withSucceeded(1)
            .withNewUncountedTerminatedPods()
            .withSucceeded(List.of("uid"))
            .endUncountedTerminatedPods())))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"5,10,0,0", "5,10,5,0", "5,10,6,1", "5,10,10,5", "1,1,1,0", "5,5,7,5", "3,2,1,1"})
  void podsThatWillNotRunAgainAreReclaimable(
      int parallelism, int completions, int succeeded, int expected) {
    Job job = new JobBuilder(counts(parallelism, completions))
        .withNewStatus()
        .withSucceeded(succeeded)
        .endStatus()
        .build();
    assertThat(KIND.reclaimablePods(job))
        .isEqualTo(expected == 0 ? Map.of() : Map.of("main", expected));
  }

  @ParameterizedTest
  @CsvSource({"V0_19,5", "V0_19_7,1", "V0_20,1"})
  void finishedPodsCountAgainstThePodsOfAJob(KueueVersion version, int reclaimable) {
    Job job = Jobs.job()
        .editSpec()
        .withParallelism(8)
        .withCompletions(4)
        .endSpec()
        .withNewStatus()
        .withSucceeded(1)
        .endStatus()
        .build();
    assertThat(
            KIND.forSettings(Settings.builder().kueueVersion(version).build()).reclaimablePods(job))
        .containsExactly(Map.entry("main", reclaimable));
  }

  @Test
  void indexesOfIndexedJobsAreReclaimableAlsoWhenTheyFailed() {
    Job job = new JobBuilder(counts(4, 8))
        .editSpec()
        .withCompletionMode("Indexed")
        .endSpec()
        .withNewStatus()
        .withSucceeded(1)
        .withCompletedIndexes("0-3")
        .withFailedIndexes("3,4,9")
        .endStatus()
        .build();
    assertThat(KIND.reclaimablePods(job)).isEqualTo(Map.of("main", 1));
  }

  @ParameterizedTest
  @CsvSource({"63, 0", "64, 1"})
  void aNameHasSixtyThreeCharactersAtMost(int length, int violations) {
    Job job =
        Jobs.job().editMetadata().withName("a".repeat(length)).endMetadata().build();
    assertThat(KIND.violations(job)).hasSize(violations);
  }
}
