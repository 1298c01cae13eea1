package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.dryrun.DryRun;
import io.kueue4j.examples.monitoring.MonitorView;
import io.kueue4j.examples.monitoring.MonitorView.WaitState;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import org.junit.jupiter.api.Test;

/** The content of a controller's page. */
class ControllerPageTest {
  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta1, kind: ResourceFlavor, metadata: {name: any}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta1, kind: LocalQueue, metadata: {name: team, namespace: default},
        spec: {clusterQueue: research}}
      """;

  private static String job(String name, String queue, String cpu) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
        spec:
          suspend: true
          template:
            spec: {containers: [{name: c, resources: {requests: {cpu: %s}}}]}
        """.formatted(name, queue, cpu);
  }

  private static MonitorView view(String manifests) {
    return ControllerPage.read(DryRun.play(
            ManifestReader.create().read(ManifestSource.of("objects.yaml", manifests)),
            ControllerOptions.defaults())
        .view());
  }

  @Test
  void jobsHaveTheirOwnNames() {
    MonitorView view = view(QUEUES + job("one", "team", "3") + job("two", "team", "2"));
    assertThat(view.running())
        .extracting(job -> job.job().toString())
        .containsExactly("Job default/one");
    assertThat(view.waiting()).singleElement().satisfies(job -> {
      assertThat(job.job()).hasToString("Job default/two");
      assertThat(job.clusterQueue()).isEqualTo("research");
      assertThat(job.texts()).singleElement().asString().contains("1 more needed");
    });
  }

  @Test
  void jobsThatNoQueueContainsAreShownToo() {
    MonitorView view = view(QUEUES + job("lost", "nowhere", "1") + job("wrong", "team", "\"-1\""));
    assertThat(view.waiting())
        .extracting(job -> job.job().name() + " " + job.localQueue(), MonitorView.Waiting::state)
        .containsExactlyInAnyOrder(
            tuple("lost nowhere", WaitState.NOT_QUEUED), tuple("wrong team", WaitState.REJECTED));
    assertThat(view.waiting()).allSatisfy(job -> assertThat(job.texts()).isNotEmpty());
  }

  @Test
  void aDelayedJobIsShownWithItsQueueAndTheEndOfTheDelay() {
    String annotations = """
        annotations: {kueue4j.io/restarts: '{"shortRuns": 4, "waitUntil": "2100-01-01T00:00:00Z"}'}
        """.strip();
    MonitorView view =
        view(QUEUES + job("one", "team", "3").replace("labels:", annotations + ", labels:"));
    assertThat(view.waiting()).singleElement().satisfies(job -> {
      assertThat(job.job()).hasToString("Job default/one");
      assertThat(job.state()).isEqualTo(WaitState.DELAYED);
      assertThat(job.localQueue()).isEqualTo("team");
      assertThat(job.clusterQueue()).isEqualTo("research");
      assertThat(job.texts()).singleElement().asString().contains("2100-01-01T00:00:00Z");
    });
  }
}
