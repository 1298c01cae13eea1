package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import org.junit.jupiter.api.Test;

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
  void takesAtLeastOneStep() {
    assertThat(CommandLineRun.of("harness", "--steps", "0").exitCode()).isEqualTo(2);
  }
}
