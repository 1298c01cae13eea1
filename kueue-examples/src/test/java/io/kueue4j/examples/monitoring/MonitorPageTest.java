package io.kueue4j.examples.monitoring;

import static io.kueue4j.examples.monitoring.MonitoredEngine.job;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
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

  private static String write(MonitorView view) {
    return MonitorPage.write(view, "Batch");
  }

  private static String serve(MonitorView view, String query) {
    return MonitorPage.serve(view, "Batch", PageQuery.parse(query), Duration.ofSeconds(30));
  }

  /** {@return the first cells of the rows of a section, without its headings} */
  private static List<String> names(String page, String section) throws Exception {
    return rows(parse(page), section).stream().skip(1).map(row -> row.get(0)).toList();
  }

  @Test
  void queuesAreShownWithWhatTheyBorrowAndLend() throws Exception {
    Document page = parse(write(MonitoredEngine.busy().view()));
    List<List<String>> rows = rows(page, "queues");
    assertThat(rows).hasSize(7);
    assertThat(rows.get(1).get(0))
        .isEqualTo("language cohort research · BestEffortFIFO · 2 running · 1 pending"
            + " (1 inadmissible)");
    assertThat(rows.get(2).subList(0, 8))
        .containsExactly("spot", "cpu", "4", "6", "66 % ▼ lent out", "–", "2", "0");
    assertThat(rows.get(3).get(0)).contains("paused", "Inactive: Stopped");
    assertThat(rows.get(6).subList(0, 8))
        .containsExactly("spot", "cpu", "6", "4", "150 % ◆ borrowing", "2", "–", "0");
    assertThat(elements(page, "svg"))
        .extracting(bar -> bar.getAttribute("aria-label"))
        .contains("cpu of spot: 6 of 4 used, 2 borrowed", "cpu of spot: 4 of 6 used");
  }

  @Test
  void cohortsAddUpWhatIsBelowThem() throws Exception {
    List<List<String>> rows = rows(parse(write(MonitoredEngine.busy().view())), "cohorts");
    assertThat(rows.get(1).get(0)).isEqualTo("research 2 ClusterQueues");
    assertThat(rows.get(2).subList(0, 6))
        .containsExactly("spot", "cpu", "10", "10", "100 % ■ full", "2");
  }

  @Test
  void whatWaitsIsShownInOrderWithReasons() throws Exception {
    List<List<String>> rows = rows(parse(write(MonitoredEngine.busy().view())), "waiting");
    assertThat(rows).hasSize(3);
    assertThat(rows.get(1).get(0)).startsWith("large").contains("team · queue language");
    assertThat(rows.get(1).subList(1, 7))
        .containsExactly("language", "1", "Inadmissible", "0", "1 h 1 min", "5 cpu");
    assertThat(rows.get(1).get(7)).contains("cpu in flavor spot: requests 5");
    assertThat(rows.get(2).get(7)).contains("paused has the stop policy Hold");
  }

  /** {@return an engine that promises a start: 4 of 6 cores are in use for 100 seconds} */
  private static AdmissionEngine promising() {
    AdmissionEngine engine = AdmissionEngine.builder()
        .clock(() -> MonitoredEngine.NOW)
        .settings(Settings.builder().backfill(Backfill.ofDepth(1)).build())
        .build();
    engine.apply(
        ResourceFlavor.of("spot"),
        MonitoredEngine.queue("language", 6).build(),
        LocalQueue.of("team", "language", "language"));
    for (Workload job : List.of(job("first", "language", 4), job("large", "language", 5))) {
      engine.submit(Workload.builder()
          .from(job)
          .maximumExecutionTime(Duration.ofSeconds(100))
          .build());
      engine.runCycle();
    }
    return engine;
  }

  @Test
  void aPromisedStartIsShown() throws Exception {
    AdmissionEngine engine = promising();
    engine.submit(job("second", "language", 6));
    engine.runCycle();
    MonitorView view = MonitorView.of(engine.view(), MonitoredEngine.NOW.plusSeconds(30));
    for (MonitorView each : List.of(view, view.visibleIn("team"::equals))) {
      List<List<String>> rows = rows(parse(write(each)), "waiting");
      assertThat(rows.get(0).get(6)).isEqualTo("Starts at the latest");
      assertThat(rows.get(1).get(6)).isEqualTo("2026-01-01 00:01:40 UTC");
      assertThat(rows.get(2).get(6)).isEqualTo("–");
      assertThat(serve(each, "job=team%2Flarge"))
          .contains("<dt>Starts at the latest</dt><dd><bdi>2026-01-01 00:01:40 UTC</bdi></dd>");
    }
    assertThat(write(MonitoredEngine.busy().view())).doesNotContain("Starts at the latest");
  }

  @Test
  void amongManyTheLongestWaitsAreShownWithTheirReasons() throws Exception {
    AdmissionEngine engine = promising();
    for (int i = 0; i < 10; i++) {
      engine.submit(Workload.builder()
          .from(job("job-" + i, "language", 6))
          .priority(i)
          .creationTime(MonitoredEngine.NOW.plusSeconds(i - 5))
          .build());
    }
    MonitorView view = MonitorView.of(engine.view(), MonitoredEngine.NOW.plusSeconds(30));
    List<List<String>> rows = rows(parse(write(view)), "longest");
    assertThat(rows).hasSize(11);
    assertThat(rows.get(1).get(0)).startsWith("job-0");
    assertThat(rows.get(1).subList(1, 8))
        .containsExactly("language", "10", "Pending", "0", "35 s", "–", "6 cpu");
    assertThat(rows.get(1).get(8)).contains("queued in ClusterQueue language");
    assertThat(rows.get(6).get(0) + rows.get(7).get(0)).contains("large");
    assertThat(names(serve(view, "q=job-"), "longest")).isEmpty();
  }

  @Test
  void whatRunsIsShownWithItsAge() throws Exception {
    List<List<String>> rows = rows(parse(write(MonitoredEngine.busy().view())), "running");
    assertThat(rows).hasSize(4);
    assertThat(rows.get(3).get(0)).startsWith("borrower");
    assertThat(rows.get(3).subList(1, 6))
        .containsExactly("vision", "Admitted", "0", "1 h 1 min", "6 cpu of spot");
  }

  @Test
  void equalReasonsAreOneRowWithHoldersAndARemedy() throws Exception {
    MonitoredEngine busy = MonitoredEngine.busy();
    for (int i = 2; i < 6; i++) {
      busy.engine.submit(job("more-" + i, "language", i));
    }
    var unused = busy.engine.runUntilStable(100);
    List<List<String>> rows = rows(parse(write(busy.view())), "reasons");
    assertThat(rows).hasSize(3);
    assertThat(rows.get(1).subList(0, 3))
        .containsExactly(
            "5 jobs",
            "language",
            "cpu in flavor spot: 2–5 requested, 0 available; no workload may be preempted");
    assertThat(rows.get(1).get(3))
        .isEqualTo("cpu in spot: team/modest (2), team/next (2), team/borrower (6 in vision)");
    assertThat(rows.get(1).get(4)).startsWith("large would be admitted if: ");
    assertThat(rows.get(2).subList(0, 2)).containsExactly("1 job", "paused");
  }

  @Test
  void linksWithinThePageLeadSomewhere() throws Exception {
    for (MonitorView view : List.of(
        MonitoredEngine.busy().view(),
        MonitorView.of(AdmissionEngine.create().view(), MonitoredEngine.NOW))) {
      Document page = parse(serve(view, ""));
      Set<String> ids = new HashSet<>();
      elements(page, "h2").forEach(heading -> ids.add("#" + heading.getAttribute("id")));
      assertThat(elements(page, "a").stream().map(link -> link.getAttribute("href")))
          .filteredOn(link -> link.startsWith("#"))
          .isNotEmpty()
          .allMatch(ids::contains);
    }
  }

  @Test
  void jobsHaveTheNamesOfTheirOwners() throws Exception {
    MonitoredEngine busy = MonitoredEngine.busy();
    MonitorView view = MonitorView.of(
        busy.engine.view(),
        MonitoredEngine.NOW,
        workload -> new JobName("JobSet", workload.namespace(), "my-" + workload.name()));
    String page = write(view);
    assertThat(names(page, "waiting"))
        .first()
        .asString()
        .isEqualTo("my-largeJobSet in team · queue language");
    assertThat(names(page, "running")).last().asString().startsWith("my-borrower");
    assertThat(rows(parse(page), "reasons").get(1).get(3))
        .contains("JobSet team/my-borrower (6 in vision)");
    String alone = serve(view, "job=JobSet+team/my-large");
    assertThat(parse(alone).getDocumentElement().getTextContent())
        .contains("Would be admitted if", "JobSet team/my-borrower", "stop");
    assertThat(alone + page).doesNotContain("team/borrower", "team/large");
  }

  @Test
  void anEmptyEngineHasAPageToo() throws Exception {
    assertThat(parse(write(MonitorView.of(AdmissionEngine.create().view(), MonitoredEngine.NOW)))
            .getDocumentElement()
            .getTextContent())
        .contains("There is no ClusterQueue.", "Nothing waits.", "Nothing runs.");
  }

  @Test
  void longListsHaveSeveralPages() throws Exception {
    MonitoredEngine busy = MonitoredEngine.busy();
    for (int i = 0; i < 120; i++) {
      busy.engine.submit(job("w-" + i, "language", 1));
    }
    MonitorView view = busy.view();
    assertThat(names(write(view), "waiting")).hasSize(50);
    assertThat(write(view)).contains("1–50 of 122").doesNotContain("href=\"?");
    String second = serve(view, "waiting=2&q=w-");
    assertThat(second)
        .contains(
            "51–100 of 120", "href=\"?q=w-#waiting\"", "href=\"?q=w-&amp;waiting=3#waiting\"");
    assertThat(names(second, "waiting"))
        .hasSize(50)
        .doesNotContainAnyElementsOf(names(serve(view, "q=w-"), "waiting"));
    assertThat(names(serve(view, "waiting=99"), "waiting")).hasSize(22);
  }

  @Test
  void jobsAreFoundByNameQueueAndNamespace() throws Exception {
    MonitorView view = MonitoredEngine.busy().view();
    assertThat(names(serve(view, "q=LARG"), "waiting"))
        .singleElement()
        .asString()
        .startsWith("large");
    assertThat(names(serve(view, "q=LARG"), "running")).containsExactly("No running job matches.");
    assertThat(names(serve(view, "queue=vision"), "running"))
        .singleElement()
        .asString()
        .startsWith("borrower");
    assertThat(names(serve(view, "queue=vision"), "queues")).hasSize(2);
    assertThat(names(serve(view, "namespace=other"), "waiting"))
        .containsExactly("No pending job matches.");
    assertThat(names(serve(view, "namespace=team"), "waiting")).hasSize(2);
    Document page = parse(serve(view, "queue=vision&q=%22%3E%3Cb%3E"));
    assertThat(elements(page, "b")).isEmpty();
    assertThat(elements(page, "input").get(0).getAttribute("value")).isEqualTo("\"><b>");
    assertThat(elements(page, "option"))
        .filteredOn(option -> option.hasAttribute("selected"))
        .singleElement()
        .extracting(option -> option.getAttribute("value"))
        .isEqualTo("vision");
  }

  @Test
  void aGroupLeadsToItsJobs() throws Exception {
    MonitorView view = MonitoredEngine.busy().view();
    String link = elements(parse(serve(view, "")), "a").stream()
        .filter(each -> each.getTextContent().equals("1 job"))
        .map(each -> each.getAttribute("href"))
        .findFirst()
        .orElseThrow();
    assertThat(link).startsWith("?reason=").endsWith("#waiting");
    String query = link.substring(1, link.indexOf('#'));
    assertThat(names(serve(view, query), "waiting")).hasSize(1);
    assertThat(names(serve(view, "reason=unknown"), "waiting"))
        .containsExactly("No pending job matches.");
  }

  @Test
  void readersMayPauseReloading() {
    MonitorView view = MonitoredEngine.busy().view();
    assertThat(serve(view, "queue=vision"))
        .contains("http-equiv=\"refresh\"", "?pause=1&amp;queue=vision");
    assertThat(serve(view, "pause=1"))
        .doesNotContain("http-equiv=\"refresh\"")
        .contains("reload every 30 s");
    assertThat(serve(view, "job=team/large")).doesNotContain("http-equiv=\"refresh\"");
    assertThat(write(view)).doesNotContain("http-equiv=\"refresh\"");
  }

  @Test
  void aJobThatIsGoneIsSaidToBeGone() throws Exception {
    MonitorView view = MonitoredEngine.busy().view();
    assertThat(serve(view, "job=Job+team/gone")).contains("it may have finished");
    assertThat(parse(serve(view, "job=team/modest")).getDocumentElement().getTextContent())
        .contains("team/modest", "2 cpu of spot");
  }

  @Test
  void pendingJobsAreCountedAsTheCommandLineCounts() throws Exception {
    MonitoredEngine busy = MonitoredEngine.busy();
    busy.engine.submit(job("new", "language", 1));
    MonitorView view = busy.view()
        .withOthers(ImmutableList.of(
            outside(MonitorView.WaitState.NOT_QUEUED), outside(MonitorView.WaitState.REJECTED)));
    List<String> tiles = elements(parse(write(view)), "dd").stream()
        .filter(tile -> tile.getAttribute("class").equals("count"))
        .map(Element::getTextContent)
        .toList();
    int waiting = busy.engine.view().clusterQueues().stream()
        .mapToInt(queue -> queue.waitingCount())
        .sum();
    assertThat(waiting).isEqualTo(3);
    assertThat(tiles).containsExactly("3", String.valueOf(waiting + 1), "2", "1", "3", "2");
  }

  private static MonitorView.Waiting outside(MonitorView.WaitState state) {
    return MonitorView.Waiting.outside(
        new JobName("Job", "team", "lost"), "nowhere", state, ImmutableList.of("no such queue"));
  }

  @Test
  void jobsInNoQueueComeLast() throws Exception {
    MonitorView view = MonitoredEngine.busy().view();
    MonitorView more = view.withOthers(ImmutableList.of(MonitorView.Waiting.outside(
        new JobName("Job", "team", "again"),
        job("again", "team", 2),
        "vision",
        MonitorView.WaitState.DELAYED,
        ImmutableList.of("preempted too often"))));
    List<List<String>> rows = rows(parse(write(more)), "waiting");
    assertThat(rows).hasSize(view.waiting().size() + 2);
    assertThat(rows.get(rows.size() - 1).get(0)).startsWith("again");
    assertThat(rows.get(rows.size() - 1)).contains("vision", "Delayed", "preempted too often");
  }

  @Test
  void problemsOfConfigurationAreShown() throws Exception {
    MonitorView view = MonitoredEngine.busy()
        .view()
        .withProblems(ImmutableSortedMap.of("ClusterQueue x", "names no flavor"));
    assertThat(rows(parse(write(view)), "problems").get(1))
        .containsExactly("ClusterQueue x", "names no flavor");
    assertThat(write(MonitoredEngine.busy().view())).doesNotContain("Problems");
  }

  @Test
  void warningsComeFirst() throws Exception {
    MonitorView view =
        MonitoredEngine.busy().view().withWarnings(ImmutableList.of("the guard is missing"));
    String text = parse(MonitorPage.write(view, "Batch")).getDocumentElement().getTextContent();
    assertThat(text).contains("the guard is missing");
    assertThat(text.indexOf("the guard is missing")).isLessThan(text.indexOf("Quota and usage"));
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
    JobName job = new JobName(HOSTILE, HOSTILE, HOSTILE);
    QuotaUsage usage = new QuotaUsage(HOSTILE, HOSTILE, 1, Long.MAX_VALUE, 0);
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
            ImmutableList.of(new QuotaLine(usage, 0, 0)))),
        ImmutableList.of(),
        ImmutableList.of(MonitorView.Waiting.outside(
            job, HOSTILE, MonitorView.WaitState.REJECTED, ImmutableList.of(HOSTILE))),
        ImmutableList.of(new MonitorView.Running(
            job,
            WorkloadId.of(HOSTILE, HOSTILE),
            HOSTILE,
            HOSTILE,
            MonitorView.State.STOPPING,
            0,
            MonitoredEngine.NOW,
            ImmutableList.of(new HeldQuota(HOSTILE, HOSTILE, 1)))),
        ImmutableList.of(HOSTILE),
        ImmutableSortedMap.of(HOSTILE, HOSTILE));
    String query = PageQuery.ALL.with("queue", HOSTILE).with(HOSTILE, HOSTILE).address();
    for (String text : List.of(
        MonitorPage.write(view, HOSTILE),
        serve(view, ""),
        serve(view, query.substring(1)),
        serve(view, PageQuery.ALL.with("job", HOSTILE).address().substring(1)))) {
      Document page = parse(text);
      assertThat(elements(page, "script")).isEmpty();
      assertThat(text).doesNotContain("<script", "onload=\"");
    }
    Document page = parse(MonitorPage.write(view, HOSTILE));
    assertThat(rows(page, "waiting").get(1).get(7)).startsWith("<script>alert('1')</script>");
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
    assertThat(elements(page, "table")).hasSize(5);
    assertThat(elements(page, "caption")).hasSize(5);
    assertThat(elements(page, "meta"))
        .anyMatch(meta -> meta.getAttribute("content").contains("width=device-width"));
    assertThat(elements(page, "main")).hasSize(1);
    assertThat(elements(page, "nav")).hasSize(1);
    assertThat(elements(page, "header")).hasSize(1);
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
}
