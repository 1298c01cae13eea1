package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import org.junit.jupiter.api.Test;

class PhaseDifferenceTest {
  private static final String QUEUE = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: q}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - {name: old, resources: [{name: cpu, nominalQuota: %d}]}
          - {name: new, resources: [{name: cpu, nominalQuota: %d}]}
      """;

  private static final String OTHERS = """
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: old}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: new}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q},
       spec: {clusterQueue: q}}
      """;

  private static Manifests manifests(String text) {
    return ManifestFiles.readSources(ImmutableList.of(ManifestSource.of("text", text)));
  }

  private static String job(String name, int cpu) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: q}}
        spec:
          template:
            spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: %d}}}]}
        """.formatted(name, cpu);
  }

  private static ManifestPlayer player(int oldCores, int newCores) {
    ManifestPlayer player = ManifestPlayer.of(
        manifests(QUEUE.formatted(oldCores, newCores) + OTHERS + job("a", 2) + job("b", 2)));
    player.jobs().forEach(player::create);
    return player;
  }

  @Test
  void quotaThatNobodyUsesMakesNoDifference() {
    ManifestPlayer player = ManifestPlayer.of(manifests(
        QUEUE.formatted(4, 0).replaceFirst("(?m)^ *- .name: new.*\n", "") + OTHERS + job("a", 2)));
    player.jobs().forEach(player::create);
    Phase before = player.phase("before");
    player.apply(manifests(QUEUE.formatted(8, 8)));

    assertThat(PhaseDifference.between(before, player.phase("after")).isEmpty()).isTrue();
  }

  @Test
  void whatStartsIsADifferenceOfItsQueue() {
    ManifestPlayer player = player(2, 0);
    Phase before = player.phase("before");
    player.apply(manifests(QUEUE.formatted(2, 2)));

    PhaseDifference difference = PhaseDifference.between(before, player.phase("after"));

    assertThat(difference.jobs()).extracting(job -> job.after().job().name()).containsExactly("b");
    assertThat(difference.clusterQueues())
        .extracting(PhaseDifference.QueueChange::name)
        .containsExactly("q");
  }

  /** The job runs before and after, and uses as much. */
  @Test
  void anotherFlavorIsADifference() {
    PhaseDifference difference =
        PhaseDifference.between(player(4, 0).phase("old"), player(0, 4).phase("new"));

    assertThat(difference.jobs())
        .extracting(job -> job.after().job().name())
        .containsExactly("a", "b");
    assertThat(difference.jobs()).allSatisfy(job -> assertThat(job.reasons()).isEmpty());
    assertThat(difference.clusterQueues()).hasSize(1);
  }
}
