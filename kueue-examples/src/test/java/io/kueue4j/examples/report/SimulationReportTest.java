package io.kueue4j.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.browser.Browser;
import io.kueue4j.examples.browser.Looks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of {@code simulate}, as text and in a browser. */
class SimulationReportTest {
  /** How many charts are drawn. */
  private static final String CHARTS = "[...document.querySelectorAll('.chart')]"
      + ".filter(each => each.querySelector('canvas')).length + ' of ' +"
      + " document.querySelectorAll('.chart').length";

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
        "-o",
        "html");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void theOptionReportWritesTheSamePage() throws IOException {
    Path file = folder.resolve("my report.html");
    CommandLineRun run =
        CommandLineRun.of("simulate", LABORATORY.resolve("lab.swf"), "--report", file);
    assertThat(run.out()).startsWith("120 of 120 jobs finished");
    CommandLineRun page =
        CommandLineRun.of("simulate", LABORATORY.resolve("lab.swf"), "--report", "-");
    assertThat(Files.readString(file)).contains("lab.swf --report &apos;" + file + "&apos;</dd>");
    assertThat(withoutCommand(Files.readString(file))).isEqualTo(withoutCommand(page.out()));
  }

  private static String withoutCommand(String page) {
    return page.replaceAll("<dt>Command</dt><dd>[^<]*</dd>", "");
  }

  @Test
  void itSaysWhyTheWorstOffUsersWaited() {
    assertThat(laboratory())
        .contains(
            "Users who waited longest, and why",
            "the engine was asked at 5 times during the wait",
            "<bdi>2</bdi></th><td data-label=\"Job\"><span>job-85</span>",
            "5 of 5 times: 1 before it in the queue; workload default/job-84, which is equal for"
                + " scheduling, did not fit; pod set main: nvidia.com/gpu in flavor a100: requests"
                + " 8, 0 available, 8 more needed (in use 16, nominal quota 10), and no workload"
                + " may be preempted for it");
  }

  @Test
  void allJobsHaveTheirUtilisationAndDemand() {
    assertThat(laboratory().replaceAll("<[^>]*>", " ").replaceAll("\\s+", " "))
        .contains("Utilisation of nvidia.com/gpu 89.6 % 502.9 % wanted")
        .contains("training 46 46")
        .contains("total 120 120");
  }

  @Test
  void chartsHaveNominalBorrowedAndLentQuota() throws IOException {
    JsonNode charts = ReportData.of(laboratory(), "charts");
    for (String title :
        List.of("Quota in use: nvidia.com/gpu in flavor a100", "nvidia.com/gpu in flavor a100")) {
      assertThat(laboratory()).contains("<figcaption>" + title + "</figcaption>");
    }
    assertThat(charts)
        .filteredOn(chart -> chart.findValuesAsText("label").contains("nominal quota"))
        .hasSize(3)
        .allSatisfy(chart -> assertThat(chart.findValuesAsText("label"))
            .containsExactly("in use", "nominal quota", "borrowed", "lent"));
    // All share one axis of time, which ends with the simulation.
    assertThat(charts)
        .filteredOn(chart -> chart.path("time").asBoolean())
        .extracting(chart -> chart.path("x").get(chart.path("x").size() - 1).asDouble())
        .hasSize(9)
        .containsOnly(charts.get(0).path("x").get(500).asDouble());
  }

  @Test
  void quotaOfCohortsIsShown() throws IOException {
    JsonNode charts = ReportData.of(
        CommandLineRun.of("simulate", LABORATORY.resolve("lab.swf"), "-o", "html")
            .out(),
        "charts");
    assertThat(charts.get(0).findValuesAsText("label"))
        .containsExactly("in use", "nominal quota", "quota of cohorts", "borrowed", "lent");
    assertThat(charts.get(0).at("/lines/2/y/0").asDouble()).isEqualTo(16);
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
        ReportData.awaitTimeline(browser, 1);
        browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)");
        assertThat(browser.await(CHARTS, "10 of 10")).as("%s", looks).isEqualTo("10 of 10");
        assertThat(browser.complaints()).as("%s", looks).isEmpty();
        assertThat(browser.overflow()).as("%s", looks).isZero();
        assertThat(browser.paleTexts()).as("%s", looks).isEmpty();
      }
      assertThat(browser.evaluate("document.querySelectorAll('figure details table').length"))
          .isEqualTo("10");
    }
  }

  @Test
  void theTimelineFindsAndDescribesJobs() throws Exception {
    try (Browser browser = Browser.open(folder)) {
      browser.look(Looks.WIDE_LIGHT);
      browser.show(folder.resolve("report.html"), laboratory());
      ReportData.awaitTimeline(browser, 1);
      assertThat(status(browser)).isEqualTo("120 jobs");

      find(browser, "job-85");
      assertThat(status(browser)).isEqualTo("1 of 120 jobs found");
      assertThat(browser.evaluate("document.querySelector('#found tbody').textContent"))
          .startsWith("job-852trainingsubmitted 2026-01-01 ");
      browser.evaluate("document.querySelector('#timeline form').requestSubmit()");
      assertThat(status(browser))
          .matches("job-85, user 2, in training: submitted 2026-01-01 [0-9:]+, waited 15h40m,"
              + " started 2026-01-02 [0-9:]+, ended 2026-01-02 [0-9:]+");

      find(browser, "evaluation");
      assertThat(status(browser)).isEqualTo("74 of 120 jobs found");
      find(browser, "no such job");
      assertThat(status(browser)).isEqualTo("0 of 120 jobs found");
      find(browser, "");
      press(browser, "Enter");
      assertThat(status(browser)).startsWith("job-1, user ");
      press(browser, "ArrowRight");
      assertThat(status(browser)).startsWith("job-").doesNotStartWith("job-1,");
      browser.evaluate("const lanes = document.getElementById('lanes');"
          + "lanes.value = 'user'; lanes.dispatchEvent(new Event('change'))");
      press(browser, "ArrowDown");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void zoomingOneZoomsAll() throws Exception {
    try (Browser browser = Browser.open(folder)) {
      browser.look(Looks.WIDE_LIGHT);
      browser.show(folder.resolve("report.html"), laboratory());
      ReportData.awaitTimeline(browser, 1);
      browser.evaluate("const shown = () => [...document.querySelectorAll('.uplot')]"
          + ".map(plot => plot.querySelector('canvas').toDataURL());"
          + "let before = []");
      String changed = "shown().filter((each, i) => each !== before[i]).length";
      // Charts may still be drawn.
      assertThat(browser.await("{ const n = " + changed + "; before = shown(); n }", "0"))
          .isEqualTo("0");
      press(browser, "+");
      // The chart of waits has no axis of time.
      assertThat(browser.evaluate("before.length")).isEqualTo("7");
      assertThat(browser.await(changed, "6")).isEqualTo("6");
      press(browser, "0");
      assertThat(browser.await(changed, "0")).isEqualTo("0");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static String status(Browser browser) throws InterruptedException {
    return browser.evaluate("document.getElementById('job').textContent");
  }

  private static void find(Browser browser, String text) throws InterruptedException {
    String unused = browser.evaluate("document.getElementById('find').value = '" + text + "';"
        + "document.getElementById('find').dispatchEvent(new Event('input')); ''");
  }

  private static void press(Browser browser, String key) throws InterruptedException {
    String unused = browser.evaluate("document.querySelector('.view')"
        + ".dispatchEvent(new KeyboardEvent('keydown', {key: '" + key + "'})); ''");
  }

  @Test
  void aLongSimulationHasAShortReport() {
    Random random = new Random(5);
    StringBuilder log = new StringBuilder("; MaxProcs: 400\n");
    for (int i = 1; i <= 6_000; i++) {
      log.append(i).append(' ').append(i * 7L).append(" -1 ").append(random.nextInt(2000));
      log.append(' ').append(1 + random.nextInt(3)).append(" -1 -1 -1 -1 -1 1 ");
      log.append(random.nextInt(50)).append(" 1 -1 ").append(random.nextInt(60)).append('\n');
    }
    CommandLineRun run = CommandLineRun.reading(log.toString(), "simulate", "-", "--report", "-");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("The 30 ClusterQueues with most jobs; 30 more have none here.");
    assertThat(run.out().length()).isLessThan(2_000_000);
    assertThat(List.of(run.out().split("data-chart=", -1))).hasSize(1 + 3 + 3 + 2 * 30);
  }
}
