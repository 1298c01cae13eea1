package io.kueue4j.examples.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of a grid, and how they are joined. */
class SweepMergeTest {
  private static final int PARTS = 5;

  @TempDir
  private Path folder;

  private SweepScene scene;
  private Path grid;
  private final Path[] parts = new Path[PARTS];

  @BeforeEach
  void setUp() throws IOException {
    scene = SweepScene.in(folder);
    grid = scene.grid(SweepScene.GRID);
    for (int i = 0; i < PARTS; i++) {
      parts[i] = Files.writeString(
          folder.resolve("part-" + i + ".json"),
          scene.sweep(grid, "--of", PARTS, "--index", i, "-o", "json"));
    }
  }

  @Test
  void theyAreTheSingleRun() {
    for (String format : new String[] {"json", "csv", "table"}) {
      String single = scene.sweep(grid, "-o", format, "--goal", "p95=PT20H");
      assertThat(scene.sweep(
              "-o",
              format,
              "--goal",
              "p95=PT20H",
              "--merge",
              parts[3],
              parts[0],
              parts[4],
              parts[1],
              parts[2]))
          .isEqualTo(single);
    }
  }

  @Test
  void logsOfPodsAreParts() throws IOException {
    String log = "Picked up JAVA_TOOL_OPTIONS: -XX:-UsePerfData\nnote: something {odd}\n";
    Files.writeString(parts[0], log + Files.readString(parts[0]));
    assertThat(
            scene.sweep("-o", "json", "--merge", parts[0], parts[1], parts[2], parts[3], parts[4]))
        .isEqualTo(scene.sweep(grid, "-o", "json"));
    StringBuilder joined = new StringBuilder();
    for (Path part : parts) {
      joined.append(log).append(Files.readString(part));
    }
    Path all = Files.writeString(folder.resolve("all.log"), joined.substring(log.length()));
    assertThat(scene.sweep("-o", "json", "--merge", all))
        .isEqualTo(scene.sweep(grid, "-o", "json"));
    Files.writeString(all, joined.append(Files.readString(parts[2])));
    assertThat(scene.refused("--merge", all))
        .contains("all.log (result 6): point 2 is in ", "all.log (result 3), too");
  }

  @Test
  void missingPartsAreNamed() {
    assertThat(scene.refused("--merge", parts[0], parts[1], parts[4]))
        .contains("4 of 12 points are missing: 2, 3, 7, 8")
        .contains("of 5 parts, run and name those with index 2, 3");
  }

  @Test
  void doubledPartsAreNamed() throws IOException {
    Path copy = Files.copy(parts[1], folder.resolve("copy.json"));
    assertThat(scene.refused("--merge", parts[0], parts[1], copy))
        .contains("copy.json: point 1 is in ", "part-1.json, too");
    assertThat(scene.refused("--merge", parts[0], parts[0])).contains("is named twice");
  }

  @Test
  void partsOfOtherGridsAreNamed() throws IOException {
    Path queues = folder.resolve("queues/queues.yaml");
    Files.writeString(
        queues, Files.readString(queues).replace("nominalQuota: 6", "nominalQuota: 7"));
    Path other = Files.writeString(
        folder.resolve("other.json"), scene.sweep(grid, "--of", PARTS, "--index", 1, "-o", "json"));
    assertThat(scene.refused("--merge", parts[0], other, parts[2], parts[3], parts[4]))
        .contains("other.json: of another grid than ", "part-0.json, or of other files");
  }

  @Test
  void otherFilesAreNoParts() throws IOException {
    String text = Files.readString(parts[0]);
    Files.writeString(parts[0], text.substring(0, text.length() / 2));
    assertThat(scene.refused("--merge", parts[0], parts[1]))
        .contains("part-0.json: the result is damaged or cut off");
    Files.writeString(parts[0], "{\"a\": 1}");
    assertThat(scene.refused("--merge", parts[0], parts[1]))
        .contains("part-0.json: no result of a grid: there is no field 'axes'");
    Files.writeString(parts[0], "nothing\n");
    assertThat(scene.refused("--merge", parts[0], parts[1])).contains("no result of a grid");
  }
}
