package io.kueue4j.examples.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.reference.ReferenceEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded decisions of Kueue, compared with the reference model's. */
final class ModelConformanceTest {
  private static final Path FOLDER = Path.of("src/test/resources/conformance");

  @ParameterizedTest
  @CsvSource({
    "seeds, 8",
    "partial, 60",
    "reconfigure, 60",
    "hierarchy, 60",
    "restore, 60",
    "tas-groups, 60",
    "tas-layers, 50",
    "tas-shapes-preemption, 50"
  })
  void theReferenceModelDecidesAsKueueDid(String suite, int scenarios) {
    compare(suite, scenarios);
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({
    "quota, 60",
    "fungibility, 60",
    "pods, 60",
    "preemption, 60",
    "fair-sharing, 60",
    "fair-hierarchy, 58",
    "stress, 8",
    "tas, 60",
    "tas-nodes, 60",
    "tas-slices, 60",
    "tas-preemption, 60",
    "tas-shapes, 50",
    "tas-nonhost, 50",
    "tas-groups-mixed, 49",
    "tas-mixed, 50"
  })
  void theReferenceModelDecidesAsKueueDidInAllSuites(String suite, int scenarios) {
    compare(suite, scenarios);
  }

  private static void compare(String suite, int scenarios) {
    List<ScenarioResult> results = new ArrayList<>();
    new ScenarioFile(FOLDER.resolve(suite + ".jsonl.gz"), true)
        .play(ReferenceEngine::new, results::add);

    assertThat(results).allSatisfy(result -> assertThat(result.difference()).isEmpty());
    assertThat(results).hasSize(scenarios);
  }
}
