package io.kueue4j.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.browser.Browser;
import io.kueue4j.examples.browser.Looks;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of {@code compare}, as text and in a browser. */
class ComparisonReportTest {
  private static final Path LABORATORY =
      Path.of("src", "main", "resources", "simulation").toAbsolutePath();

  @TempDir
  private Path folder;

  private static String compare(String output, Object change) {
    CommandLineRun run = CommandLineRun.of(
        "compare",
        LABORATORY.resolve("lab.swf"),
        "--resource=nvidia.com/gpu",
        "--config",
        LABORATORY.resolve("queues.yaml"),
        "--what-if",
        change,
        "-o",
        output);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static String moreTraining(String output) {
    return compare(output, LABORATORY.resolve("more-training.yaml"));
  }

  @Test
  void itSaysWhoLosesAndWhy() {
    String page = moreTraining("html");
    String losers = page.substring(page.indexOf("Who loses"), page.indexOf("<h2>Who wins"));
    String winners =
        page.substring(page.indexOf("<h2>Who wins"), page.indexOf("<h2>ClusterQueues"));
    assertThat(losers)
        .contains("<bdi>3</bdi>", "1h52m → 1h53m", "+51.5s", "Why they wait after the change")
        .doesNotContain("<bdi>5</bdi>", "<bdi>6</bdi>");
    assertThat(winners)
        .contains("<bdi>5</bdi>", "<bdi>6</bdi>", "−23.7s", "Why they waited before the change")
        .doesNotContain("<bdi>3</bdi>");
    String difference = moreTraining("table")
        .lines()
        .filter(line -> line.startsWith("first difference: "))
        .findFirst()
        .orElseThrow();
    assertThat(page).contains(difference.substring("first difference: ".length()));
  }

  @Test
  void itShowsTheUtilisationOfBoth() {
    assertThat(moreTraining("html"))
        .contains("Utilisation of nvidia.com/gpu", "89.6 %", "502.9 % → 503.0 % wanted");
    assertThat(moreTraining("table").lines().filter(line -> line.startsWith("training ")))
        .singleElement()
        .asString()
        .contains("nvidia.com/gpu ", " % → ");
    assertThat(moreTraining("table").lines().filter(line -> line.startsWith("total ")))
        .singleElement()
        .asString()
        .contains("nvidia.com/gpu 89.6 %", ", 502.9 % → 503.0 % wanted");
  }

  @Test
  void chartsOfBothAreOnOneScale() throws IOException {
    JsonNode charts = ReportData.of(moreTraining("html"), "charts");
    assertThat(charts.size()).isEqualTo(20);
    for (int i = 0; i < charts.size(); i += 2) {
      JsonNode before = charts.get(i);
      JsonNode after = charts.get(i + 1);
      assertThat(before.path("top")).isEqualTo(after.path("top"));
      assertThat(before.path("x")).isEqualTo(after.path("x"));
    }
    assertThat(charts.get(0).path("top").asDouble()).isEqualTo(16);
  }

  @Test
  void equalSimulationsHaveNoLosers() {
    assertThat(compare("html", LABORATORY.resolve("queues.yaml")))
        .contains("The change makes no difference.", "No user does.", "0 of 6 users");
  }

  @Test
  void itIsReadableOnEveryScreen() throws Exception {
    String page = moreTraining("html");
    try (Browser browser = Browser.open(folder)) {
      for (Looks looks : Looks.values()) {
        browser.look(looks);
        browser.show(folder.resolve("report.html"), page);
        ReportData.awaitTimeline(browser, 2);
        assertThat(browser.await("document.querySelectorAll('.chart canvas').length", "12"))
            .as("%s", looks)
            .isEqualTo("12");
        assertThat(browser.complaints()).as("%s", looks).isEmpty();
        assertThat(browser.overflow()).as("%s", looks).isZero();
        assertThat(browser.paleTexts()).as("%s", looks).isEmpty();
      }
      browser.evaluate("document.getElementById('find').value = 'job-37';"
          + "document.getElementById('find').dispatchEvent(new Event('input'));"
          + "document.querySelector('[data-do=next]').click()");
      assertThat(browser.evaluate("document.getElementById('job').textContent"))
          .matches("job-37, user \\d, in evaluation: before submitted .*; after submitted .*");
    }
  }
}
