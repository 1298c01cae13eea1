package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.CommandLineRun;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the help of commands says. */
class HelpTest {
  private static final String PROGRAM = "  kueue4j ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "admit",
        "explain",
        "lint",
        "estimate",
        "simulate",
        "compare",
        "topology",
        "snapshot",
        "controller",
        "tpu fit"
      })
  void examplesCanBeRunAsTheyStand(String command) {
    ImmutableList<String> examples = help(command)
        .lines()
        .dropWhile(line -> !line.equals("Examples:"))
        .skip(1)
        .collect(toImmutableList());

    assertThat(examples)
        .isNotEmpty()
        .allMatch(line -> line.startsWith(PROGRAM + command))
        .allSatisfy(line -> {
          String options = line.substring(PROGRAM.length()).replace(" --dry-run cluster/", "");
          assertThat(help(options)).startsWith("Usage: kueue4j " + command);
        });
  }

  private static String help(String words) {
    CommandLineRun run =
        CommandLineRun.of(Stream.concat(Splitter.on(' ').splitToStream(words), Stream.of("--help"))
            .toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void theHelpOfANestedCommandIsItsOwn() {
    assertThat(CommandLineRun.of("help", "tpu", "fit").out()).isEqualTo(help("tpu fit"));
    assertThat(CommandLineRun.of("help", "tpu").out()).startsWith("Usage: kueue4j tpu ");
  }
}
