package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HarnessCommandTest {
  @Test
  void comparesTheEngineWithTheModel() {
    CommandLineRun run = CommandLineRun.of("harness", "--steps", "300", "--seed", "7");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("steps=3").contains("divergences=0");
  }

  @Test
  void playsOneScenarioAgain() {
    CommandLineRun run = CommandLineRun.of("harness", "--scenario", "settings cycle cycle");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualToIgnoringNewLines("steps=2 divergences=0");
  }

  @Test
  void saysWhatIsWrongWithALine() {
    CommandLineRun run = CommandLineRun.of("harness", "--scenario", "settings fly");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("fly").contains("expected a step");
  }

  @Test
  void playsLargerScenarios() {
    CommandLineRun small = CommandLineRun.of("harness", "--steps", "1000", "--seed", "7");
    CommandLineRun large =
        CommandLineRun.of("harness", "--steps", "1000", "--seed", "7", "--scale", "4");

    assertThat(large.exitCode()).as(large.err()).isZero();
    assertThat(scenarios(large)).isLessThan(scenarios(small) / 2);
  }

  private static int scenarios(CommandLineRun run) {
    return Integer.parseInt(run.out().replaceAll("(?s).*next_seed=(\\d+).*", "$1")) - 7;
  }

  @Test
  void takesAtLeastOneStep() {
    assertThat(CommandLineRun.of("harness", "--steps", "0").exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101"})
  void takesAScaleBetweenOneAndAHundred(String scale) {
    CommandLineRun run = CommandLineRun.of("harness", "--scale", scale);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--scale is " + scale + ", expected 1 to 100");
  }
}
