package io.kueue4j.examples.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.history.HistoryFile;
import io.kueue4j.examples.history.HistoryPlan;
import io.kueue4j.examples.history.QueueMapping;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of a grid: what it expands to, and where it is wrong. */
class GridFileTest {
  private static final String HISTORY = "histories: [{file: lab.swf, resource: nvidia.com/gpu}]\n";

  @TempDir
  private Path folder;

  private SweepScene scene;

  @BeforeEach
  void setUp() throws IOException {
    scene = SweepScene.in(folder);
  }

  private SweepGrid read(String text) throws IOException {
    return GridFile.read(InputFile.of(scene.grid(text))).grid();
  }

  @Test
  void itExpandsRangesAndLists() throws IOException {
    SweepGrid grid = read(HISTORY + """
        quotas:
        - {clusterQueue: a, flavor: f, resource: cpu, from: 500m, to: "2", step: 500m}
        - {name: memory, cohort: b, flavor: f, resource: memory, values: [1Gi, 2Gi]}
        nodes:
        - {labels: {kind: x}, from: 4, to: 9, step: 2}
        load:
          submissions: [1, 1.5, 2.0]
          durations: 0.5
        resample:
          seeds: [7, 8]
        """);
    assertThat(grid.axes())
        .extracting(Axis::name)
        .containsExactly(
            "history",
            "configuration",
            "policy",
            "a/f/cpu",
            "memory",
            "nodes",
            "submissions",
            "durations",
            "seed");
    assertThat(grid.axes().stream().map(Axis::values).map(Object::toString))
        .endsWith(
            "[500m, 1, 1500m, 2]", "[1Gi, 2Gi]", "[4, 6, 8]", "[1, 1.5, 2]", "[0.5]", "[7, 8]");
    assertThat(grid.size()).isEqualTo(4 * 2 * 3 * 3 * 2);
    Set<String> points = new HashSet<>();
    for (int i = 0; i < grid.size(); i++) {
      points.add(SweepGrid.values(grid.axes(), i).toString());
    }
    assertThat(points).hasSize((int) grid.size());
    assertThat(grid.point(143).submissions()).isEqualByComparingTo("2");
    assertThat(grid.point(143).seed()).hasValue(8);
    assertThat(grid.point(143).value(0)).isEqualTo(3);
    assertThat(grid.load().block()).isEqualTo(Duration.ofDays(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x: 1 | line 2, column 4: x: unknown field",
        "quota: [] | line 2, column 1: quota: unknown field; did you mean",
        "policies: [{fairSharing: true}] | policies[0].name: missing",
        "policies: [{name: a, fairSharing: 1}] | line 2, column 35: policies[0].fairSharing",
        "policies: [{name: a, preemption: true}] | policies[0].preemption: true; expected false",
        "policies: [{name: a, usageHalfLife: 3h}] | policies[0].usageHalfLife: '3h'; expected a dur",
        "policies: [{name: a, minRunTimes: PT1H}] | policies[0].minRunTimes: 'PT1H'; expected NAME=",
        "policies: [{name: a, preemptionRates: Global=0/PT1H}] | .preemptionRates: the limit of pree",
        "policies: [{name: a, reclaimBackoff: base=PT1M}] | .reclaimBackoff: 'base=PT1M'; expected b",
        "policies: [{name: a, featureGates: {No: true}}] | policies[0].featureGates.No: there is no",
        "policies: [{name: a}, {name: a}] | the axis 'policy' has the value 'a' twice",
        "configurations: [{name: a}] | configurations[0].files: no files",
        "quotas: [{flavor: f, resource: cpu, values: [1]}] | quotas[0].clusterQueue: missing; expected",
        "quotas: [{clusterQueue: a, flavor: f, resource: cpu}] | quotas[0].values: expected either",
        "quotas: [{clusterQueue: a, flavor: f, resource: cpu, values: [x]}] | 'x'; expected quantities",
        "quotas: [{clusterQueue: a, flavor: f, resource: cpu, from: 1, to: 2}] | quotas[0].step: miss",
        "quotas: [{clusterQueue: a, flavor: f, resource: cpu, from: 2, to: 1, step: 1}] | .to: 1; expe",
        "quotas: [{clusterQueue: a, flavor: f, resource: cpu, from: 1, to: 2, step: 0}] | .step: 0; ex",
        "nodes: [{values: [1]}] | nodes[0].labels: no labels",
        "nodes: [{labels: {a: b}, values: [1.5]}] | '1.5'; expected whole numbers of nodes",
        "load: {submissions: [0]} | line 2, column 8: load.submissions: '0'; expected numbers between",
        "resample: {block: P1D} | resample.seeds: no seeds",
        "resample: {seeds: [a]} | resample.seeds: 'a'; expected whole numbers",
        "resample: {seeds: [1, 1]} | the axis 'seed' has the value '1' twice",
        "quotas: [{name: seed, clusterQueue: a, flavor: f, resource: cpu, values: [1]}] | two axes hav",
      })
  void problemsHaveTheirPlaces(String text, String problem) throws IOException {
    Path grid = scene.grid(HISTORY + text + "\n");
    assertThatThrownBy(() -> GridFile.read(InputFile.of(grid)))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("grid.yaml")
        .hasMessageContaining(problem);
  }

  @Test
  void aGridNeedsHistories() {
    assertThatThrownBy(() -> read("policies: []\n")).hasMessageContaining("histories: missing");
    assertThatThrownBy(() -> read("histories: []\n")).hasMessageContaining("no history");
    assertThatThrownBy(() -> read("")).hasMessageContaining("0 documents with fields");
    assertThatThrownBy(() -> read(HISTORY
            + "quotas: [{clusterQueue: a, flavor: f, resource: cpu, from: 1, to: 999, step: 1}]\n"
            + "resample: {seeds: [1,2,3,4,5,6,7,8,9,10,11]}\n"
            + "load: {durations: [1,2,3,4,5,6,7,8,9,10]}\n"))
        .hasMessageContaining("the grid has 109,890 points; expected at most 100,000");
  }

  @Test
  void whatDoesNotExistIsNamedWithItsPlace() throws IOException {
    String configured = HISTORY + "configurations: [{name: today, files: [queues]}]\n";
    String quota = "resource: nvidia.com/gpu, values: [1]}]\n";
    assertThat(scene.refused(
            scene.grid(configured + "quotas: [{clusterQueue: trainin, flavor: a100, " + quota)))
        .contains(
            "line 3, column 25: quotas[0].clusterQueue: there is no ClusterQueue 'trainin'",
            "training, evaluation");
    assertThat(scene.refused(
            scene.grid(configured + "quotas: [{clusterQueue: training, flavor: h100, " + quota)))
        .contains("'training' has no quota of nvidia.com/gpu in flavor 'h100'");
    assertThat(scene.refused(
            scene.grid(configured + "quotas: [{cohort: laboratory, flavor: h100, " + quota)))
        .contains("there is no Cohort 'laboratory'; there is none at all");
    assertThat(scene.refused(scene.grid(configured + "nodes: [{labels: {a: b}, values: [1]}]\n")))
        .contains("line 3, column", "nodes[0].labels: there is no node with the labels {a=b}");
    assertThat(scene.refused(scene.grid("histories: [{file: missing.swf}]\n")))
        .contains("missing.swf: no such file or directory");
  }

  @Test
  void aSeedDrawsBlocksOfTheHistory() throws IOException {
    SweepGrid grid = read(HISTORY + "resample: {seeds: [1, 2], block: PT6H}\n");
    History history =
        HistoryFile.read(grid.histories().get(0).file(), grid.histories().get(0).options());
    ImmutableList<SimulationJob> jobs =
        HistoryPlan.of(history, ImmutableList.of(), QueueMapping.NONE).jobs();
    ImmutableList<SimulationJob> one = drawn(jobs, history, grid, 0);
    assertThat(drawn(jobs, history, grid, 0)).isEqualTo(one);
    assertThat(drawn(jobs, history, grid, 1)).isNotEqualTo(one);
    assertThat(one.stream().map(SimulationJob::id)).doesNotHaveDuplicates();
    long block = Duration.ofHours(6).toMillis();
    long first = jobs.get(0).submitTime().toEpochMilli();
    for (SimulationJob job : one) {
      long at = (job.submitTime().toEpochMilli() - first) % block;
      assertThat(jobs)
          .anyMatch(other -> (other.submitTime().toEpochMilli() - first) % block == at
              && other.duration().equals(job.duration())
              && job.id().name().startsWith(other.id().name()));
    }
  }

  private static ImmutableList<SimulationJob> drawn(
      ImmutableList<SimulationJob> jobs, History history, SweepGrid grid, int point) {
    return JobVariant.of(jobs, history.start(), grid.point(point), grid.load().block());
  }

  @Test
  void historiesMayBeCut() throws IOException {
    Path grid = scene.grid("histories: [{file: lab.swf, from: PT2H, until: PT4H}]\n");
    String csv = scene.sweep(grid, "-o", "csv");
    assertThat(csv.lines().skip(1).findFirst().orElseThrow()).contains(",9,9,9,0,");
    assertThat(scene.refused(scene.grid("histories: [{file: lab.swf, from: P9D}]\n")))
        .contains("no job was submitted between 'from' and 'until'");
  }
}
