package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The output and pictures of {@code topology}. */
final class TopologyCommandTest {
  private static final String TPU = "001-tpu-multislice-jobset";
  private static final String GPU = "004-gpu-operator-binpack";
  private static final Object[] SPREAD = files(GPU, "60-topology.yaml", "61-pods-spread.yaml");
  private static final Object[] PACKED = files(GPU, "60-topology.yaml", "62-pods-packed.yaml");
  private static final Object TWO_MORE = files(GPU, "63-job.yaml")[0];

  @TempDir
  Path folder;

  private static CommandLineRun command(Object... arguments) {
    return CommandLineRun.of(with(new Object[] {"topology"}, arguments));
  }

  private static String run(Object... arguments) {
    CommandLineRun run = command(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  @Test
  void freeGpusMayBeOfNoUse() {
    assertThat(run(with(SPREAD, "--request", TWO_MORE))).isEqualTo("""
        TOPOLOGY gpu-hosts, flavor gpu-nodes: kubernetes.io/hostname
        DOMAIN   NODES   FREE nvidia.com/gpu   TAKEN BY
        all      2       2 of 8                others (nvidia.com/gpu 6)
          n1     1       1 of 4                others (nvidia.com/gpu 3)
          n2     1       1 of 4                others (nvidia.com/gpu 3)

        REQUEST two-more: 1 pod of main with nvidia.com/gpu 2, required kubernetes.io/hostname
          does not fit now
          because: pod set main: topology "gpu-hosts" doesn't allow to fit any of 1 pod(s). Total nodes: 2; excluded: resource "nvidia.com/gpu": 2
          largest number of pods of main that fits now: none
          would fit now if each pod of main asked for 1 of nvidia.com/gpu
        """);
  }

  @Test
  void placedDifferentlyTheyAre() {
    assertThat(run(with(PACKED, "--request", TWO_MORE))).endsWith("""
          n1     1       0 of 4                others (nvidia.com/gpu 4)
          n2     1       2 of 4                others (nvidia.com/gpu 2)

        REQUEST two-more: 1 pod of main with nvidia.com/gpu 2, required kubernetes.io/hostname
          fits now
          main goes to n2=1
          largest number of pods of main that fits now: 1
        """);
  }

  @Test
  void jobsTakeWhatTheyWereGiven() throws IOException {
    Path oneSlice = Files.writeString(
        folder.resolve("one.yaml"),
        Files.readString(Path.of(files(TPU, "51-jobsets-topology.yaml")[0].toString()))
            .split("\n---\n", -1)[0]);
    Object[] cluster = files(TPU, "00-nodes.derived.yaml", "50-topology.yaml");
    assertThat(run(with(cluster, oneSlice, "--request", files(TPU, "51-jobsets-topology.yaml")[0])))
        .startsWith("""
            TOPOLOGY tpu-slices, flavor vlp-24: cloud.google.com/gke-nodepool > kubernetes.io/hostname
            DOMAIN            NODES   FREE google.com/tpu   TAKEN BY
            all               6       16 of 24              multislice-1slice=2
              nodepool1       2       0 of 8                multislice-1slice=2
                nodepool1-0   1       0 of 4                multislice-1slice=1
                nodepool1-1   1       0 of 4                multislice-1slice=1
              nodepool2       2       8 of 8
            """)
        .contains("""
            REQUEST multislice-2slice: 4 pods of slice with google.com/tpu 4, slices of 2 in cloud.google.com/gke-nodepool
              fits now
              slice goes to nodepool2-0=1 nodepool2-1=1 nodepool3-0=1 nodepool3-1=1
              largest number of pods of slice that fits now: 4
            """)
        .contains("REQUEST multislice-3slice: 6 pods", "  does not fit now\n");
  }

  @Test
  void nodesThatCannotBeUsedAreNamed() throws IOException {
    String node = """
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {nvidia.com/gpu.present: "true"%s}}
        status: {allocatable: {nvidia.com/gpu: "4", pods: "9"}%s}
        """;
    Path nodes = Files.writeString(
        folder.resolve("nodes.yaml"),
        node.formatted("n7", ", kubernetes.io/hostname: n7", "")
            + node.formatted("n8", "", ", conditions: [{type: Ready, status: \"True\"}]"));
    assertThat(run(with(SPREAD, nodes))).contains("all      2       2 of 8").endsWith("""
            Not used: node n7, not ready
            Not used: node n8, without the label kubernetes.io/hostname

            """);
  }

  /** Two racks of two nodes, a queue that preempts lower priorities, and a job on all nodes. */
  private Path racks() throws IOException {
    StringBuilder text = new StringBuilder("""
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: dc},
          spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}]}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f},
          spec: {nodeLabels: {pool: p}, topologyName: dc}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q}
        spec:
          namespaceSelector: {}
          preemption: {withinClusterQueue: LowerPriority}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: f, resources: [{name: cpu, nominalQuota: 100}]}]
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q, namespace: default},
          spec: {clusterQueue: q}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high}, value: 9}
        """);
    for (int i = 0; i < 4; i++) {
      text.append("""
          ---
          apiVersion: v1
          kind: Node
          metadata: {name: n%d, labels: {pool: p, block: "b<1>", rack: r%d}}
          status:
            allocatable: {cpu: 4, pods: 10}
            conditions: [{type: Ready, status: "True"}]
          """.formatted(i, i / 2));
    }
    return Files.writeString(
        folder.resolve("racks.yaml"), text + job("low", 16, 1, "", "preferred-topology: block"));
  }

  private static String job(String name, int pods, int cpus, String label, String annotation) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: q%s}}
        spec:
          parallelism: %d
          completions: %d
          template:
            metadata: {annotations: {kueue.x-k8s.io/podset-%s}}
            spec: {containers: [{name: c, resources: {requests: {cpu: %d}}}]}
        """.formatted(name, label, pods, pods, annotation, cpus);
  }

  @Test
  void leavesOfOnePathAreOne() throws IOException {
    assertThat(run(racks())).isEqualTo("""
        TOPOLOGY dc, flavor f: block > rack
        DOMAIN   NODES   FREE cpu   TAKEN BY
        all      4       0 of 16    low=16
          b<1>   4       0 of 16    low=16
            r0   2       0 of 8     low=8
            r1   2       0 of 8     low=8

