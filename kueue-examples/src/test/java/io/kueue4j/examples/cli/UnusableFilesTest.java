package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages about unusable files and arguments other than manifests. */
class UnusableFilesTest {
  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: any}
      """;

  @TempDir
  private Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static void assertError(CommandLineRun run, String error) {
    assertThat(run.err().lines().findFirst()).contains("error: " + error);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aFolderIsNoFile() {
    String said = folder + ": a folder; expected a file";
    assertError(CommandLineRun.of("tpu", "fit", folder.toString()), said);
    assertError(CommandLineRun.of("trace", folder.toString()), said);
    assertError(CommandLineRun.of("replay", folder.toString()), said);
    assertError(CommandLineRun.of("controller", "--kubeconfig", folder.toString()), said);
  }

  @Test
  void aPageCannotBeWrittenAnywhere() throws IOException {
    String queues = file("queues.yaml", QUEUES).toString();
    assertError(
        CommandLineRun.of("admit", queues, "--page", folder.toString()),
        folder + ": cannot be written: a folder; expected a file");
    Path nowhere = folder.resolve("nowhere").resolve("page.html");
    assertError(
        CommandLineRun.of("admit", queues, "--page", nowhere.toString()),
        nowhere + ": cannot be written: there is no such folder");
  }

  @Test
  void whatCannotBeWrittenIsRefusedBeforeAnythingIsComputed() {
    Path nowhere = folder.resolve("nowhere").resolve("report.html");
    // The file with the jobs does not exist either, and would be read first.
    assertError(
        CommandLineRun.of("simulate", folder.resolve("none"), "--report", nowhere),
        nowhere + ": cannot be written: there is no such folder");
    assertError(
        CommandLineRun.of("sweep", folder.resolve("none"), "--report", folder),
        folder + ": cannot be written: a folder; expected a file");
  }

  @Test
  void anOptionThatTakesTheHistoryIsNamed() {
    assertError(
        CommandLineRun.of("compare", "--what-if", "queues.yaml", "log.swf"),
        "Missing required parameter: 'HISTORY'; give it before --what-if, which takes all that"
            + " follows up to the next option");
    assertError(CommandLineRun.of("simulate"), "Missing required parameter: 'HISTORY'");
  }

  @Test
  void anOldReportIsReplacedAsAWhole() throws IOException {
    Path history = file("log.swf", "1 0 -1 10 1\n");
    Path report = file("report.html", "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.html"), report);
    CommandLineRun run = CommandLineRun.of("simulate", history, "--report", link);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(report).content().startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    assertThat(link).isSymbolicLink();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(history, report, link);
    }
  }

  @Test
  void aLineThatIsTooLongIsRefusedBeforeItFillsTheMemory() throws IOException {
    Path file = folder.resolve("vectors.jsonl.gz");
    byte[] piece = "a".repeat(1 << 20).getBytes(US_ASCII);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write('\n');
      for (int i = 0; i <= 32; i++) {
        out.write(piece);
      }
    }

    assertError(
        CommandLineRun.of("replay", file.toString()),
        file + ": cannot be read: line 2 has more than 33554432 characters; expected fewer");
  }

  @Test
  void aFileThatIsTooLongIsRefusedBeforeItFillsTheMemory() throws IOException {
    Path file = folder.resolve("long.yaml");
    Files.write(file, new byte[33 << 20]);

    String said =
        file + ": cannot be read: the file has more than 33554432 characters; expected" + " fewer";
    assertError(CommandLineRun.of("trace", file.toString()), said);
    assertError(CommandLineRun.of("tpu", "fit", file.toString()), said);
    assertError(CommandLineRun.of("controller", "--kinds", file.toString()), said);
  }

  @Test
  void noScenarioIsNoAgreement() throws IOException {
    Path empty = file("empty.jsonl", "\n \n");
    assertError(
        CommandLineRun.of("replay", empty.toString()),
        empty + ": empty; expected one scenario in each line");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"steps\": []} | line 1: name: missing",
        "[] | line 1: Cannot deserialize value from Array value",
        "{\"name\": {}} | line 1: name: Cannot deserialize value from Object value",
        "{\"name\" | line 1: not JSON: Unexpected end-of-input within/between Object entries"
      })
  void aLineThatIsNoScenarioIsNamed(String line, String said) throws IOException {
    Path file = file("vectors.jsonl", line + "\n");
    CommandLineRun run = CommandLineRun.of("replay", file.toString());
    assertThat(run.err()).startsWith("error: " + file + ": " + said).doesNotContain("io.kueue4j");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"-1", "65536", "99999999"})
  void aPortIsANumberOfSixteenBits(String port) {
    assertError(
        CommandLineRun.of("controller", "--port", port),
        "--port is " + port + ", expected 0 to 65535");
  }

  @Test
  void queuesOfFilesHaveNoStatusInTheCluster() throws IOException {
    assertError(
        CommandLineRun.of("controller", "--queue-status", "--queues", file("queues.yaml", QUEUES)),
        "--queue-status writes to queues of the cluster, and --queues takes others; expected one of"
            + " both");
  }

  @Test
  void whatIsNoKubeconfigIsSaid() throws IOException {
    Path empty = file("empty", "\n");
    assertError(
        CommandLineRun.of("controller", "--kubeconfig", empty.toString()),
        empty + ": empty; expected a kubeconfig");
    Path comment = file("comment", "# nothing\n");
    assertError(
        CommandLineRun.of("controller", "--kubeconfig", comment.toString()),
        comment + ": no kubeconfig; expected one with clusters, contexts and users");
  }

  @Test
  void aDurationIsWrittenAsInIso8601() throws IOException {
    assertError(
        CommandLineRun.of(
            "admit", file("queues.yaml", QUEUES).toString(), "--usage-half-life", "7d"),
        "Invalid value for option '--usage-half-life': '7d' is no duration, or longer than P365000D;"
            + " expected one as P7D or PT1H");
  }
}
