package io.kueue4j.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenarios that once showed a bug, one per line of a file; lines with # are remarks. */
class StoredScenariosTest {
  static Stream<String> lines() throws IOException {
    return lines("scenarios.txt");
  }

  static Stream<String> comparedLines() throws IOException {
    return lines("compared-scenarios.txt");
  }

  private static Stream<String> lines(String file) throws IOException {
    String text = Resources.toString(
        Resources.getResource(StoredScenariosTest.class, file), StandardCharsets.UTF_8);
    return Splitter.on('\n')
        .omitEmptyStrings()
        .splitToStream(text)
        .filter(line -> !line.startsWith("#"));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void staysRight(String line) {
    HarnessRun run = HarnessRun.of(AdmissionEngineUnderTest::create).against(ReferenceEngine::new);

    assertThat(run.play(Scenario.parse(line))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("comparedLines")
  void staysEqual(String line) {
    HarnessRun run = HarnessRun.of(AdmissionEngineUnderTest::create)
        .against(ReferenceEngine::new)
        .invariants(Set.of());

    assertThat(run.play(Scenario.parse(line))).isEmpty();
  }
}
