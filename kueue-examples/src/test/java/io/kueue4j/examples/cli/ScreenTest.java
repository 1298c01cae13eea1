package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import io.kueue4j.examples.CommandLineRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Colors, and lines that are wrapped at the width of a terminal. */
final class ScreenTest {
  private static final String ESCAPE = "\u001b[";
  private static final Object[] PENDING =
      Admit.files("001-tpu-multislice-jobset", "10-kueue.yaml", "20-jobsets-autopilot.yaml");

  private static Terminal terminal(int width, boolean colored) {
    return new Terminal(true, true, colored, width, Ticker.systemTicker());
  }

  private static CommandLineRun admit(Terminal terminal, Object... options) {
    return CommandLineRun.on(
        terminal, Admit.with(new Object[] {"admit"}, Admit.with(PENDING, options)));
  }

  @Test
  void headingsAndStatusAreColoredOnATerminal() {
    CommandLineRun run = admit(terminal(400, true));

    assertThat(run.out().lines()).first().asString().startsWith("\u001b[1mNAME ");
    assertThat(run.out())
        .contains("\u001b[32mAdmitted   \u001b[0m", "\u001b[33mPending    \u001b[0m");
    assertThat(run.out().replaceAll("\u001b\\[[0-9]+m", ""))
        .isEqualTo(admit(Terminal.none()).out());
  }

  @Test
  void theOptionDecidesBeforeTheTerminal() {
    assertThat(admit(terminal(400, true), "--color=never").out()).doesNotContain(ESCAPE);
    assertThat(admit(terminal(400, false), "--color=auto").out()).doesNotContain(ESCAPE);
    assertThat(admit(Terminal.none(), "--color=ALWAYS").out()).contains(ESCAPE);
    assertThat(admit(Terminal.none(), "--color=always", "-o", "json").out()).doesNotContain(ESCAPE);
    assertThat(CommandLineRun.of("--color=always", "admit", "--help").out()).contains(ESCAPE);
    assertThat(CommandLineRun.on(terminal(80, true), "admit", "--help", "--color=never")
            .out())
        .doesNotContain(ESCAPE);
  }

  @Test
  void theEnvironmentDecidesOnColors() {
    assertThat(colored(Map.of(), "terminal")).isTrue();
    assertThat(colored(Map.of(), "")).isFalse();
    assertThat(colored(Map.of("NO_COLOR", "1"), "terminal")).isFalse();
    assertThat(colored(Map.of("NO_COLOR", ""), "terminal")).isTrue();
    assertThat(colored(Map.of("NO_COLOR", "1", "CLICOLOR_FORCE", "1"), "terminal"))
        .isFalse();
    assertThat(colored(Map.of("CLICOLOR_FORCE", "1"), "")).isTrue();
    assertThat(colored(Map.of("CLICOLOR_FORCE", "0"), "")).isFalse();
    assertThat(colored(Map.of("CLICOLOR", "0"), "terminal")).isFalse();
    assertThat(colored(Map.of("TERM", "dumb"), "terminal")).isFalse();
  }

  private static boolean colored(Map<String, String> environment, String stdout) {
    return Terminal.of(environment, stdout, "").colored();
  }

  @Test
  void theWidthIsThatOfTheTerminal() {
    assertThat(Terminal.of(Map.of("COLUMNS", "132"), "", "").width()).isEqualTo(132);
    assertThat(Terminal.of(Map.of("COLUMNS", "1"), "", "").width()).isEqualTo(60);
    assertThat(Terminal.of(Map.of("COLUMNS", "wide"), "", "").width()).isEqualTo(100);
  }

  @Test
  void reasonsAreWrappedOnATerminalOnly() {
    CommandLineRun wrapped = admit(terminal(100, false), "-o", "wide");

    assertThat(wrapped.out().lines())
        .containsSubsequence(
            "    pod set slice: google.com/tpu in flavor vlp-24: requests 24, 0 available, 24 more"
                + " needed (in use",
            "        24, nominal quota 24), and no workload may be preempted for it");
    assertThat(wrapped.out().lines().filter(line -> line.contains("because:")))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    assertThat(admit(Terminal.none()).out().lines().anyMatch(line -> line.length() > 150))
        .isTrue();
  }

  @Test
  void aWideTerminalHasTheReasonsInTheirColumn() {
    TextTable table = new TextTable(List.of("NAME", "REASON"));
    table.add(List.of("a", "one two three four five six seven eight nine ten eleven twelve"));
    StringWriter text = new StringWriter();

    table.print(new Screen(new PrintWriter(text), false, OptionalInt.of(60)));

    assertThat(text.toString().lines())
        .containsExactly(
            "NAME   REASON",
            "a      one two three four five six seven eight nine ten",
            "           eleven twelve");
  }

  @Test
  void wordsAreNotBroken() {
    assertThat(Screen.wrap("  a " + "b".repeat(20) + " c", 10))
        .containsExactly("  a", "      " + "b".repeat(20), "      c");
  }
}
