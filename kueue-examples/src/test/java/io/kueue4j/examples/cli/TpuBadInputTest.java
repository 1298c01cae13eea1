package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Invalid descriptions of pools: each error names the position, the problem, and what was expected.
 */
final class TpuBadInputTest {
  @TempDir
  Path folder;

  private CommandLineRun fit(String text, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("f.yaml"), text);
    Object[] arguments = new Object[3 + more.length];
    arguments[0] = "tpu";
    arguments[1] = "fit";
    arguments[2] = file;
    System.arraycopy(more, 0, arguments, 3, more.length);
    CommandLineRun run = CommandLineRun.of(arguments);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return new CommandLineRun(2, "", run.err().replace(folder + "/", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{name: a, grid: 8x8, cubes: 4} | cubes | grid and cubes; expected one of them, such as"
            + " grid: 16x16 or cubes: 64",
        "{name: a} | name | neither grid, cubes nor torus; expected one of them, such as grid: 16x16"
            + " or cubes: 64",
        "{name: a, cubes: 4} | name | pool a of 4x4x4 chips, expected 2 dimensions as generation v6e"
            + " has",
        "{name: a, grid: 16} | grid | 16 (a number); expected text, put it in quotes",
        "{name: a, grid: 8x} | grid | \"8x\" is not a topology, expected two or three numbers of"
            + " chips such as 4x8 or 4x4x8",
        "{name: a, grid: 32x16} | name | pool a of 32x16 chips, expected at most the 256 of a pod of"
            + " v6e",
        "{name: a, grid: 8x8, chipsPerHost: 3} | name | hosts of 3 chips in generation v6e, expected"
            + " boxes of [1x1, 2x2, 2x4]",
        "{grid: 8x8} | name | missing; expected text",
        "{name: a, grid: 8x8, alignment: Any} | alignment | \"Any\"; expected one of Aligned,"
            + " AnyHost",
        "{name: a, grid: 8x8, count: 0} | count | 0; expected 1 to 256",
        "{name: a, grid: 8x8, crossesSeams: true} | name | pool a crosses seams, expected only of a"
            + " fixed torus",
        "{name: a, grid: 8x8, nodes: [x]} | name | pool a names 1 nodes, expected none or 16"
      })
  void poolsThatCannotBe(String pool, String field, String message) throws IOException {
    assertThat(fit("generation: v6e\npools:\n- " + pool + "\n").errLines("error: "))
        .singleElement()
        .asString()
        .startsWith("error: f.yaml: document 1, line 3, column ")
        .endsWith(": pools[0]." + field + ": " + message);
  }

