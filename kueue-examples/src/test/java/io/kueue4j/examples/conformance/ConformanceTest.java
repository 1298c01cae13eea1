package io.kueue4j.examples.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded decisions of Kueue, compared with the engine's. */
final class ConformanceTest {
  private static final Path FOLDER = Path.of("src/test/resources/conformance");

  @ParameterizedTest
  @CsvSource({
    "seeds, 8",
    "quota, 60",
    "partial, 60",
    "fungibility, 60",
    "pods, 60",
    "reconfigure, 60",
    "preemption, 60",
    "hierarchy, 60",
    "fair-sharing, 60",
    "fair-hierarchy, 58",
    "restore, 60",
    "stress, 8",
    "tas, 60",
    "tas-nodes, 60",
    "tas-slices, 60",
    "tas-groups, 60",
    "tas-preemption, 60",
    "tas-shapes, 50",
    "tas-nonhost, 50",
    "tas-layers, 50",
    "tas-groups-mixed, 49",
    "tas-shapes-preemption, 50",
    "tas-mixed, 50"
  })
  void theEngineDecidesAsKueueDid(String suite, int scenarios) {
    List<ScenarioResult> results = new ArrayList<>();
    file(suite, true).play(results::add);

    assertThat(results).allSatisfy(result -> assertThat(result.difference()).isEmpty());
    assertThat(results).hasSize(scenarios).allMatch(result -> result.suite().equals(suite));
  }

  @Test
  void scenariosWithPreemptionCanBeLeftOut() {
    List<ScenarioResult> results = new ArrayList<>();
    file("restore", false).play(results::add);

    assertThat(results).hasSize(17).allMatch(ScenarioResult::agrees);
  }

  /** Scenarios in which the engine once decided differently. */
  @Test
  void theEngineDecidesAsKueueDidInRecordedCycles() {
    List<ScenarioResult> results = new ArrayList<>();
    VectorFile.of(FOLDER.resolve("regressions.in.jsonl"), true).orElseThrow().play(results::add);

    assertThat(results)
        .isNotEmpty()
        .allSatisfy(result -> assertThat(result.explanation()).isEmpty())
        .allMatch(ScenarioResult::agrees);
  }

  private static ScenarioFile file(String suite, boolean withPreemption) {
    return new ScenarioFile(FOLDER.resolve(suite + ".jsonl.gz"), withPreemption);
  }
}
