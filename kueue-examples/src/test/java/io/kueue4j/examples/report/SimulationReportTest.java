package io.kueue4j.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.browser.Browser;
import io.kueue4j.examples.browser.Looks;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of {@code simulate}, as text and in a browser. */
class SimulationReportTest {
  private static final Path LABORATORY =
      Path.of("src", "main", "resources", "simulation").toAbsolutePath();

  @TempDir
  private Path folder;

  private static String laboratory() {
    CommandLineRun run = CommandLineRun.of(
        "simulate",
        LABORATORY.resolve("lab.swf"),
        "--resource=nvidia.com/gpu",
        "--config",
        LABORATORY.resolve("queues.yaml"),
        "--report",
        "-");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void itNeedsNoNetworkAndSaysHowItWasMade() {
    String page = laboratory();
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains("120 of 120 jobs finished", "--resource=nvidia.com/gpu", "kueue4j (not packaged)")
        .contains("Copyright (c)", "Leon Sorokin")
        .doesNotContain("<link", "src=\"http", "@import", "url(http");
    assertThat(laboratory()).isEqualTo(page);
  }

  @Test
  void namesAreEscaped() {
    String name = "</script><b>x";
    CommandLineRun run = CommandLineRun.reading(
        "{\"id\":\"a\",\"submit\":0,\"duration\":1,\"requests\":{\"cpu\":1},\"user\":\"" + name
            + "\"}\n",
        "simulate",
        "-",
        "--report",
        "-");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("&lt;/script&gt;&lt;b&gt;x").doesNotContain(name);
  }

  @Test
  void itIsReadableOnEveryScreen() throws Exception {
    String page = laboratory();
    try (Browser browser = Browser.open(folder)) {
      for (Looks looks : Looks.values()) {
        browser.look(looks);
        browser.show(folder.resolve("report.html"), page);
        browser.evaluate(
            "document.querySelectorAll('details.queue').forEach(each => each.open = true)");
        assertThat(charts(browser)).as("%s", looks).isEqualTo("7 of 7");
        assertThat(browser.complaints()).as("%s", looks).isEmpty();
        assertThat(browser.overflow()).as("%s", looks).isZero();
        assertThat(browser.paleTexts()).as("%s", looks).isEmpty();
      }
      assertThat(browser.evaluate("document.querySelectorAll('figure details table').length"))
          .isEqualTo("7");
    }
  }

  /** {@return how many charts are drawn, after the browser has reacted to opened parts} */
  private static String charts(Browser browser) throws InterruptedException {
    String drawn = "";
    for (int i = 0; i < 100 && !drawn.equals("7 of 7"); i++) {
      drawn = browser.evaluate("[...document.querySelectorAll('.chart')]"
          + ".filter(each => each.querySelector('canvas')).length + ' of ' +"
          + " document.querySelectorAll('.chart').length");
      Thread.sleep(20);
    }
    return drawn;
  }

  @Test
  void aLongSimulationHasAShortReport() {
    Random random = new Random(5);
    StringBuilder log = new StringBuilder("; MaxProcs: 400\n");
    for (int i = 1; i <= 20_000; i++) {
      log.append(i).append(' ').append(i * 7L).append(" -1 ").append(random.nextInt(2000));
      log.append(' ').append(1 + random.nextInt(3)).append(" -1 -1 -1 -1 -1 1 ");
      log.append(random.nextInt(50)).append(" 1 -1 ").append(random.nextInt(60)).append('\n');
    }
    CommandLineRun run = CommandLineRun.reading(log.toString(), "simulate", "-", "--report", "-");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("The 30 ClusterQueues with most jobs; 30 more have none here.");
    assertThat(run.out().length()).isLessThan(2_000_000);
    assertThat(List.of(run.out().split("data-chart=", -1))).hasSize(1 + 3 + 2 * 30);
  }
}
