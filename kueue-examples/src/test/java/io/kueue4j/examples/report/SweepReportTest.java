package io.kueue4j.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.browser.Browser;
import io.kueue4j.examples.browser.Looks;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of {@code sweep}, as text and in a browser. */
class SweepReportTest {
  private static final Path GRID =
      Path.of("src", "main", "resources", "simulation", "sweep.yaml").toAbsolutePath();

  @TempDir
  private Path folder;

  private static String page() {
    CommandLineRun run = CommandLineRun.of("sweep", GRID, "--report", "-");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void itNeedsNoNetworkAndSaysHowItWasMade() {
    assertThat(page())
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains("policy (2) × GPUs of training (3)", "--report -", "Leon Sorokin")
        .containsPattern("<bdi>5</bdi></th>.{0,80}no preemption.{0,80}>18<.{0,80}>all<.{0,80}>120<")
        .contains("uPlot 1.6.30, MIT License", "each.closest('details:not([open])')")
        .doesNotContain("id=\"jobs\"", "class Timeline")
        .doesNotContain("<link", "src=\"http", "@import", "url(http");
  }

  @Test
  void policiesAreShownByQueue() {
    Path policies = GRID.resolveSibling("gpu").resolve("policies.yaml");
    CommandLineRun run = CommandLineRun.of("sweep", policies, "--report", "-");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("Along policy", "Points by ClusterQueue", "<span>burstable</span>")
        .contains("\"connected\":false", "\"label\":\"burstable\"");
  }

  @Test
  void itIsReadableOnEveryScreen() throws Exception {
    String page = page();
    try (Browser browser = Browser.open(folder)) {
      for (Looks looks : Looks.values()) {
        browser.look(looks);
        browser.show(folder.resolve("report.html"), page);
        assertThat(browser.await(
                "document.querySelectorAll('.chart canvas').length + ' of '"
                    + " + document.querySelectorAll('.chart').length",
                "6 of 6"))
            .as("%s", looks)
            .isEqualTo("6 of 6");
        assertThat(browser.complaints()).as("%s", looks).isEmpty();
        assertThat(browser.overflow()).as("%s", looks).isZero();
        assertThat(browser.paleTexts()).as("%s", looks).isEmpty();
      }
    }
  }
}
