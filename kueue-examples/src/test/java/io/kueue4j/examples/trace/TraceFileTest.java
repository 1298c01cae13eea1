package io.kueue4j.examples.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces out of files in the format of Kueue's scheduling performance tests. */
class TraceFileTest {
  private static final String BASELINE = """
      # Standard workload patterns
      cohorts:
        - className: cohort
          count: 5
          queuesSets:
          - className: cq
            count: 6
            nominalQuota: 20
            borrowingLimit: 100
            reclaimWithinCohort: Any
            withinClusterQueue: LowerPriority
            workloadsSets:
            - count: 350
              creationIntervalMs: 100
              workloads:
              - {className: small, runtimeMs: 200, priority: 50, request: 1}
            - count: 100
              creationIntervalMs: 500
              workloads:
              - {className: medium, runtimeMs: 500, priority: 100, request: 5}
            - count: 50
              creationIntervalMs: 1200
              workloads:
              - {className: large, runtimeMs: 1000, priority: 200, request: 20}
      """;

  private static final String SMALL = """
      cohorts:
      - className: cohort
        queuesSets:
        - className: cq
          nominalQuota: 2
          workloadsSets:
          - count: 3
            creationIntervalMs: 100
            workloads:
            - {className: a, runtimeMs: 100, request: 1}
            - {className: b, runtimeMs: 100, request: 500m}
        - className: cq
          nominalQuota: 0
          workloadsSets:
          - count: 1
            creationIntervalMs: 100
            workloads:
            - {className: a, runtimeMs: 100, request: 100}
      """;

  private static final String PLACED = """
      topology:
        name: default-topology
        levels:
        - {name: block, count: 1, nodeLabel: cloud.provider.com/topology-block}
        - {name: rack, count: 2, nodeLabel: cloud.provider.com/topology-rack}
        - name: node
          count: 2
          nodeLabel: kubernetes.io/hostname
          capacity: {cpu: "4", memory: 8Gi}
      resourceFlavor:
        name: tas-flavor
        nodeLabel: tas-node-group
        topologyName: default-topology
      cohorts:
      - className: cohort
        queuesSets:
        - className: cq
          nominalQuota: 16
          workloadsSets:
          - count: 1
            creationIntervalMs: 100
            workloads:
            - {className: fits, runtimeMs: 100, request: 1, podCount: 8, tasConstraint: required, tasLevel: cloud.provider.com/topology-rack}
          - count: 1
            creationIntervalMs: 200
            workloads:
            - {className: too-wide, runtimeMs: 100, request: 1, podCount: 9, tasConstraint: required, tasLevel: cloud.provider.com/topology-rack}
          - count: 1
            creationIntervalMs: 300
            workloads:
            - {className: halves, runtimeMs: 100, request: 1, podCount: 6, tasConstraint: balanced, tasLevel: cloud.provider.com/topology-rack, sliceSize: 3}
          - count: 1
            creationIntervalMs: 400
            workloads:
            - {className: spread, runtimeMs: 100, request: 1, podCount: 9, tasConstraint: preferred, tasLevel: cloud.provider.com/topology-rack}
      """;

  @TempDir
  private Path folder;

  private InputFile file(String text) throws IOException {
    return InputFile.of(Files.writeString(folder.resolve("mine.yaml"), text));
  }

  @Test
  void readsWhatKueuePublishesAsTheTraceOfThatName() throws IOException {
    TraceFile read = TraceFile.read(file(BASELINE));

    assertThat(read.notes()).isEmpty();
    assertThat(read.configuration().name()).isEqualTo("mine");
    assertThat(read.configuration().cohorts())
        .isEqualTo(PublishedTraces.BASELINE.configuration().cohorts());
  }

