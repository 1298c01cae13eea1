package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.SampleManifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Standard input and output in place of files, and folders. */
final class StandardStreamsTest {
  private static final String TOGETHER = SampleManifests.QUEUES + "---\n" + SampleManifests.JOB;
  private static final Path RESOURCES = Path.of("src/main/resources");

  @TempDir
  private Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  static Stream<Path> tutorials() throws IOException {
    try (Stream<Path> folders = Files.list(Admit.MANIFESTS)) {
      return folders.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("tutorials")
  void everyTutorialPlaysAsAFolder(Path tutorial) {
    CommandLineRun run = CommandLineRun.of("admit", tutorial);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.errLines("note: passed over"))
        .noneMatch(line -> line.contains(".scenario.yaml"));
  }

  @Test
  void minusIsStandardInput() throws IOException {
    CommandLineRun fromFile = CommandLineRun.of("admit", file("all.yaml", TOGETHER));

    assertThat(CommandLineRun.reading(TOGETHER, "admit", "-")).isEqualTo(fromFile);
    assertThat(CommandLineRun.reading(
            SampleManifests.JOB, "admit", file("queues.yaml", SampleManifests.QUEUES), "-"))
        .isEqualTo(fromFile);
    assertThat(CommandLineRun.reading(TOGETHER, "controller", "--dry-run", "-").exitCode())
        .isZero();
  }

  @Test
  void otherCommandsReadStandardInput() throws IOException {
    Path fleet = RESOURCES.resolve("tpu/superpod.yaml");
    assertThat(CommandLineRun.reading(Files.readString(fleet), "tpu", "fit", "-"))
        .isEqualTo(CommandLineRun.of("tpu", "fit", fleet));

    CommandLineRun trace = CommandLineRun.reading("", "trace", "-");
    assertThat(trace.err()).startsWith("error: standard input: ");
    assertThat(trace.exitCode()).isEqualTo(2);
  }

  @Test
  void standardInputIsGivenOnce() {
    for (Object[] arguments :
        new Object[][] {{"admit", "-", "-"}, {"admit", "-", "--what-if", "-"}}) {
      CommandLineRun run = CommandLineRun.reading(TOGETHER, arguments);
      assertThat(run.err())
          .isEqualTo("error: standard input is given twice; expected - only once\n");
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void anEmptyNameIsNotTheCurrentFolder() {
    CommandLineRun run = CommandLineRun.of("admit", "");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .endsWith("the name of the file is empty; expected a path or -");
  }

  @Test
  void oddBytesAreReadOrNamed() throws IOException {
    String admitted = CommandLineRun.of("admit", file("all.yaml", TOGETHER)).out();
    Path windows = file("windows.yaml", "\uFEFF" + TOGETHER.replace("\n", "\r\n"));
    assertThat(CommandLineRun.of("admit", windows).out()).isEqualTo(admitted);
    String json =
        "---\n{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"a\"}}\n";
    assertThat(CommandLineRun.reading(TOGETHER + json, "admit", "-").out()).isEqualTo(admitted);

    Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {'a', (byte) 0xD0, 0});
    assertThat(CommandLineRun.of("admit", binary).err())
        .isEqualTo("error: " + binary + ": document 1, line 1, column 2: byte 0xD0 at offset 1 is"
            + " not UTF-8; is this a text file?\n");
  }

  @Test
  void messagesNameStandardInput() {
    CommandLineRun empty = CommandLineRun.reading("", "admit", "-");
    assertThat(empty.err())
        .isEqualTo("error: standard input: document 1, line 1, column 1: empty; expected a"
            + " Kubernetes object\n");
    CommandLineRun broken = CommandLineRun.reading("a: [", "admit", "-");
    assertThat(broken.err()).startsWith("error: standard input: document 1, line ");
  }

  @Test
  void aPageOrPictureOnStandardOutputIsAllThatIsPrinted() throws IOException {
    CommandLineRun page = CommandLineRun.reading(TOGETHER, "admit", "-", "--page", "-");
    assertThat(page.out()).startsWith("<!DOCTYPE html>").endsWith("</html>\n");

    CommandLineRun picture =
        CommandLineRun.of("tpu", "fit", RESOURCES.resolve("tpu/superpod.yaml"), "--svg", "-");
    assertThat(picture.out()).startsWith("<svg").endsWith("</svg>\n");

    CommandLineRun topology = CommandLineRun.of(
        "topology",
        Admit.MANIFESTS.resolve("001-tpu-multislice-jobset/50-topology.yaml"),
        Admit.MANIFESTS.resolve("001-tpu-multislice-jobset/00-nodes.derived.yaml"),
        "--svg",
        "-");
    assertThat(topology.out()).startsWith("<svg").endsWith("</svg>\n");
  }
}
