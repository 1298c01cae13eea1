package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Joiner;
import com.google.common.io.Resources;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.conformance.RecordedScenarios;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplayCommandTest {
  private static final Path VECTORS = Path.of("src/test/resources/conformance");
  private static final Path SEEDS = VECTORS.resolve("seeds.jsonl.gz");

  @TempDir
  private Path folder;

  @Test
  void printsOneLineForEachSuiteAndTheSum() {
    CommandLineRun run = CommandLineRun.of("replay", VECTORS.resolve("pods.jsonl.gz"), SEEDS);

    assertThat(run.out().lines())
        .containsExactly(
            "suite=pods agree=60 total=60", "suite=seeds agree=8 total=8", "agreement 68/68");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void leavesOutPreemptionIfAsked() {
    CommandLineRun run = CommandLineRun.of("replay", "--without-preemption", SEEDS);

    assertThat(run.out().lines()).containsExactly("suite=seeds agree=7 total=7", "agreement 7/7");
  }

  @Test
  void anyDisagreementIsExitCodeOne() throws IOException {
    List<String> lines = seeds();
    String wrong = lines
        .get(0)
        .replace(
            "\"clusterQueue\":\"cluster-queue\",\"podSets\"",
            "\"clusterQueue\":\"other\",\"podSets\"");
    Path file = Files.write(folder.resolve("wrong.jsonl"), List.of(wrong, "", lines.get(1)));

    CommandLineRun quiet = CommandLineRun.of("replay", file);
    assertThat(quiet.exitCode()).isEqualTo(1);
    assertThat(quiet.out().lines()).containsExactly("suite=seeds agree=1 total=2", "agreement 1/2");

    CommandLineRun verbose = CommandLineRun.of("replay", "-v", file);
    assertThat(verbose.exitCode()).isEqualTo(1);
    assertThat(verbose.out())
        .startsWith("seed-000-BestEffortFIFO differs in step 0, cycle 0:\n  expected  admitted ")
        .contains("by other:")
        .endsWith("agreement 1/2" + System.lineSeparator());
  }

  @Test
  void recordedCyclesAreRecognizedAndCounted() throws IOException {
    Path recorded = RecordedScenarios.write(
        folder,
        "own",
        Joiner.on('\n')
            .join(
                RecordedScenarios.alone("a"),
                RecordedScenarios.preemption("b"),
                RecordedScenarios.invalid("c"),
                RecordedScenarios.alone("d")),
        Joiner.on('\n')
            .join(
                RecordedScenarios.admittedAlone("a"),
                RecordedScenarios.preempted("b").replace("InClusterQueue", "InCohort"),
                RecordedScenarios.panic("d")));

    CommandLineRun quiet = CommandLineRun.of("replay", SEEDS, recorded);
    assertThat(quiet.out().lines())
        .containsExactly(
            "suite=seeds agree=8 total=8",
            "suite=own agree=1 total=2 refused=1 unrecorded=1",
            "agreement 9/10 refused=1 unrecorded=1");
    assertThat(quiet.exitCode()).isEqualTo(1);

    assertThat(CommandLineRun.of("replay", "-v", recorded).out())
        .startsWith("b differs in cycle 0:\n  expected  preempted default/low (InCohort)\n")
        .contains("\nc is refused: ");
    CommandLineRun without = CommandLineRun.of("replay", "--without-preemption", recorded);
    assertThat(without.out().lines())
        .containsExactly(
            "suite=own agree=1 total=1 refused=1 unrecorded=1",
            "agreement 1/1 refused=1 unrecorded=1");
    assertThat(without.exitCode()).isZero();
  }

  @Test
  void recordedCyclesNeedBothFiles() throws IOException {
    Path alone = Files.writeString(folder.resolve("lone.in"), RecordedScenarios.alone("a"));
    assertThat(CommandLineRun.of("replay", alone).err())
        .startsWith("error: " + folder.resolve("lone.up.jsonl") + ": no such file");

    Path misnamed = Files.writeString(folder.resolve("lone.jsonl"), RecordedScenarios.alone("a"));
    assertThat(CommandLineRun.of("replay", misnamed).err())
        .startsWith("error: " + misnamed + ": holds scenarios without outcomes; expected a name");

    Path outcomes =
        Files.writeString(folder.resolve("x.up.jsonl"), RecordedScenarios.admittedAlone("a"));
    assertThat(CommandLineRun.of("replay", outcomes).err())
        .startsWith("error: " + outcomes + ": recorded outcomes; expected the file with");
  }

  @Test
  void callsOfKindsOfJobsAreLeftOut() throws IOException {
    Path kinds = Files.writeString(
        folder.resolve("kinds.in"), "{\"gates\":{},\"m\":\"PodSets\",\"obj\":{}}");
    CommandLineRun run = CommandLineRun.of("replay", kinds, SEEDS);

    assertThat(run.err().lines())
        .containsExactly("note: " + kinds + ": calls of kinds of jobs, which are not played here");
    assertThat(run.out()).endsWith("agreement 8/8" + System.lineSeparator());
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void anUnreadableLineIsNamed() throws IOException {
    String good = seeds().get(0);
    assertBad("{\"name\":", "line 2: not JSON: ");
    assertBad("[]", "line 2: ");
    assertBad("null", "line 2: null; expected a scenario");
    assertBad("{\"suite\":\"x\"}", "line 2: name: missing");
    assertBad(good.replace("\"cycles\":8", "\"cycles\":\"many\""), "steps[0].cycles");
    assertBad(good.replace("\"outcome\":[", "\"outcome\":[{},"), "outcome has ");
    assertBad(
        good.replace("\"500m\"", "\"500x\""),
        "workloads[0]: spec.podSets[0].template.spec.containers[0].resources.requests");
    assertBad(good.replace("\"submit\":[\"", "\"submit\":[\"unknown\",\""), "unknown");
    assertBad(good.replace("\"kind\":\"Workload\"", "\"kind\":\"Workloads\""), "workloads[0]");
  }

  private void assertBad(String line, String message) throws IOException {
    Path file = Files.write(folder.resolve("bad.jsonl"), List.of(seeds().get(0), line));
    CommandLineRun run = CommandLineRun.of("replay", "-v", file);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("error: " + file + ": line 2: ")
        .contains(message)
        .matches(text -> text.lines().count() == 1)
        .doesNotContain("Exception", "\tat ");
  }

  @Test
  void anUnreadableFileIsNamed() throws IOException {
    Path missing = folder.resolve("missing.jsonl");
    assertThat(CommandLineRun.of("replay", SEEDS, missing))
        .isEqualTo(new CommandLineRun(
            2, "", "error: " + missing + ": no such file or directory" + System.lineSeparator()));

    Path notZipped = Files.write(folder.resolve("plain.jsonl.gz"), seeds());
    assertThat(CommandLineRun.of("replay", notZipped).err())
        .startsWith("error: " + notZipped + ": cannot be read: Not in GZIP format");

    Path cut = folder.resolve("cut.jsonl.gz");
    byte[] whole = Files.readAllBytes(SEEDS);
    try (OutputStream out = Files.newOutputStream(cut)) {
      out.write(whole, 0, whole.length / 2);
    }
    assertThat(CommandLineRun.of("replay", cut).exitCode()).isEqualTo(2);

    Path binary =
        Files.write(folder.resolve("binary.jsonl"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(CommandLineRun.of("replay", binary).err())
        .isEqualTo(
            "error: " + binary + ": not UTF-8; is this a text file?" + System.lineSeparator());
  }

  @Test
  void anEmptyFileIsNoAgreement() throws IOException {
    Path empty = folder.resolve("empty.jsonl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(empty))) {
      out.write(new byte[0]);
    }

    assertThat(CommandLineRun.of("replay", empty))
        .isEqualTo(new CommandLineRun(
            2,
            "",
            "error: " + empty + ": empty; expected one scenario in each line"
                + System.lineSeparator()));
  }

  private static List<String> seeds() throws IOException {
    try (GZIPInputStream in =
        new GZIPInputStream(Resources.getResource("conformance/seeds.jsonl.gz").openStream())) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }
}