  @Test
  void endsWithThoseLeftWhoNeverFit() throws IOException {
    CommandLineRun run = CommandLineRun.of("trace", file(SMALL).toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("trace mine: workloads=7 ")
        .contains(" admitted=6 preempted=0 finished=6")
        .containsPattern("class a: n=4 avg_time_to_admission_ms=[0-9]")
        .containsPattern("class b: n=3 avg_time_to_admission_ms=[0-9]");
  }

  @Test
  void repeatsATraceAndPrintsMoreIfAsked() throws IOException {
    CommandLineRun run =
        CommandLineRun.of("trace", file(SMALL).toString(), "--repeat", "1", "--wide");

    String wide = " submit_s=# finish_s=# cpu_us_per_admission=# submit_cpu_s=# finish_cpu_s=#"
        + " allocated_bytes_per_admission=#";
    assertThat(run.out().lines().map(line -> line.replaceAll("=[0-9.]+", "=#")))
        .anyMatch(line -> line.startsWith("cold: ") && line.endsWith(wide))
        .anyMatch(line -> line.startsWith("warm: ") && line.endsWith(wide));
    assertThat(CommandLineRun.of("trace", file(SMALL).toString()).out())
        .contains(System.lineSeparator() + "warm: ")
        .doesNotContain("cpu", "allocated");
  }

  @Test
  void placesPodsWhereTheFileHasNodes() throws IOException {
    CommandLineRun run = CommandLineRun.of("trace", file(PLACED).toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("workloads=4 ").contains(" admitted=3 ").contains(" finished=3");
  }

  @Test
  void notesFieldsThatDoNothing() throws IOException {
    assertThat(TraceFile.read(file(SMALL.replace("runtimeMs: 100,", "runtimeMs: 100, tas: {},")))
            .notes())
        .extracting(ManifestIssue::field)
        .contains("cohorts[0].queuesSets[0].workloadsSets[0].workloads[0].tas");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      cohorts:                 | cohort:               | cohorts: missing; expected at least one
      className: cohort        | className: Cohort     | cohorts[0].className: "Cohort"; expected lower-case letters
      nominalQuota: 2          | nominalQuota: two     | cohorts[0].queuesSets[0].nominalQuota: "two" is not a quantity
      nominalQuota: 2          | nominal: 2            | cohorts[0].queuesSets[0].nominalQuota: missing; expected a number of cores
      nominalQuota: 2          | nominalQuota: -2      | nominalQuota: -2 is negative
      count: 3                 | count: -3             | count: -3; expected 0 or more
      creationIntervalMs: 100  | creationIntervalMs: -1 | creationIntervalMs: -1; expected 0 to 3155760000000 milliseconds
      request: 100             | request: -1           | is negative; expected 0 or more
      """)
  void namesWhatIsWrong(String from, String to, String problem) throws IOException {
    InputFile file = file(SMALL.replace(from, to));

    CommandLineRun run = CommandLineRun.of("trace", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(problem);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      podCount: 8              | podCount: 0            | podCount: 0; expected 1 or more
      sliceSize: 3             | sliceSize: 0           | sliceSize: 0; expected 1 or more
      tasConstraint: required  | tasConstraint: near    | tasConstraint: "near"
      name: default-topology   | name: Default          | topology.name: "Default"; expected lower-case letters
      cpu: "4"                 | cpu: four              | topology.levels[2].capacity
      """)
  void namesWhatIsWrongWithPlacement(String from, String to, String problem) throws IOException {
    CommandLineRun run =
        CommandLineRun.of("trace", file(PLACED.replace(from, to)).toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(problem);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      count: 5 | count: 2147483647 | cohorts: 12884901882 queues in all; expected at most 1000000
      count: 350 | count: 2147483647 | workloads in all; expected at most 10000000
      runtimeMs: 200 | runtimeMs: 9223372036854775807 | 9223372036854775807; expected 0 to 3155760000000 milliseconds
      creationIntervalMs: 100 | creationIntervalMs: 3000000000000 | with a count of 350 the last workload arrives after more than
      """)
  void refusesNumbersThatWouldFillTheMemoryOrOverflow(String from, String to, String problem)
      throws IOException {
    CommandLineRun run =
        CommandLineRun.of("trace", file(BASELINE.replaceFirst(from, to)).toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(problem);
  }

  @Test
  void refusesMoreNodesThanFitInMemory() throws IOException {
    CommandLineRun run = CommandLineRun.of(
        "trace",
        file(PLACED
                .replaceAll("count: [0-9]+", "count: 1")
                .replaceFirst("(topology:(?s:.*?)count:) 1", "$1 1000001"))
            .toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("topology: 1000001 nodes in all; expected at most 1000000");
  }

  @Test
  void timesOfIdlenessCostNothing() throws IOException {
    ArrivalTrace trace = ArrivalTrace.of(
        TraceFile.read(file(SMALL.replace("runtimeMs: 100", "runtimeMs: 3000000000000")))
            .configuration());

    assertThat(TracePlayer.play(trace).decisions())
        .contains("ticks=90000000003", "admitted=6", "finished=6");
  }

  @Test
  void saysThatThereIsNoSuchTrace() {
    assertThatThrownBy(() -> TraceFile.read(InputFile.of(folder.resolve("missing"))))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("missing");
    assertThat(CommandLineRun.of("trace", "basline").exitCode()).isEqualTo(2);
  }
}
