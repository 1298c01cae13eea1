package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.ManifestSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterNodesTest {
  /** The node n exists, and so does the job. */
  @ParameterizedTest
  @CsvSource({
    "n,    none, false, ''",
    "n,    job,  false, ''",
    "gone, none, false, there is no Node gone; what the pod takes does not count",
    "gone, job,  false, there is no Node gone; what the pod takes does not count",
    "'',   none, true,  ''",
    "'',   job,  false, ''",
    "'',   none, false, not taken into account: Pod of v1 that neither is bound to a node nor",
  })
  void podsThatTakeNothingAreNamed(
      String node, String owner, boolean hasWorkload, String expected) {
    String objects = """
        {apiVersion: v1, kind: Node, metadata: {name: "n"}}
        ---
        {apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: p, ownerReferences: [{apiVersion: v1, kind: Job, name: %s, uid: u}]}
        spec: {nodeName: "%s", containers: [{name: c}]}
        """.formatted(owner, node);

    assertThat(ClusterNodes.warnings(
            ManifestFiles.readSources(ImmutableList.of(ManifestSource.of("objects", objects))),
            pod -> hasWorkload))
        .extracting(issue -> issue.message())
        .allSatisfy(problem -> assertThat(problem).startsWith(expected))
        .hasSize(expected.isEmpty() ? 0 : 1);
  }
}
