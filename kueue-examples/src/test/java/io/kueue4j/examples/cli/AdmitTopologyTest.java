package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code admit} with nodes, topologies and pods. */
final class AdmitTopologyTest {
  private static final String TPU = "001-tpu-multislice-jobset";
  private static final String GPU = "004-gpu-operator-binpack";
  private static final Object[] SLICES =
      files(TPU, "00-nodes.derived.yaml", "50-topology.yaml", "51-jobsets-topology.yaml");

  private static CommandLineRun run(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(with(new Object[] {"admit"}, arguments));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  @Test
  void eachSliceIsOnANodePoolOfItsOwn() {
    CommandLineRun run = run(SLICES);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("""
        NAME                NAMESPACE   QUEUE              CLUSTERQUEUE    STATUS     FLAVORS   REASON
        multislice-1slice   default     multislice-queue   cluster-queue   Admitted   vlp-24
        multislice-2slice   default     multislice-queue   cluster-queue   Admitted   vlp-24
        multislice-3slice   default     multislice-queue   cluster-queue   Pending    <none>    pod set slice: google.com/tpu in flavor vlp-24: requests 24, 0 available, 24 more needed (in use 24, nominal quota 24), and no workload may be preempted for it

        NAME                POD SET   PODS   DOMAINS
        multislice-1slice   slice     2      nodepool1-0=1 nodepool1-1=1
        multislice-2slice   slice     4      nodepool2-0=1 nodepool2-1=1 nodepool3-0=1 nodepool3-1=1

        NAME            COHORT   PENDING WORKLOADS   ADMITTED WORKLOADS   USAGE
        cluster-queue   <none>   1                   2                    vlp-24: google.com/tpu 24/24
        """);
  }

  @Test
  void theDomainsAreInTheJsonToo() {
    Admit admit = Admit.json(SLICES);
    assertThat(admit.job(0, "multislice-1slice").at("/podSets/0/topologyAssignment"))
        .isEqualTo(Admit.parse("""
            {"levels": ["kubernetes.io/hostname"], "domains": [
              {"values": ["nodepool1-0"], "count": 1}, {"values": ["nodepool1-1"], "count": 1}]}
            """));
    assertThat(admit
            .job(0, "multislice-3slice")
            .at("/podSets/0/topologyAssignment")
            .isNull())
        .isTrue();
  }

  @Test
  void nodesSayWhyThereIsNoPlaceThoughThereIsQuota() {
    Admit admit = Admit.json(with(
        with(SLICES, files(TPU, "52-cordoned-node.yaml")),
        "--order",
        "multislice-3slice,multislice-2slice"));
    assertThat(admit.names(0, "Pending")).containsExactly("multislice-3slice", "multislice-1slice");
    assertThat(admit.reasons(0, "multislice-3slice"))
        .contains("topology \\\"tpu-slices\\\" allows to fit only 2 out of 3 slice(s)");
    assertThat(admit.names(0, "Admitted")).containsExactly("multislice-2slice");
  }

  @Test
  void podsThatNoQueueKnowsTakeWhatTheyTake() {
    Object[] spread = files(GPU, "60-topology.yaml", "61-pods-spread.yaml", "63-job.yaml");
    Admit admit = Admit.json(spread);
    assertThat(admit.names(0, "Pending")).containsExactly("two-more");
    assertThat(admit.reasons(0, "two-more"))
        .contains("topology \\\"gpu-hosts\\\" doesn't allow to fit any of 1 pod(s). Total nodes: 2;"
            + " excluded: resource \\\"nvidia.com/gpu\\\": 2");
    assertThat(admit.queue(0).at("/usage/gpu-nodes/nvidia.com~1gpu").asText()).isEqualTo("0");
    assertThat(run(spread).err()).isEmpty();
  }

  @Test
  void placedDifferentlyTheyLeaveRoom() {
    Admit admit = Admit.json(files(GPU, "60-topology.yaml", "62-pods-packed.yaml", "63-job.yaml"));
    assertThat(admit.names(0, "Admitted")).containsExactly("two-more");
    assertThat(admit.job(0, "two-more").at("/podSets/0/topologyAssignment/domains"))
        .isEqualTo(Admit.parse("[{\"values\": [\"n2\"], \"count\": 1}]"));
  }

  @Test
  void aWhatIfMayMovePods() {
    CommandLineRun run = run(with(
        files(GPU, "60-topology.yaml", "61-pods-spread.yaml", "63-job.yaml"),
        with(new Object[] {"--what-if"}, files(GPU, "62-pods-packed.yaml"))));
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("two-more").contains("Pending -> Admitted");
  }

  @Test
  void podsThatDoNotCountAreNoted(@TempDir Path folder) throws IOException {
    String pod = """
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, annotations: {%s}}
        spec: {nodeName: %s, containers: [{name: c, resources: {requests: {cpu: %s}}}]}
        """;
    Path file = Files.writeString(
        folder.resolve("pods.yaml"),
        pod.formatted("a", "", "\"\"", 1)
            + pod.formatted("b", "", "n9", 1)
            + pod.formatted("c", "kueue.x-k8s.io/podset-required-topology: rack", "n1", 1));
    assertThat(run(file).errLines("warning: "))
        .satisfiesExactly(
            line -> assertThat(line).endsWith("that neither is bound to a node nor names a queue"),
            line -> assertThat(line)
                .endsWith("there is no Node n9; what the pod takes does not" + " count"),
            line -> assertThat(line)
                .endsWith("a pod that admission places counts with the job that it belongs to"));

    Files.writeString(file, pod.formatted("a", "", "n1", "x"));
    CommandLineRun run = CommandLineRun.of("admit", file);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .contains("pods.yaml: document 1, line 5", "requests.cpu", "\"x\" is not a quantity");
  }

  @Test
  void manyDomainsAreCountedUnlessAllAreAskedFor() {
    TopologyAssignment many = new TopologyAssignment(
        ImmutableList.of("rack"),
        IntStream.range(0, 10)
            .mapToObj(i -> new TopologyAssignment.Domain(ImmutableList.of("r" + i), 2))
            .collect(ImmutableList.toImmutableList()));
    assertThat(PlacesReport.domains(many, false))
        .isEqualTo("r0=2 r1=2 r2=2 r3=2 r4=2 r5=2 r6=2 r7=2 and 2 more");
    assertThat(PlacesReport.domains(many, true)).endsWith("r8=2 r9=2");
  }
}