  private static final String POD = "generation: v6e\npools:\n- {name: a, grid: 16x16}\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{name: s, pool: z, shape: 4x4, host: 0} | pool | no pool \"z\"; expected one of a",
        "{name: s, pool: a, shape: 4x5, host: 0} | shape | 4x5 is no slice of v6e: the next larger"
            + " one is 4x8; there are [1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16]",
        "{name: s, pool: a, shape: 4x4} | host | missing; expected the lowest host of the slice, or"
            + " cubes: [0, 1] for whole cubes",
        "{name: s, pool: a, host: 1} | shape | missing; expected a topology such as 4x8",
        "{name: s, pool: a, shape: 4x4, host: 63} | host | slice 4x4 XYZ at host 63 reaches out of"
            + " pool a of 16x16",
        "{name: s, pool: a, shape: 4x4, host: 64} | host | \"64\" is no host of pool a; expected"
            + " numbers from 0 to 63, ranges such as 4-7",
        "{name: s, pool: a, shape: 4x4, cubes: 3} | cubes | 3 (a number); expected a list such as"
            + " [0, 1]",
        "{name: s, pool: a, shape: 4x4, cubes: [b]} | cubes | \"b\"; expected the numbers of cubes",
        "{name: s, pool: a, shape: 4x4, host: 0, axes: YX} | axes | \"YX\"; expected one of XYZ, YXZ,"
            + " XZY, ZYX, YZX, ZXY; did you mean \"YXZ\"?"
      })
  void slicesThatCannotBe(String slice, String field, String message) throws IOException {
    assertThat(fit(POD + "slices:\n- " + slice + "\n").errLines("error: "))
        .singleElement()
        .asString()
        .startsWith("error: f.yaml: document 1, line 5, column ")
        .endsWith(": slices[0]." + field + ": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{name: r} | shape | missing; expected shape: 4x8, or shapes: [4x8, 8x8] with the best first",
        "{name: r, shape: 4x4, shapes: [4x4]} | shape | beside shapes; expected shape: 4x8, or"
            + " shapes: [4x8, 8x8] with the best first",
        "{name: r, shapes: [4x4, 4]} | shapes[1] | 4 (a number); expected text, put it in quotes",
        "{shape: 4x4} | name | missing; expected text",
        "{name: r, shape: 4x4, count: 0} | count | 0; expected 1 to 10000",
        "{name: r, shape: 4x4, rings: Some} | rings | \"Some\"; expected one of Any, Preferred,"
            + " Required",
        "{name: r, shape: 4x4, scope: Any, maxPerPool: 2} | maxPerPool | beside scope; expected one"
            + " of them",
        "{name: r, shape: 4x4, pin: {a: [99]}} | pin.a[0] | \"99\" is no host of pool a; expected"
            + " numbers from 0 to 63, ranges such as 4-7",
        "{name: r, shape: 4x4, avoid: {b: [1]}} | avoid.b | no pool \"b\"; expected one of a",
        "{name: r, shape: 4x4, avoid: {a: 1}} | avoid.a | 1 (a number); expected a list of hosts such"
            + " as [3, 8-11]"
      })
  void requestsThatCannotBe(String request, String field, String message) throws IOException {
    assertThat(fit(POD + "requests:\n- " + request + "\n").errLines("error: "))
        .singleElement()
        .asString()
        .startsWith("error: f.yaml: document 1, line 5, column ")
        .endsWith(": requests[0]." + field + ": " + message);
  }

  @Test
  void allProblemsAreReportedAtOnce() throws IOException {
    assertThat(fit(POD + """
        down: {b: [1], a: [64]}
        slices:
        - {name: s, pool: a, shape: 4x4, host: 0}
        - {name: s, pool: a, shape: 4x4, host: 4}
        - {name: t, pool: a, shape: 4x4, host: 1}
        requests:
        - {name: s, shape: 4x4}
        - {name: u, shape: 4by4}
        """).errLines("error: f.yaml: document 1, line ")).hasSize(6);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "pools: [{name: a, grid: 8x8}] | document 1, line 1, column 1: generation: missing; expected"
            + " one of v4, v5e, v5p, v6e, v7x",
        "generation: v6 | document 1, line 1, column 13: generation: \"v6\"; expected one of v4, v5e,"
            + " v5p, v6e, v7x; did you mean \"v6e\"?",
        "generation: v6e | no pools; expected at least one under 'pools'",
        "- a | document 1, line 1, column 1: a list; expected a mapping with pools, slices or"
            + " requests",
        "pools: 3 | document 1, line 1, column 8: pools: 3 (a number); expected a list",
        "'pools: [' | document 1, line 1, column 1: \"pools: [\"; expected a mapping with pools,"
            + " slices or requests"
      })
  void filesThatAreNoDescription(String text, String message) throws IOException {
    assertThat(fit(text).errLines("error: ")).containsExactly("error: f.yaml: " + message);
  }

  @Test
  void optionsThatCannotBe() throws IOException {
    assertThat(fit(POD, "--down", "b:1").err())
        .startsWith("error: --down b:1: no pool \"b\"; expected one of a\n");
    assertThat(fit(POD, "--down", "a").err())
        .startsWith("error: --down a: no pool; expected for example pod-0:3,8-11\n");
    assertThat(fit(POD, "--down", "a:").err())
        .startsWith("error: --down a:: \"\" is no host of pool a; expected numbers from 0 to 63");
    assertThat(fit(POD, "--moves", "-1").err())
        .startsWith("error: --moves is -1, expected 0 or more\n");
  }

  @Test
  void aPictureThatCannotBeWrittenIsAnError() throws IOException {
    Path file = Files.writeString(folder.resolve("f.yaml"), POD);
    Path svg = folder.resolve("none/p.svg");
    CommandLineRun run = CommandLineRun.of("tpu", "fit", file, "--svg", svg);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: ")).singleElement().asString().contains("cannot be written");
  }

  @Test
  void oneGenerationForAll() throws IOException {
    assertThat(fit(POD + "---\ngeneration: v4\n").errLines("error: "))
        .containsExactly("error: f.yaml: document 2, line 5, column 13: generation: v4 after v6e;"
            + " expected one for all pools");
  }
}
