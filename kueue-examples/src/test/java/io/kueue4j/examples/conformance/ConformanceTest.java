package io.kueue4j.examples.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded decisions of Kueue, against the engine's. */
final class ConformanceTest {
  private static final Path FOLDER = Path.of("src/test/resources/conformance");

  @ParameterizedTest
  @CsvSource({
    "seeds, 8, 7",
    "quota, 60, 60",
    "partial, 60, 33",
    "fungibility, 60, 33",
    "pods, 60, 40",
    "reconfigure, 60, 11",
    "preemption, 60, 14",
    "hierarchy, 60, 9",
    "fair-sharing, 60, 4",
    "fair-hierarchy, 58, 3",
    "restore, 60, 17",
    "stress, 8, 0"
  })
  void theEngineDecidesAsKueueDid(String suite, int scenarios, int scenariosWithoutPreemption) {
    List<ScenarioResult> results = play(suite, true);

    assertThat(results).allSatisfy(result -> assertThat(result.difference()).isEmpty());
    assertThat(results).hasSize(scenarios).allMatch(result -> result.suite().equals(suite));
    assertThat(play(suite, false))
        .hasSize(scenariosWithoutPreemption)
        .allMatch(ScenarioResult::agrees);
  }

  private static List<ScenarioResult> play(String suite, boolean withPreemption) {
    List<ScenarioResult> results = new ArrayList<>();
    new ScenarioFile(FOLDER.resolve(suite + ".jsonl.gz"), withPreemption).play(results::add);
    return results;
  }
}
