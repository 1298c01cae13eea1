package io.kueue4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ObjectArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

final class MainTest {
  @Test
  void tellsItsCommands() {
    CommandLineRun help = CommandLineRun.of("--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("admit", "tpu", "replay", "trace", "measure", "--version");
    assertThat(help.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"admit", "tpu", "tpu fit", "tpu study", "replay", "trace", "measure", "completion"
      })
  void eachCommandTellsItsOptionsAndExitCodes(String command) {
    Object[] words = command.split(" ");
    CommandLineRun asked = CommandLineRun.of(ObjectArrays.concat(words, "--help"));

    assertThat(asked.exitCode()).isZero();
    assertThat(asked.out()).contains("Usage: kueue4j " + command, "Exit codes:", "2 ");
    assertThat(CommandLineRun.of(help(command)).out()).isEqualTo(asked.out());
  }

  @Test
  void theListOfCommandsHasASentenceForEach() {
    for (Class<?> type : Main.class.getAnnotation(Command.class).subcommands()) {
      Command command = type.getAnnotation(Command.class);
      assertThat(command.description()[0]).as(command.name()).endsWith(".");
    }
  }

  /** {@return the arguments that print help for the last command} */
  private static Object[] help(String command) {
    int last = command.lastIndexOf(' ') + 1;
    return (command.substring(0, last) + "help " + command.substring(last)).split(" ");
  }

  @Test
  void tellsItsVersion() {
    CommandLineRun version = CommandLineRun.of("--version");

    assertThat(version.exitCode()).isZero();
    assertThat(version.out()).startsWith("kueue4j ");
    assertThat(CommandLineRun.of("admit", "--version")).isEqualTo(version);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "admit",
        "replay",
        "admti",
        "admit x --colors",
        "admit x --color=some",
        "admit x -o xml",
        "tpu",
        "tpu fit",
        "tpu study -o yaml",
        "trace none",
        "measure none"
      })
  void wrongUseIsOneErrorAndAHint(String arguments) {
    CommandLineRun run =
        CommandLineRun.of((Object[]) (arguments.isEmpty() ? new String[0] : arguments.split(" ")));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.errLines("error: ")).hasSize(1);
    assertThat(run.err().lines()).hasSize(2);
  }

  @Test
  void suggestsTheCommandThatWasMeant() {
    assertThat(CommandLineRun.of("admti").err()).contains("Did you mean: kueue4j admit");
  }

  @Test
  void printsWhatATraceCameToAsKueueSplitsIt() {
    CommandLineRun run = CommandLineRun.of("trace", "baseline", "--repeat", "1");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    String times = "schedule_s=# us_per_admission=# submit_s=# finish_s=#";
    assertThat(run.out().lines().map(line -> line.replaceAll("=[0-9.]+", "=#")))
        .containsExactly(
            "trace baseline: workloads=# ticks=# cycles=# admitted=# preempted=# finished=#",
            "cold: " + times,
            "warm: " + times,
            "class small: n=# avg_time_to_admission_ms=#",
            "class medium: n=# avg_time_to_admission_ms=#",
            "class large: n=# avg_time_to_admission_ms=#");
  }

  @Test
  void refusesToRepeatATraceLessThanOnce() {
    assertThat(CommandLineRun.of("trace", "baseline", "--repeat", "0").exitCode())
        .isEqualTo(2);
  }
}
