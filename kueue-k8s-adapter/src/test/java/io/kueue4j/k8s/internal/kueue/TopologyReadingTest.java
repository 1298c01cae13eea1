package io.kueue4j.k8s.internal.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.pod.PodTemplates;
import org.junit.jupiter.api.Test;

/** Topologies, nodes, topology requests and topology assignments in manifests. */
class TopologyReadingTest {
  private static final String WORKLOAD = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: w, namespace: ns}
      spec:
        queueName: q
        podSets:
        - name: main
          count: 4
          topologyRequest: %s
          template:
            spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}
      """;

  private static Manifests read(String text) {
    return ManifestReader.create().read(ManifestSource.of("test.yaml", text));
  }

  private static ConfigObject config(String text) {
    return read(text).configObjects().get(0);
  }

  private static ImportedWorkload workload(String text) {
    return new WorkloadReader(PodTemplates.plain()).read(read(text).items().get(0));
  }

  private static TopologyRequest request(String request) {
    return workload(WORKLOAD.formatted(request)).workload().podSets().get(0).topologyRequest();
  }

  private static TopologyAssignment assignment(String assignment) {
    PodSetAssignment podSet = workload(WORKLOAD.formatted("{}") + """
      status:
        conditions: [{type: QuotaReserved, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]
        admission:
          clusterQueue: cq
          podSetAssignments:
          - name: main
            count: 4
            flavors: {cpu: tas}
            resourceUsage: {cpu: 4}
            topologyAssignment: %s
      """.formatted(assignment))
        .admission()
        .orElseThrow()
        .podSetAssignments()
        .get(0);
    return podSet.topologyAssignment().orElseThrow();
  }

  @Test
  void aTopologyHasItsLevelsCoarsestFirst() {
    assertThat(config("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: Topology
        metadata: {name: dc}
        spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
        """)).isEqualTo(Topology.of("dc", "rack", "kubernetes.io/hostname"));
  }

  @Test
  void aNodeIsWhatConcernsPlacement() {
    assertThat(config("""
        apiVersion: v1
        kind: Node
        metadata: {name: "n", labels: {rack: r}}
        spec: {unschedulable: true, taints: [{key: k, value: v, effect: NoExecute}]}
        status:
          allocatable: {cpu: 1500m, memory: 1Gi, pods: "110"}
          conditions: [{type: Ready, status: "True"}, {type: DiskPressure, status: "False"}]
        """))
        .isEqualTo(Node.builder()
            .name("n")
            .putLabels("rack", "r")
            .unschedulable(true)
            .addTaints(new Taint("k", "v", Taint.Effect.NO_EXECUTE))
            .allocatableAmount("cpu", 1500)
            .allocatableAmount("memory", 1L << 30)
            .allocatableAmount("pods", 110)
            .build());
  }

  @Test
  void aNodeThatDoesNotSayThatItIsReadyIsNot() {
    assertThat(((Node) config("{apiVersion: v1, kind: Node, metadata: {name: n1}}")).ready())
        .isFalse();
  }

  @Test
  void requestsNameLevelsAndSlices() {
    assertThat(request("{required: rack}")).isEqualTo(TopologyRequest.required("rack"));
    assertThat(request("{preferred: rack}")).isEqualTo(TopologyRequest.preferred("rack"));
    assertThat(request("{unconstrained: true}")).isEqualTo(TopologyRequest.anywhere());
    assertThat(request("{required: block, podSetSliceRequiredTopology: rack, podSetSliceSize: 2}"))
        .isEqualTo(TopologyRequest.builder()
            .required("block")
            .sliceTopology("rack")
            .sliceSize(2)
            .build());
    assertThat(request("{podsetSliceRequiredTopologyConstraints: [{topology: rack, size: 4},"
            + " {topology: host, size: 2}]}"))
        .isEqualTo(TopologyRequest.builder()
            .addSliceConstraints(new SliceConstraint("rack", 4), new SliceConstraint("host", 2))
            .build());
  }

  @Test
  void assignmentsListDomains() {
    assertThat(assignment("{levels: [block, rack], domains: [{values: [b, r], count: 4}]}"))
        .isEqualTo(new TopologyAssignment(
            ImmutableList.of("block", "rack"),
            ImmutableList.of(new Domain(ImmutableList.of("b", "r"), 4))));
  }

  @Test
  void assignmentsShareWhatDomainsHaveInCommon() {
    assertThat(assignment("""
        {levels: [block, rack], slices: [{domainCount: 2, valuesPerLevel: [{universal: b},
          {individual: {prefix: r-, suffix: -x, roots: ["1", "2"]}}], podCounts: {universal: 2}}]}
        """.strip().replace("\n", " ")))
        .isEqualTo(new TopologyAssignment(
            ImmutableList.of("block", "rack"),
            ImmutableList.of(
                new Domain(ImmutableList.of("b", "r-1-x"), 2),
                new Domain(ImmutableList.of("b", "r-2-x"), 2))));
  }

  @Test
  void hostsTellDomainsApartAlone() {
    assertThat(assignment(
            "{levels: [rack, kubernetes.io/hostname]," + " domains: [{values: [r, h], count: 4}]}"))
        .isEqualTo(new TopologyAssignment(
            ImmutableList.of("kubernetes.io/hostname"),
            ImmutableList.of(new Domain(ImmutableList.of("h"), 4))));
  }

  @Test
  void aDomainWithoutAllItsValuesIsAnError() {
    assertThatThrownBy(
            () -> assignment("{levels: [block, rack], domains: [{values: [b], count: 4}]}"))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("expected one value for each of the levels [block, rack]");
    assertThatThrownBy(() -> assignment("{levels: [rack], domains: [{values: [b], count: 0}]}"))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("0 pods; expected 1 or more");
    assertThatThrownBy(() -> assignment("{levels: []}"))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("expected the levels that domains are named by");
  }
}
