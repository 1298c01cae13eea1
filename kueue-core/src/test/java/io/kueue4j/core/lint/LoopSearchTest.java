package io.kueue4j.core.lint;

import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.lint.LoopReport.Loop;
import io.kueue4j.core.lint.LoopReport.Step;
import io.kueue4j.core.lint.LoopSearch.Bounds;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LoopSearchTest {
  private static final Settings CLASSICAL = Settings.defaults();
  private static final Settings FAIR = Settings.builder().fairSharing().build();

  private static Settings withPreemptorsFirst(Settings settings) {
    return Settings.builder()
        .from(settings)
        .featureGates(Map.of(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, true))
        .build();
  }

  private static Settings strict(Settings settings) {
    return Settings.builder()
        .from(settings)
        .strictFairSharing(true)
        .strictBorrowing(true)
        .build();
  }

  private static ClusterQueue queue(
      String name,
      String cohort,
      ResourceQuota quota,
      Policy within,
      Policy reclaim,
      Policy borrow) {
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .preemption(Preemption.builder()
            .withinClusterQueue(within)
            .reclaimWithinCohort(reclaim)
            .borrowWithinCohort(borrow)
            .build())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("default", quota)))
        .build();
  }

  private static ResourceQuota gpus(int nominal) {
    return ResourceQuota.ofAmount("gpu", nominal);
  }

  /** {@return two queues with the same policies, and one that only lends} */
  private static List<ConfigObject> pair(
      int first, int second, int lent, Policy within, Policy reclaim, Policy borrow) {
    return List.of(
        ResourceFlavor.of("default"),
        queue("a", "all", gpus(first), within, reclaim, borrow),
        queue("b", "all", gpus(second), within, reclaim, borrow),
        queue("lender", "all", gpus(lent).withBorrowingLimit("0"), NEVER, NEVER, NEVER));
  }

  private static List<ConfigObject> nestedCohorts() {
    return List.of(
        ResourceFlavor.of("default"),
        Cohort.builder().name("left").parent("root").build(),
        Cohort.builder().name("right").parent("root").build(),
        queue("a", "left", gpus(4), LOWER_PRIORITY, ANY, NEVER),
        queue("b", "right", gpus(4), LOWER_PRIORITY, ANY, NEVER));
  }

  /** Workloads, settings, configuration, and who preempts whom in a round of one of the loops. */
  static Stream<Arguments> loops() {
    Settings classicalWithPreemptorsFirst = withPreemptorsFirst(CLASSICAL);
    Settings fairWithPreemptorsFirst = withPreemptorsFirst(FAIR);
    return Stream.of(
        // Before a-2 starts in the room of a-1, the head of b takes it; a-1 reclaims it.
        Arguments.of(
            3,
            CLASSICAL,
            pair(4, 4, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY),
            "a-1 preempts b-1 (InCohortReclamation), a-2 preempts a-1 (InClusterQueue)"),
        // kueue#13662: b-2 needs two to stop; the first that has stopped starts again.
        Arguments.of(
            3,
            CLASSICAL,
            pair(2, 6, 0, LOWER_PRIORITY, ANY, NEVER),
            "b-2 preempts a-1 (InCohortReclamation)"),
        Arguments.of(
            3,
            CLASSICAL,
            pair(4, 0, 4, LOWER_OR_NEWER_EQUAL_PRIORITY, ANY, LOWER_PRIORITY),
            "a-1 preempts b-1 (InCohortReclamation), a-2 preempts a-1 (InClusterQueue)"),
        // Three workloads, each of which may preempt the next.
        Arguments.of(
            3,
            classicalWithPreemptorsFirst,
            pair(2, 6, 0, LOWER_OR_NEWER_EQUAL_PRIORITY, ANY, LOWER_PRIORITY),
            "b-1 preempts b-2 (InClusterQueue), a-1 preempts b-1 (InCohortReclaimWhileBorrowing),"
                + " b-2 preempts a-1 (InCohortReclamation)"),
        Arguments.of(
            3,
            FAIR,
            pair(4, 4, 0, LOWER_PRIORITY, ANY, NEVER),
            "a-1 preempts b-1 (InCohortReclamation), a-2 preempts a-1 (InClusterQueue)"),
        Arguments.of(
            3,
            FAIR,
            pair(2, 6, 0, LOWER_PRIORITY, LOWER_PRIORITY, NEVER),
            "b-2 preempts a-1 (InCohortFairSharing)"),
        // kueue#14543: a-1 is put back, so b-2 is no longer a fair victim, and starts again.
        Arguments.of(
            4,
            FAIR,
            pair(0, 0, 8, LOWER_PRIORITY, ANY, NEVER),
            "a-2 preempts b-2 (InCohortFairSharing)"),
        Arguments.of(
            3,
            FAIR,
            pair(4, 0, 4, LOWER_OR_NEWER_EQUAL_PRIORITY, LOWER_PRIORITY, NEVER),
            "b-1 preempts b-2 (InClusterQueue), b-2 preempts a-1 (InCohortFairSharing)"),
        Arguments.of(
            3,
            fairWithPreemptorsFirst,
            pair(4, 0, 4, LOWER_PRIORITY, ANY, NEVER),
            "b-1 preempts b-2 (InClusterQueue), a-1 preempts b-1 (InCohortFairSharing),"
                + " b-2 preempts a-1 (InCohortFairSharing)"),
        Arguments.of(
            3,
            FAIR,
            nestedCohorts(),
            "a-1 preempts b-1 (InCohortReclamation), a-2 preempts a-1 (InClusterQueue)"));
  }

  @ParameterizedTest
  @MethodSource("loops")
  void findsALoop(
      int workloads, Settings settings, List<ConfigObject> configuration, String preemptions) {
    LoopReport report = LoopSearch.of(configuration)
        .withSettings(settings)
        .withBounds(workloads(workloads))
        .run();

    assertThat(report.loops().stream().map(LoopSearchTest::text)).contains(preemptions);
    report.loops().forEach(loop -> repeats(loop, configuration, settings));
  }

  @ParameterizedTest
  @MethodSource("loops")
  void strictSettingsEndTheLoop(
      int workloads, Settings settings, List<ConfigObject> configuration, String preemptions) {
    LoopSearch search =
        LoopSearch.of(configuration).withSettings(strict(withPreemptorsFirst(settings)));

    assertThat(search.withBounds(workloads(workloads)).run().loops()).isEmpty();
  }

  static Stream<Arguments> harmless() {
    return Stream.of(
        Arguments.of(CLASSICAL, pair(4, 4, 0, LOWER_PRIORITY, NEVER, NEVER)),
        Arguments.of(CLASSICAL, pair(4, 4, 0, NEVER, ANY, NEVER)),
        Arguments.of(CLASSICAL, pair(4, 4, 0, LOWER_PRIORITY, LOWER_PRIORITY, LOWER_PRIORITY)),
        Arguments.of(FAIR, pair(4, 4, 0, NEVER, ANY, NEVER)),
        // kueue#12541: a queue without a cohort.
        Arguments.of(FAIR, pair(0, 0, 0, LOWER_PRIORITY, ANY, NEVER)),
        // kueue#6929: a head that never fits.
        Arguments.of(
            CLASSICAL,
            List.of(
                ResourceFlavor.of("default"),
                queue("a", "all", gpus(3).withBorrowingLimit("0"), NEVER, ANY, NEVER),
                queue("b", "all", gpus(0), NEVER, ANY, NEVER))));
  }

  @ParameterizedTest
  @MethodSource("harmless")
  void findsNoLoopWhereThereIsNone(Settings settings, List<ConfigObject> configuration) {
    assertThat(LoopSearch.of(configuration)
            .withSettings(settings)
            .withBounds(workloads(3))
            .run()
            .loops())
        .isEmpty();
  }

  @Test
  void saysWhetherTheOrderOfStopsCounts() {
    assertThat(only(pair(2, 6, 0, LOWER_PRIORITY, ANY, NEVER)).isCertain()).isFalse();
    assertThat(only(pair(4, 4, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY)).isCertain())
        .isTrue();
  }

  private static Loop only(List<ConfigObject> configuration) {
    List<Loop> loops =
        LoopSearch.of(configuration).withBounds(workloads(3)).run().loops();

    assertThat(loops).hasSize(1);
    return loops.get(0);
  }

  @Test
  void namesSettingsThatEndALoop() {
    assertThat(only(pair(4, 4, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY)).endedBy())
        .containsExactly("PrioritizePreemptorWorkloads", "strictBorrowing");
    assertThat(only(pair(2, 6, 0, LOWER_PRIORITY, ANY, NEVER)).endedBy())
        .containsExactly("PrioritizePreemptorWorkloads");
  }

  @Test
  void aFindingIsAtThePolicyOfTheFirstPreemption() {
    LoopReport report = LoopSearch.of(pair(4, 4, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY))
        .withBounds(workloads(3))
        .run();

    assertThat(report.findings()).hasSize(1);
    Finding finding = report.findings().get(0);
    assertThat(finding.rule()).isEqualTo(LintRule.PREEMPTION_LOOP);
    assertThat(finding.object() + " " + finding.field())
        .isEqualTo("ClusterQueue a preemption.reclaimWithinCohort");
    assertThat(finding.play().orElseThrow().added())
        .containsExactly(LocalQueue.of("loops", "a", "a"), LocalQueue.of("loops", "b", "b"));
  }

  @Test
  void tellsTheStoryInSentences() {
    Loop loop = only(pair(4, 4, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY));

    assertThat(Stream.of(loop.beginning(), loop.round())
            .flatMap(steps -> steps.stream())
            .map(step -> step.message().replace("loops/", "")))
        .containsExactly(
            "a-1 in LocalQueue a (gpu 2) arrives; a-1 starts",
            "b-1 in LocalQueue b with priority 1 (gpu 8) arrives",
            "a-2 in LocalQueue a with priority 1 (gpu 8) arrives; a-2 preempts a-1 (InClusterQueue)",
            "a-1 has stopped; b-1 starts, a-1 preempts b-1 (InCohortReclamation)",
            "b-1 has stopped; a-1 starts, a-2 preempts a-1 (InClusterQueue)");
  }

  @Test
  void workloadsUseLocalQueuesAndPrioritiesThatThereAre() {
    List<ConfigObject> configuration =
        new ArrayList<>(pair(4, 4, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY));
    configuration.add(LocalQueue.of("team", "jobs", "a"));
    configuration.add(LocalQueue.of("team", "later", "a"));
    configuration.add(new WorkloadPriorityClass("low", -5));
    configuration.add(new WorkloadPriorityClass("middle", 0));
    configuration.add(new WorkloadPriorityClass("high", 50));

    List<Workload> workloads = only(configuration).workloads();

    assertThat(workloads.stream().map(Workload::priority)).containsOnly(-5, 50);
    assertThat(workloads.stream().map(each -> each.id() + " in " + each.queueName()))
        .containsExactly("team/a-1 in jobs", "loops/b-1 in b", "team/a-2 in jobs");
  }

  @Test
  void prioritiesAreOnBothSidesOfAThreshold() {
    List<ConfigObject> configuration =
        new ArrayList<>(pair(4, 4, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY));
    configuration.replaceAll(object -> object instanceof ClusterQueue queue
        ? ClusterQueue.builder()
            .from(queue)
            .preemption(Preemption.builder()
                .from(queue.preemption())
                .maxPriorityThreshold(100)
                .build())
            .build()
        : object);

    assertThat(only(configuration).workloads().stream().map(Workload::priority))
        .containsOnly(100, 101);
  }

  @Test
  void threeEqualQueuesStandForAll() {
    List<ConfigObject> configuration = new ArrayList<>();
    configuration.add(ResourceFlavor.of("default"));
    for (int i = 0; i < 20; i++) {
      configuration.add(queue("q" + i, "all", gpus(1), NEVER, ANY, NEVER));
    }

    LoopReport report = LoopSearch.of(configuration).withBounds(workloads(2)).run();

    // A pair and a triple.
    assertThat(report.coverage().groups()).isEqualTo(2);
    assertThat(report.coverage().allGroups()).isTrue();
  }

  @Test
  void queuesWithEachOthersQuotasMakeGroupsOfTheirOwn() {
    List<ConfigObject> configuration = List.of(
        ResourceFlavor.of("default"),
        queue("a", "all", gpus(5), NEVER, ANY, NEVER),
        queue("b", "all", gpus(10), NEVER, LOWER_PRIORITY, NEVER),
        queue("c", "all", gpus(5), NEVER, LOWER_PRIORITY, NEVER),
        queue("d", "all", gpus(10), NEVER, ANY, NEVER));

    LoopReport report = LoopSearch.of(configuration).withBounds(workloads(1)).run();

    // All pairs, c and d although they have the quotas of a and b, and all triples.
    assertThat(report.coverage().groups()).isEqualTo(6 + 4);
  }

  @Test
  @Timeout(60)
  void manyUnequalQueuesAreNotAllCombined() {
    List<ConfigObject> configuration = new ArrayList<>();
    configuration.add(ResourceFlavor.of("default"));
    for (int i = 0; i < 1_000; i++) {
      configuration.add(ClusterQueue.builder()
          .from(queue("q" + i, "all", gpus(1), NEVER, ANY, NEVER))
          .fairSharingWeight(1 + i)
          .build());
    }

    LoopReport report =
        LoopSearch.of(configuration).withBounds(new Bounds(1, 100, false)).run();

    assertThat(report.coverage().allGroups()).isFalse();
  }

  @Test
  void saysWhatWasNotSearched() {
    LoopSearch search = LoopSearch.of(pair(2, 6, 0, LOWER_PRIORITY, ANY, LOWER_PRIORITY));

    LoopReport cutShort = search.withBounds(new Bounds(5, 500, false)).run();
    assertThat(cutShort.coverage().groupsCutShort()).isEqualTo(3);
    assertThat(cutShort.coverage().workloads()).isEqualTo(1);
    assertThat(cutShort.coverage().states()).isBetween(500L, 2_000L);

    LoopReport fewGroups = search.withBounds(new Bounds(1, 100, false)).run();
    assertThat(fewGroups.coverage().groups()).isEqualTo(2);
    assertThat(fewGroups.coverage().allGroups()).isFalse();
  }

  @Test
  void arrivalsWhileOthersStopLeadToMoreStates() {
    LoopSearch search = LoopSearch.of(pair(4, 4, 0, NEVER, ANY, NEVER));

    long quiet = search.withBounds(workloads(3)).run().coverage().states();
    long any = search.withBounds(new Bounds(3, 300_000, true)).run().coverage().states();

    assertThat(any).isGreaterThan(quiet);
  }

  @Test
  void theSameSearchFindsTheSame() {
    LoopSearch search = LoopSearch.of(pair(2, 6, 0, LOWER_PRIORITY, ANY, NEVER))
        .withSettings(FAIR)
        .withBounds(workloads(3));

    assertThat(search.run()).isEqualTo(search.run());
  }

  @Test
  void boundsAreChecked() {
    assertThatThrownBy(() -> new Bounds(0, 10, false))
        .hasMessage("worlds have 0 workloads; expected 1 to 10");
    assertThatThrownBy(() -> new Bounds(3, 0, false))
        .hasMessage("the bound of states is 0; expected more than 0");
  }

  @Test
  void anInvalidConfigurationIsRefused() {
    LoopSearch search = LoopSearch.of(List.of(
        Cohort.builder().name("a").parent("b").build(),
        Cohort.builder().name("b").parent("a").build()));

    assertThatThrownBy(search::run).isInstanceOf(InvalidConfigurationException.class);
  }

  private static Bounds workloads(int number) {
    return new Bounds(number, 300_000, false);
  }

  private static String text(Loop loop) {
    return String.join(
            ", ", loop.preemptions().stream().map(stop -> stop.message()).toList())
        .replace("loops/", "");
  }

  /** Plays a loop by the public calls of an engine, for twenty rounds. */
  private static void repeats(Loop loop, List<ConfigObject> configuration, Settings settings) {
    Instant[] now = {Instant.parse("2030-01-01T00:00:00Z")};
    AdmissionEngine engine =
        AdmissionEngine.builder().settings(settings).clock(() -> now[0]).build();
    engine.apply(configuration);
    for (ConfigObject object : configuration) {
      if (object instanceof ClusterQueue queue) {
        engine.apply(
            ClusterQueue.builder()
                .from(queue)
                .namespaceSelector(LabelSelector.everything())
                .build(),
            LocalQueue.of("loops", queue.name(), queue.name()));
      }
    }
    List<Step> steps = new ArrayList<>(loop.beginning());
    for (int i = 0; i < 20; i++) {
      steps.addAll(loop.round());
    }
    for (Step step : steps) {
      now[0] = now[0].plusSeconds(1);
      Decisions decisions = switch (step.event()) {
        case ARRIVES ->
          engine.submit(
              Workload.builder().from(step.workload()).creationTime(now[0]).build());
        case HAS_STOPPED -> engine.podsStopped(step.workload().id());
        case TIME_PASSES -> engine.tick();
      };
      assertThat(victims(decisions.and(engine.runUntilStable(100).decisions()).all()))
          .isEqualTo(victims(step.decisions()));
    }
  }

  private static List<PreemptionVictim> victims(List<Decision> decisions) {
    return decisions.stream()
        .filter(PreemptionVictim.class::isInstance)
        .map(PreemptionVictim.class::cast)
        .toList();
  }
}
