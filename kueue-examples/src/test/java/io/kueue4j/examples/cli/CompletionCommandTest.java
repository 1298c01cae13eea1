package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script, in a real shell. */
final class CompletionCommandTest {
  private static final Path BASH = Path.of("/bin/bash");

  @TempDir
  private Path folder;

  @BeforeEach
  void print() throws IOException {
    assumeTrue(Files.isExecutable(BASH));
    CommandLineRun run = CommandLineRun.of("completion");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    Files.writeString(folder.resolve("script"), run.out());
  }

  /** {@return what bash offers for the last of these words} */
  private List<String> completions(String... words) throws IOException, InterruptedException {
    // Outside of a completion the builtin compopt fails; a function without offers fails, too.
    String script =
        "compopt() { :; } && source ./script && COMP_WORDS=(\"$@\") && COMP_CWORD=$(($# - 1))"
            + " && COMP_LINE=\"$*\" && COMP_POINT=${#COMP_LINE}"
            + " && { _complete_kueue4j || :; } && printf '%s\\n' \"${COMPREPLY[@]}\"";
    ProcessBuilder builder = new ProcessBuilder(BASH.toString(), "--norc", "-c", script, "bash");
    builder.command().addAll(List.of(words));
    Process process = builder
        .directory(folder.toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
    try (InputStream out = process.getInputStream()) {
      List<String> lines = Splitter.on('\n')
          .trimResults()
          .omitEmptyStrings()
          .splitToList(new String(out.readAllBytes(), UTF_8));
      assertThat(process.waitFor()).as(Files.readString(folder.resolve("err"))).isZero();
      return lines;
    }
  }

  @Test
  void commandsAreCompleted() throws Exception {
    assertThat(completions("kueue4j", "a")).containsExactly("admit");
    assertThat(completions("kueue4j", "tpu", "")).contains("fit", "study");
  }

  @Test
  void optionsAndTheirValuesAreCompleted() throws Exception {
    assertThat(completions("kueue4j", "admit", "--fin")).containsExactly("--finish");
    assertThat(completions("kueue4j", "admit", "--col")).containsExactly("--color");
    assertThat(completions("kueue4j", "admit", "-o", ""))
        .containsExactlyInAnyOrder("table", "wide", "json", "yaml");
    assertThat(completions("kueue4j", "harness", "--color", ""))
        .containsExactlyInAnyOrder("auto", "always", "never");
    assertThat(completions("kueue4j", "lint", "--fail-on", ""))
        .containsExactlyInAnyOrder("error", "warning", "note", "never");
  }

  @Test
  void optionsWithOneWordForTheirValueHaveTheirOwn() throws Exception {
    assertThat(completions("kueue4j", "simulate", "--format", "")).contains("swf", "sacct");
    assertThat(completions("kueue4j", "simulate", "-o", "")).contains("html", "csv");
  }

  @Test
  void negationsAndFeatureGatesAreCompleted() throws Exception {
    assertThat(completions("kueue4j", "simulate", "--no-")).containsExactly("--no-fair-sharing");
    assertThat(completions("kueue4j", "tpu", "study", "--no-")).containsExactly("--no-times");
    assertThat(completions("kueue4j", "admit", "--feature-gate", "PartialA"))
        .containsExactlyInAnyOrder("PartialAdmission=true", "PartialAdmission=false");
  }

  @Test
  void elsewhereTheShellCompletesFiles() throws Exception {
    assertThat(completions("kueue4j", "admit", "queue")).isEmpty();
    assertThat(completions("kueue4j", "simulate", "--config", "queue")).isEmpty();
    assertThat(Files.readString(folder.resolve("script")))
        .contains("-o default", "kueue4j", "bashcompinit")
        .doesNotContain("+o default");
  }
}
