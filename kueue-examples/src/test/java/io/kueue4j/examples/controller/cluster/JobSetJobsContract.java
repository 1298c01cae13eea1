package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What the JobSet controller does to the Jobs of a JobSet, and says about them. */
interface JobSetJobsContract {
  /** {@return the server} */
  Api api();

  /** Lets the JobSet controller work on a JobSet until a condition holds. */
  void await(GenericKubernetesResource jobSet, BooleanSupplier condition);

  /** {@return the spec of a JobSet with one Job} */
  private static String spec(boolean suspend, String metadata, String directives) {
    return """
        {"suspend": %s, "replicatedJobs": [{"name": "main", "replicas": 1, "groupName": "default",
          "template": {"spec": {"completionMode": "Indexed", "parallelism": 1, "completions": 1,
            "template": {"metadata": %s, "spec": {"restartPolicy": "Never",
              "containers": [{"name": "main", "image": "x"}]%s}}}}}]}
        """.formatted(suspend, metadata, directives);
  }

  private GenericKubernetesResource create(String name) {
    return api()
        .create(Trees.toObject(
            Trees.parse("""
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
             "metadata": {"name": "%s", "namespace": "default"}, "spec": %s}
            """.formatted(name, spec(true, "{}", ""))),
            GenericKubernetesResource.class));
  }

  /** Changes the spec, and waits until the Job of the JobSet is as suspended. */
  private Job change(
      GenericKubernetesResource jobSet, boolean suspend, String metadata, String directives) {
    api().mergePatch(jobSet, "{\"spec\": " + spec(suspend, metadata, directives) + "}");
    return awaitJob(jobSet, suspend);
  }

  private Job awaitJob(GenericKubernetesResource jobSet, boolean suspend) {
    Job job = JobStatusContract.job(jobSet.getMetadata().getName() + "-main-0");
    await(
        jobSet,
        () -> api()
            .get(job)
            .filter(stored -> ((Job) stored).getSpec().getSuspend() == suspend)
            .isPresent());
    return api().reload(job);
  }

  private void awaitCounts(
      GenericKubernetesResource jobSet, int active, int suspended, int succeeded) {
    await(jobSet, () -> {
      JsonNode counts = Trees.of(api().reload(jobSet)).at("/status/replicatedJobsStatus/0");
      return counts.path("active").asInt() == active
          && counts.path("suspended").asInt() == suspended
          && counts.path("succeeded").asInt() == succeeded;
    });
  }

  private void awaitCondition(GenericKubernetesResource jobSet, String type, String status) {
    await(jobSet, () -> {
      for (JsonNode condition : Trees.of(api().reload(jobSet)).at("/status/conditions")) {
        if (condition.path("type").asText().equals(type)) {
          return condition.path("status").asText().equals(status);
        }
      }
      return false;
    });
  }

  private Job running(Job job) {
    return api()
        .replaceStatus(job.toBuilder()
            .editStatus()
            .withStartTime("2026-01-01T00:00:00Z")
            .withActive(1)
            .withReady(1)
            .endStatus()
            .build());
  }

  @Test
  default void aJobKeepsTheDirectivesOfEarlierStarts() {
    GenericKubernetesResource jobSet = create("kept");
    Job created = awaitJob(jobSet, true);
    assertThat(created.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(
            owner -> assertThat(owner.getUid()).isEqualTo(jobSet.getMetadata().getUid()));

    Job first = change(
        jobSet,
        false,
        "{\"labels\": {\"both\": \"1\", \"first\": \"1\"}, \"annotations\": {\"first\": \"1\"}}",
        """
        , "nodeSelector": {"pool": "a", "both": "1"}, "schedulingGates": [{"name": "example.com/first"}],
          "tolerations": [{"key": "first", "operator": "Exists"}]""");
    assertThat(first.getSpec().getTemplate().getSpec().getNodeSelector())
        .containsOnly(entry("pool", "a"), entry("both", "1"));
    running(first);

    // The template of a Job that was started does not change while it is suspended.
    Job stopped = change(jobSet, true, "{}", "");
    assertThat(stopped.getSpec().getTemplate()).isEqualTo(first.getSpec().getTemplate());

    Job second = change(
        jobSet,
        false,
        "{\"labels\": {\"both\": \"2\"}, \"annotations\": {\"second\": \"2\"}}",
        """
        , "nodeSelector": {"zone": "z", "both": "2"}, "schedulingGates": [{"name": "example.com/second"}],
          "tolerations": [{"key": "second", "operator": "Exists"}]""");
    assertThat(second.getMetadata().getUid()).isEqualTo(created.getMetadata().getUid());
    assertThat(second.getStatus().getStartTime()).isNull();
    PodTemplateSpec template = second.getSpec().getTemplate();
    assertThat(template.getMetadata().getLabels())
        .contains(entry("first", "1"), entry("both", "2"));
    assertThat(template.getMetadata().getAnnotations())
        .contains(entry("first", "1"), entry("second", "2"));
    assertThat(template.getSpec().getNodeSelector())
        .containsOnly(entry("pool", "a"), entry("zone", "z"), entry("both", "2"));
    assertThat(template.getSpec().getTolerations())
        .extracting(Toleration::getKey)
        .containsExactlyInAnyOrder("first", "second");
    assertThat(template.getSpec().getSchedulingGates())
        .extracting(PodSchedulingGate::getName)
        .containsExactlyInAnyOrder("example.com/first", "example.com/second");
  }

  @Test
  default void aJobIsCountedAsSuspendedBeforeItsPodsHaveEnded() {
    GenericKubernetesResource jobSet = create("counted");
    awaitJob(jobSet, true);
    awaitCounts(jobSet, 0, 1, 0);
    awaitCondition(jobSet, "Suspended", "True");

    Job started = change(jobSet, false, "{}", "");
    awaitCondition(jobSet, "Suspended", "False");
    running(started);
    awaitCounts(jobSet, 1, 0, 0);

    change(jobSet, true, "{}", "");
    awaitCounts(jobSet, 1, 1, 0);
    awaitCondition(jobSet, "Suspended", "True");
  }

  @Test
  default void aJobSetHasCompletedWithItsJobs() {
    GenericKubernetesResource jobSet = create("completed");
    awaitJob(jobSet, true);
    Job job = running(change(jobSet, false, "{}", ""));
    awaitCounts(jobSet, 1, 0, 0);

    Job unused = api().replaceStatus(Statuses.completed(job, Instant.now()));
    awaitCondition(jobSet, "Completed", "True");
    awaitCounts(jobSet, 0, 0, 1);
  }
}
