package io.kueue4j.examples.monitoring;

import static io.kueue4j.examples.monitoring.MonitoredEngine.job;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.decision.QuotaUsage;
import io.kueue4j.core.model.Workload;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class MonitorPageTest {
  private static final String HOSTILE =
      "<script>alert('1')</script>\" onload=\"x & \u0000 \u202e ]]> é \ud83d\ude80";

  private static Document parse(String page) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(page.getBytes(UTF_8)));
  }

  private static List<Element> elements(Document page, String tag) {
    NodeList found = page.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  /** {@return the texts of the cells of each row in a section} */
  private static List<List<String>> rows(Document page, String section) {
    List<List<String>> rows = new ArrayList<>();
    for (Element candidate : elements(page, "section")) {
      if (candidate.getAttribute("aria-labelledby").equals(section)) {
        NodeList found = candidate.getElementsByTagName("tr");
        for (int i = 0; i < found.getLength(); i++) {
          List<String> cells = new ArrayList<>();
          NodeList children = found.item(i).getChildNodes();
          for (int j = 0; j < children.getLength(); j++) {
            cells.add(children.item(j).getTextContent().strip());
          }
          rows.add(cells);
        }
      }
    }
    return rows;
  }

  @Test
  void queuesAreShownWithWhatTheyBorrow() throws Exception {
    Document page = parse(MonitorPage.write(MonitoredEngine.busy().view(), "Batch"));
    List<List<String>> rows = rows(page, "queues");
    assertThat(rows).hasSize(4);
    assertThat(rows.get(3).subList(1, 6)).containsExactly("spot", "cpu", "6", "4", "2");
    assertThat(rows.get(1).subList(1, 6)).containsExactly("spot", "cpu", "4", "6", "–");
    assertThat(rows.get(2).get(0)).contains("paused", "Inactive: Stopped");
    assertThat(elements(page, "svg"))
        .extracting(bar -> bar.getAttribute("aria-label"))
        .contains("cpu of spot: 6 of 4 used, 2 borrowed", "cpu of spot: 4 of 6 used");
  }

  @Test
  void cohortsAddUpWhatIsBelowThem() throws Exception {
    Document page = parse(MonitorPage.write(MonitoredEngine.busy().view(), "Batch"));
    assertThat(rows(page, "cohorts").get(1).subList(0, 5))
        .containsExactly("research2 ClusterQueues", "spot", "cpu", "10", "10");
  }

  @Test
  void whatWaitsIsShownInOrderWithReasons() throws Exception {
    Document page = parse(MonitorPage.write(MonitoredEngine.busy().view(), "Batch"));
    List<List<String>> rows = rows(page, "waiting");
    assertThat(rows).hasSize(3);
    assertThat(rows.get(1).get(0)).startsWith("large");
    assertThat(rows.get(1).subList(1, 6))
        .containsExactly("language", "1", "Inadmissible", "0", "5 cpu");
    assertThat(rows.get(1).get(6)).contains("cpu in flavor spot: requests 5");
    assertThat(rows.get(2).get(6)).contains("paused has the stop policy Hold");
  }

  @Test
  void whatRunsIsShownWithItsAge() throws Exception {
    Document page = parse(MonitorPage.write(MonitoredEngine.busy().view(), "Batch"));
    List<List<String>> rows = rows(page, "running");
    assertThat(rows).hasSize(4);
    assertThat(rows.get(3).get(0)).startsWith("borrower");
    assertThat(rows.get(3).subList(1, 6))
        .containsExactly(
            "vision", "Admitted", "0", "2026-01-01 00:00:00 UTC1 h 1 min", "6 cpu of spot");
  }

  @Test
  void anEmptyEngineHasAPageToo() throws Exception {
    Document page = parse(MonitorPage.write(
        new MonitorView(
            MonitoredEngine.NOW,
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of(),
            0,
            ImmutableList.of(),
            0,
            ImmutableList.of()),
        "Batch"));
    assertThat(page.getDocumentElement().getTextContent())
        .contains("There is no ClusterQueue.", "Nothing waits.", "Nothing runs.");
  }

  @Test
  void onlySoManyWorkloadsAreShown() throws Exception {
    MonitoredEngine monitored = MonitoredEngine.busy();
    MonitorView view = MonitorView.of(monitored.engine.view(), MonitoredEngine.NOW, 1);
    assertThat(view.waiting()).hasSize(1);
    assertThat(view.otherWaitingCount()).isEqualTo(1);
    assertThat(view.running()).hasSize(1);
    assertThat(view.otherRunningCount()).isEqualTo(2);
    Document page = parse(MonitorPage.write(view, "Batch"));
    assertThat(page.getDocumentElement().getTextContent()).contains("and 1 more", "and 2 more");
  }

  @Test
  void whatIsKeptOutOfTheQueuesIsShownAfterWhatWaits() throws Exception {
    MonitorView view = MonitoredEngine.busy().view();
    MonitorView more = view.withDelayed(ImmutableList.of(
        MonitorView.Waiting.delayed(job("again", "team", 2), "vision", "preempted too often")));
    List<List<String>> rows = rows(parse(MonitorPage.write(more, "Batch")), "waiting");
    assertThat(rows).hasSize(view.waiting().size() + 2);
    List<String> last = rows.get(rows.size() - 1);
    assertThat(last.get(0)).startsWith("again");
    assertThat(last).contains("vision").last().asString().contains("preempted too often");
  }

  @Test
  void warningsComeFirst() throws Exception {
    MonitorView view =
        MonitoredEngine.busy().view().withWarnings(ImmutableList.of("notes are not sealed"));
    String text = parse(MonitorPage.write(view, "Batch")).getDocumentElement().getTextContent();
    assertThat(text).contains("notes are not sealed");
    assertThat(text.indexOf("notes are not sealed")).isLessThan(text.indexOf("Quota and usage"));
    assertThat(MonitorPage.write(MonitoredEngine.busy().view(), "Batch"))
        .doesNotContain("Warnings");
  }

  @Test
  void looksDoNotChangeAnything() {
    MonitoredEngine monitored = MonitoredEngine.busy();
    assertThat(monitored.view()).isEqualTo(monitored.view());
    assertThat(monitored.engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void hostileNamesAreTextAndNothingElse() throws Exception {
    Workload workload =
        Workload.builder().from(job(HOSTILE, HOSTILE, 1)).namespace(HOSTILE).build();
    MonitorView view = new MonitorView(
        MonitoredEngine.NOW,
        ImmutableList.of(new MonitorView.Queue(
            HOSTILE,
            Optional.of(HOSTILE),
            HOSTILE,
            Optional.of(HOSTILE),
            1,
            1,
            1,
            ImmutableList.of(new QuotaUsage(HOSTILE, HOSTILE, 1, Long.MAX_VALUE, 0)))),
        ImmutableList.of(),
        ImmutableList.of(new MonitorView.Waiting(
            workload,
            HOSTILE,
            0,
            true,
            ImmutableSortedMap.of(HOSTILE, 1L),
            ImmutableList.of(HOSTILE))),
        0,
        ImmutableList.of(new MonitorView.Running(
            workload,
            HOSTILE,
            MonitorView.State.STOPPING,
            MonitoredEngine.NOW,
            ImmutableList.of(new HeldQuota(HOSTILE, HOSTILE, 1)))),
        0,
        ImmutableList.of(HOSTILE));
    String text = MonitorPage.write(view, HOSTILE);
    Document page = parse(text);
    assertThat(elements(page, "script")).isEmpty();
    assertThat(text).doesNotContain("<script", "onload=\"");
    assertThat(rows(page, "waiting").get(1).get(6)).startsWith("<script>alert('1')</script>");
    assertThat(elements(page, "title").get(0).getTextContent())
        .isEqualTo(HOSTILE.replace('\u0000', '\ufffd'));
  }

  @Test
  void nothingIsFetchedFromElsewhere() throws Exception {
    String text = MonitorPage.write(MonitoredEngine.busy().view(), "Batch");
    Document page = parse(text);
    for (String tag : new String[] {"script", "link", "img", "iframe", "object"}) {
      assertThat(elements(page, tag)).as(tag).isEmpty();
    }
    assertThat(text).doesNotContain("url(", "@import", "src=");
  }

  @Test
  void itIsAccessible() throws Exception {
    Document page = parse(MonitorPage.write(MonitoredEngine.busy().view(), "Batch"));
    assertThat(page.getDocumentElement().getAttribute("lang")).isEqualTo("en");
    assertThat(elements(page, "table")).hasSize(4);
    assertThat(elements(page, "caption")).hasSize(4);
    assertThat(elements(page, "th"))
        .allMatch(heading -> !heading.getAttribute("scope").isEmpty());
    assertThat(elements(page, "svg"))
        .allMatch(bar -> bar.getAttribute("role").equals("img")
            && !bar.getAttribute("aria-label").isEmpty());
    Set<String> ids = new HashSet<>();
    for (Element heading : elements(page, "h2")) {
      assertThat(ids.add(heading.getAttribute("id"))).isTrue();
    }
  }

  @Test
  void aBrowserShowsIt(@TempDir Path folder) throws Exception {
    Optional<File> browser = Stream.of("chromium", "chromium-browser", "google-chrome", "chrome")
        .flatMap(name -> Stream.of(
                Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
            .map(path -> new File(path, name)))
        .filter(File::canExecute)
        .findFirst();
    assumeTrue(browser.isPresent(), "no browser is installed");
    Path page = folder.resolve("page.html");
    Path picture = folder.resolve("page.png");
    Files.writeString(page, MonitorPage.write(MonitoredEngine.busy().view(), "Batch"), UTF_8);
    Process process = new ProcessBuilder(
            browser.get().getPath(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--user-data-dir=" + folder.resolve("profile"),
            "--window-size=1000,800",
            "--screenshot=" + picture,
            page.toUri().toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
    boolean ended = process.waitFor(Duration.ofMinutes(1).toMillis(), TimeUnit.MILLISECONDS);
    process.destroyForcibly();
    assumeTrue(ended && Files.exists(picture), "the browser does not work here");
    BufferedImage image = ImageIO.read(picture.toFile());
    Set<Integer> colors = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        colors.add(image.getRGB(x, y) & 0xffffff);
      }
    }
    // The bars, in light colours or in dark ones.
    assertThat(colors).containsAnyOf(0x0072b2, 0x56b4e9).containsAnyOf(0xd55e00, 0xf0a04b);
  }
}