        """);
  }

  @Test
  void whatWouldHaveToStopIsNamed() throws IOException {
    Path high = Files.writeString(
        folder.resolve("high.yaml"),
        job("high", 2, 4, ", kueue.x-k8s.io/priority-class: high", "required-topology: rack"));
    assertThat(run(racks(), "--request", high)).contains("""
        REQUEST high: 2 pods of main with cpu 4, required rack
          fits when these have stopped: default/job-low-""").endsWith("""
          main goes to b<1>/r0=2
          largest number of pods of main that fits now: none
        """);
  }

  private Document picture(Object... arguments) throws Exception {
    Path svg = folder.resolve("picture.svg");
    run(with(arguments, "--svg", svg));
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(Files.readString(svg))));
  }

  private static List<String> texts(Document picture) {
    NodeList nodes = picture.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  @Test
  void thePictureNamesDomainsAndJobs() throws Exception {
    assertThat(texts(picture(racks())))
        .contains(
            "Topology dc, flavor f: cpu, 0 of 16 free",
            "block > rack",
            "b<1>",
            "r0",
            "r1",
            "0 of 8 free",
            "low");
    assertThat(texts(picture(with(PACKED, "--request", TWO_MORE))))
        .contains("n2", "2 of 4 free", "pods that no queue knows", "where two-more would go");
    assertThat(texts(picture(with(SPREAD, "--resource", "cpu")))).contains("32 of 32 free");
  }

  @Test
  void barsAreAsLongAsWhatIsTaken() throws Exception {
    NodeList rectangles = picture(PACKED).getElementsByTagName("rect");
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < rectangles.getLength(); i++) {
      Element rectangle = (Element) rectangles.item(i);
      if (rectangle.getAttribute("height").equals("13")
          && rectangle.getAttribute("fill").equals("#8a8f98")) {
        taken.add(rectangle.getAttribute("width"));
      }
    }
    assertThat(taken).containsExactly("120.0", "60.0");
  }

  @Test
  void aRequestThatDoesNotFitIsDrawnWithTheRoomThatThereIs() throws Exception {
    Path large = Files.writeString(
        folder.resolve("large.yaml"), job("large", 3, 3, "", "required-topology: rack"));
    Path small = Files.writeString(
        folder.resolve("small.yaml"), job("small", 5, 1, "", "preferred-topology: rack"));
    Path cluster = Files.writeString(
        folder.resolve("cluster.yaml"),
        Files.readString(racks()).split("---\n(?=apiVersion: batch)", -1)[0]);
    Document picture = picture(cluster, small, "--request", large);
    assertThat(texts(picture))
        .contains(
            "✕ large does not fit now",
            "requests 3 pods of main with cpu 3, required rack",
            "room for 3 of 3",
            "room for 1 of 3",
            "room for 2 of 3",
            "pods of main that have room, by free capacity alone",
            "no room for a pod of main")
        .doesNotContain("where large would go");
    assertThat(texts(picture(with(SPREAD, "--request", TWO_MORE))))
        .contains("✕ two-more does not fit now", "✕ room for 0 of 1");
    assertThat(titles(picture(with(SPREAD, "--request", TWO_MORE))))
        .contains("1 nvidia.com/gpu short of one pod");
  }

  @Test
  void theReasonOfARequestThatDoesNotFitIsThatOfTheReport() throws Exception {
    String because = "because: ";
    String out = run(with(SPREAD, "--request", TWO_MORE));
    String reason = out.substring(out.indexOf(because) + because.length())
        .lines()
        .findFirst()
        .orElseThrow();
    assertThat(String.join(" ", texts(picture(with(SPREAD, "--request", TWO_MORE)))))
        .contains(reason);
  }

  private static List<String> titles(Document picture) {
    NodeList nodes = picture.getElementsByTagName("title");
    List<String> titles = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      titles.add(nodes.item(i).getTextContent());
    }
    return titles;
  }

  /** Boxes lie inside their enclosing box and do not overlap. */
  @Test
  void boxesDoNotOverlap() throws Exception {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      nodes.append("""
          ---
          apiVersion: v1
          kind: Node
          metadata: {name: m%d, labels: {pool: p, block: b%d, rack: rack%d}}
          status: {allocatable: {cpu: 4, pods: 10}, conditions: [{type: Ready, status: "True"}]}
          """.formatted(i, i % 7, i));
    }
    Path many = Files.writeString(folder.resolve("many.yaml"), nodes);
    Document picture = picture(racks(), many);
    NodeList rectangles = picture.getElementsByTagName("rect");
    List<int[]> leaves = new ArrayList<>();
    for (int i = 0; i < rectangles.getLength(); i++) {
      Element rectangle = (Element) rectangles.item(i);
      if (rectangle.getAttribute("rx").equals("4")) {
        leaves.add(new int[] {
          Integer.parseInt(rectangle.getAttribute("x")),
          Integer.parseInt(rectangle.getAttribute("y")),
          Integer.parseInt(rectangle.getAttribute("width")),
          Integer.parseInt(rectangle.getAttribute("height"))
        });
      }
    }
    assertThat(leaves).hasSize(62);
    int width = Integer.parseInt(picture.getDocumentElement().getAttribute("width"));
    int height = Integer.parseInt(picture.getDocumentElement().getAttribute("height"));
    for (int[] leaf : leaves) {
      assertThat(leaf[0] + leaf[2]).isLessThanOrEqualTo(width);
      assertThat(leaf[1] + leaf[3]).isLessThanOrEqualTo(height);
      assertThat(leaves)
          .filteredOn(other -> leaf[0] < other[0] + other[2]
              && other[0] < leaf[0] + leaf[2]
              && leaf[1] < other[1] + other[3]
              && other[1] < leaf[1] + leaf[3])
          .hasSize(1);
    }
  }

  @Test
  void withoutATopologyThereIsNothingToPrint() {
    CommandLineRun run = command(files(TPU, "10-kueue.yaml"));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .containsExactly(
            "error: no ResourceFlavor has a topology that exists; expected at least one"
                + " with spec.topologyName, and a Topology of that name");
  }

  @Test
  void aRequestIsAJob() {
    CommandLineRun run = command(with(SPREAD, "--request", SPREAD[0]));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .endsWith("60-topology.yaml: no job; expected at least one to ask for");
  }

  @Test
  void aPictureThatCannotBeWrittenIsAnError() {
    CommandLineRun run = command(with(SPREAD, "--svg", folder.resolve("none/picture.svg")));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: ")).singleElement().asString().contains("cannot be written");
  }
}
