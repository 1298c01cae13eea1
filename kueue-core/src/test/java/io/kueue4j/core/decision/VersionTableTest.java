package io.kueue4j.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 14.1 of RULES.md has a row for each difference between versions, and no other. */
class VersionTableTest {
  private static final Splitter CELLS = Splitter.on('|').trimResults();

  @Test
  void everyFixIsInTheTable() throws IOException {
    assertThat(rows().stream().filter(row -> !row.get(3).isEmpty()).map(VersionTableTest::ofFix))
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(KueueFix.values())
            .map(fix -> fix.since() + " #" + fix.pullRequest() + " " + fix)
            .toList());
  }

  @Test
  void everyGateThatIsNewlyOnIsInTheTable() throws IOException {
    assertThat(rows().stream()
            .filter(row -> row.get(3).isEmpty())
            .map(row -> row.get(1) + " " + row.get(2)))
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(FeatureGate.values())
            .filter(gate -> gate.isEnabledByDefault(KueueVersion.V0_20))
            .filter(gate -> !gate.isEnabledByDefault(KueueVersion.V0_19))
            .map(gate -> "0.20 " + gate)
            .toList());
  }

  /** {@return version, first pull request and name} */
  private static String ofFix(List<String> row) {
    return row.get(1) + " " + row.get(2).replaceFirst(",.*", "") + " " + row.get(3);
  }

  private static List<List<String>> rows() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    boolean isInside = false;
    for (String line : Files.readAllLines(Path.of("RULES.md"))) {
      isInside = line.startsWith("#") ? line.startsWith("### 14.1 ") : isInside;
      if (isInside && line.startsWith("| 0.")) {
        rows.add(CELLS.splitToList(line));
      }
    }
    return rows;
  }
}
