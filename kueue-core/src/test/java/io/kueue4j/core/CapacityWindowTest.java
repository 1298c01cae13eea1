package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.CapacityWindow.KeptAmount;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Only beneficiaries use what a capacity window keeps; others do not run into it. */
class CapacityWindowTest {
  static Settings settings(int depth) {
    return Settings.builder().backfill(Backfill.ofDepth(depth)).build();
  }

  /** {@return a cluster without promises, whose queue has four cores} */
  private static Cluster fourCores() {
    return new Cluster(settings(0)).with(queue("q", 4));
  }

  static Instant at(long seconds) {
    return Cluster.START.plusSeconds(seconds);
  }

  private static CapacityWindow.Builder window(String name, long start, long end) {
    return CapacityWindow.builder().name(name).start(at(start)).end(at(end));
  }

  /** {@return a window that keeps cores of a queue} */
  private static CapacityWindow.Builder window(long start, long end, String queue, int cores) {
    return window("w", start, end)
        .clusterQueue(queue)
        .keep(Cluster.FLAVOR, "cpu", String.valueOf(cores));
  }

  private static Workload job(Cluster cluster, String name, String queue, int cores, long limit) {
    return cluster.job(
        name, queue, cores, workload -> workload.maximumExecutionTime(Duration.ofSeconds(limit)));
  }

  static List<String> running(Cluster cluster, String queue) {
    cluster.settle();
    return DecisionText.admitted(cluster.engine.view(), queue);
  }

  static Reason reason(Cluster cluster, String job) {
    return cluster.engine.explain(id(job)).reasons().get(0);
  }

  @Test
  void onlyWhatEndsBeforeTheWindowStarts() {
    Cluster cluster = fourCores().with(window(100, 200, "q", 4).build());

    cluster.submit(job(cluster, "long", "q", 1, 101)).submit(job(cluster, "short", "q", 1, 100));

    assertThat(running(cluster, "q")).containsExactly("short");
    assertThat(reason(cluster, "long"))
        .returns(ReasonCode.RUNS_INTO_WINDOW, Reason::code)
        .returns(
            "would run into the window w, which begins at 2026-01-01T00:01:40Z; it would end at"
                + " 2026-01-01T00:01:41Z",
            Reason::message);
  }

  @Test
  void aJobOfUnknownDurationWaitsUntilTheWindowEnds() {
    Cluster cluster = fourCores().with(window(100, 200, "q", 4).build());
    cluster.submit("endless", "q", 1);

    assertThat(running(cluster, "q")).isEmpty();
    assertThat(reason(cluster, "endless").message()).endsWith("; its duration is unknown");
    assertThat(cluster.tick()).contains(200L);
    cluster.advanceSeconds(100);
    cluster.submit("other", "q", 4);
    assertThat(running(cluster, "q")).isEmpty();
    assertThat(reason(cluster, "other").message())
        .startsWith("would run into the window w, which lasts until 2026-01-01T00:03:20Z");
    cluster.advanceSeconds(100);
    assertThat(running(cluster, "q")).containsExactly("endless");
  }

  @Test
  void whatFitsBesideTheWindowStarts() {
    Cluster cluster = fourCores().with(window(100, 200, "q", 3).build());

    cluster.submit("two", "q", 2).submit("one", "q", 1);

    assertThat(running(cluster, "q")).containsExactly("one");
  }

  @Test
  void beneficiariesStartInTheWindow() {
    Cluster cluster = fourCores()
        .with(window(0, 200, "q", 4)
            .addWorkloads(id("vip"))
            .addLocalQueues("ns/other")
            .addNamespaces("guests")
            .build());

    cluster.submit("vip", "q", 2).submit("stranger", "q", 1);

    assertThat(running(cluster, "q")).containsExactly("vip");
    assertThat(CapacityWindow.builder().from(window(0, 1, "q", 1).build()).build())
        .returns(false, window -> window.isFor(id("vip"), "ns/q"));
  }

  @Test
  void aWindowIsForLocalQueuesAndNamespaces() {
    CapacityWindow window =
        window(0, 200, "q", 4).addLocalQueues("ns/q").addNamespaces("guests").build();

    assertThat(window.isFor(id("any"), "ns/q")).isTrue();
    assertThat(window.isFor(WorkloadId.of("guests", "any"), "guests/other")).isTrue();
    assertThat(window.isFor(id("any"), "ns/other")).isFalse();
    Cluster cluster = fourCores().with(window).submit("any", "q", 4);
    assertThat(running(cluster, "q")).containsExactly("any");
  }

  @Test
  void allVariantsOfABeneficiaryMayUseTheWindow() {
    CapacityWindow.Builder window = window("w", 0, 200).clusterQueue("q").addWorkloads(id("vip"));
    ConcurrentFlavors.FLAVORS.forEach(flavor -> window.keep(flavor, "cpu", "4"));
    Cluster cluster = ConcurrentFlavors.cluster(
            ConcurrentFlavors.settings().backfill(Backfill.ofDepth(0)).build(),
            ConcurrentFlavors.queue(ConcurrentFlavors.TRY_PREFERRED))
        .with(window.build());

    cluster.submit("stranger", "q", 4).submit("vip", "q", 4);

    assertThat(running(cluster, "q")).containsExactly("vip");
  }

  @Test
  void whatBeneficiariesUseCountsAgainstTheWindow() {
    Cluster cluster =
        fourCores().with(window(0, 200, "q", 2).addWorkloads(id("vip")).build());

    cluster.submit(job(cluster, "vip", "q", 2, 50));
    assertThat(running(cluster, "q")).containsExactly("vip");
    cluster.submit("three", "q", 3).submit("two", "q", 2).submit("one", "q", 1);
    assertThat(running(cluster, "q")).containsExactlyInAnyOrder("vip", "two");

    // What it leaves is kept again.
    cluster.finish("vip");
    assertThat(running(cluster, "q")).containsExactly("two");
    cluster.advanceSeconds(200);
    assertThat(running(cluster, "q")).containsExactlyInAnyOrder("two", "one");
  }

  @Test
  void aPromiseLeavesAloneWhatABeneficiaryFrees() {
    Cluster cluster = new Cluster(settings(1))
        .with(queue("q", 4))
        .with(window(0, 200, "q", 2).addWorkloads(id("vip")).build());

    cluster.submit(job(cluster, "vip", "q", 2, 50)).submit(job(cluster, "three", "q", 3, 10));

    assertThat(running(cluster, "q")).containsExactly("vip");
    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(at(200), promise -> promise.start());
  }

  @Test
  void aWorkloadOfAnotherQueueIsNoBeneficiary() {
    Cluster cluster = new Cluster(settings(0))
        .with(queue("q", "cohort", 2), queue("other", "cohort", 0))
        .with(window(0, 200, "q", 2).addNamespaces("ns").build());

    cluster.submit("borrower", "other", 1).submit("owner", "q", 1);

    assertThat(running(cluster, "other")).isEmpty();
    assertThat(running(cluster, "q")).containsExactly("owner");
  }

  @Test
  void aWindowKeepsWhatItsQueueMayBorrow() {
    Cluster cluster = new Cluster(settings(0))
        .with(queue("q", "cohort", 2), queue("other", "cohort", 2))
        .with(window(100, 200, "q", 3).build());

    cluster.submit("two", "other", 2).submit("one", "other", 1);

    assertThat(running(cluster, "other")).containsExactly("one");
  }

  @Test
  void withoutTheWindowWhatWaitedStarts() {
    CapacityWindow window = window(100, 200, "q", 4).build();
    Cluster cluster = fourCores().with(window).submit(job(fourCores(), "long", "q", 1, 150));
    assertThat(running(cluster, "q")).isEmpty();

    cluster.engine.remove(CapacityWindow.class, "w");

    assertThat(running(cluster, "q")).containsExactly("long");
    cluster.advanceSeconds(200);
    assertThat(cluster.tick()).isEmpty();
  }

  @Test
  void aWindowThatBeginsLaterLetsMoreStart() {
    Cluster cluster = fourCores()
        .with(window(100, 200, "q", 4).build())
        .submit(job(fourCores(), "long", "q", 1, 150));
    assertThat(running(cluster, "q")).isEmpty();

    cluster.with(window(150, 200, "q", 4).build());

    assertThat(running(cluster, "q")).containsExactly("long");
    assertThat(cluster.engine.view().configuration(CapacityWindow.class))
        .containsExactly(window(150, 200, "q", 4).build());
  }

  @Test
  void aWindowThatMovesLetsMoreStartWhereItWas() {
    Cluster cluster =
        fourCores().with(queue("other", 4)).with(window(0, 200, "q", 4).build());
    cluster.submit("endless", "q", 1);
    assertThat(running(cluster, "q")).isEmpty();

    cluster.with(window(0, 200, "other", 4).build());

    assertThat(running(cluster, "q")).containsExactly("endless");
  }

  @Test
  void nothingIsEvictedForAWindow() {
    Cluster cluster = fourCores().run("endless", "q", 4);

    cluster.with(window(100, 200, "q", 4).build());
    cluster.advanceSeconds(150);

    assertThat(running(cluster, "q")).containsExactly("endless");
  }

  @Test
  void eachOfTwoWindowsIsKept() {
    Cluster cluster = new Cluster(settings(1))
        .with(queue("q", 4))
        .with(
            window(100, 200, "q", 4).build(),
            CapacityWindow.builder()
                .from(window(250, 300, "q", 4).build())
                .name("x")
                .build());
    cluster.submit(job(cluster, "long", "q", 1, 60)).submit(job(cluster, "short", "q", 1, 50));

    cluster.advanceSeconds(60);
    assertThat(running(cluster, "q")).isEmpty();
    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(id("long"), promise -> promise.workload())
        .returns(at(300), promise -> promise.start());
    cluster.advanceSeconds(140);
    assertThat(running(cluster, "q")).containsExactly("short");
    cluster.advanceSeconds(100);
    assertThat(running(cluster, "q")).contains("long");
  }

  @Test
  void overlappingWindowsKeepTheirSum() {
    Cluster cluster = fourCores()
        .with(
            window(100, 200, "q", 2).build(),
            CapacityWindow.builder()
                .from(window(150, 300, "q", 2).build())
                .name("x")
                .build());

    cluster.submit("one", "q", 1).submit(job(cluster, "short", "q", 2, 150));

    assertThat(running(cluster, "q")).containsExactly("short");
  }

  @Test
  void theReasonIsWhatIsMetFirst() {
    Cluster cluster = new Cluster(settings(1))
        .with(queue("q", 4))
        .with(window(100, 200, "q", 1).build());
    cluster.run(job(cluster, "first", "q", 3, 300)).submit(job(cluster, "big", "q", 4, 50));
    cluster.settle();

    cluster.submit("endless", "q", 1);

    assertThat(running(cluster, "q")).containsExactly("first");
    assertThat(reason(cluster, "endless").message())
        .isEqualTo("would run into the window w, which begins at 2026-01-01T00:01:40Z;"
            + " its duration is unknown");
    cluster.advanceSeconds(200);
    assertThat(running(cluster, "q")).containsExactly("first");
    assertThat(reason(cluster, "endless").message())
        .isEqualTo("would delay ns/big, which starts at 2026-01-01T00:05:00Z at the latest");
  }

  @Test
  void theReasonIsTheWindowThatHasNoRoom() {
    Cluster cluster = new Cluster(settings(1))
        .with(queue("q", 4))
        .with(window(100, 200, "q", 4).build())
        .with(window("z", 100, 200).putNodeLabels(Hosts.RACK, "r").build());
    cluster.run(job(cluster, "first", "q", 3, 50)).submit(job(cluster, "big", "q", 3, 20));
    cluster.settle();

    cluster.submit("endless", "q", 1);

    assertThat(running(cluster, "q")).containsExactly("first");
    assertThat(reason(cluster, "endless").message())
        .startsWith("would run into the window w, which begins at");
  }

  @Test
  void aPromiseMovesBehindANewWindow() {
    Cluster cluster = new Cluster(settings(1)).with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(job(cluster, "big", "q", 4, 50));
    cluster.settle();

    cluster.with(window(120, 200, "q", 1).build());
    List<PromiseChange> changes = cluster.engine.runUntilStable(10).decisions().promiseChanges();

    assertThat(changes)
        .singleElement()
        .returns(at(200), change -> change.promise().orElseThrow().start())
        .returns("the window w, which begins at 2026-01-01T00:02:00Z", change -> change.reason());
  }

  /** Beside the first window it starts at 100, as long as the queue has four cores. */
  @Test
  void aNewWindowThatIsNotMetIsNoReason() {
    Cluster cluster = new Cluster(settings(1))
        .with(queue("q", 4))
        .with(window(100, 300, "q", 1).build());
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(job(cluster, "big", "q", 3, 50));
    cluster.settle();

    cluster
        .with(window("later", 2000, 3000)
            .clusterQueue("q")
            .keep(Cluster.FLAVOR, "cpu", "1")
            .build())
        .with(queue("q", 3));
    List<PromiseChange> changes = cluster.engine.runUntilStable(10).decisions().promiseChanges();

    assertThat(changes)
        .singleElement()
        .returns(at(300), change -> change.promise().orElseThrow().start())
        .returns(
            "there is less quota or room on nodes than when it was promised",
            change -> change.reason());
  }

  @Test
  void nobodyIsPreemptedForAWorkloadThatWouldRunIntoAWindow() {
    Cluster cluster = new Cluster(settings(0))
        .with(queue("q", 4)
            .preemption(
                Preemption.builder().withinClusterQueue(Policy.LOWER_PRIORITY).build()))
        .run("victim", "q", 4)
        .with(window(100, 200, "q", 4).build())
        .submit("important", "q", 4, 10);

    assertThat(running(cluster, "q")).containsExactly("victim");
    assertThat(reason(cluster, "important").code()).isEqualTo(ReasonCode.RUNS_INTO_WINDOW);
  }

  @Test
  void whatFitsBesideTheWindowPreempts() {
    Cluster cluster = new Cluster(settings(0))
        .with(queue("q", 4)
            .preemption(
                Preemption.builder().withinClusterQueue(Policy.LOWER_PRIORITY).build()))
        .run("victim", "q", 4)
        .with(window(100, 200, "q", 2).build())
        .submit("important", "q", 2, 10);

    assertThat(cluster.cycle().preempted())
        .singleElement()
        .returns(id("victim"), victim -> victim.workload());
  }

  /** {@return a cluster with a window that keeps the first flavor of a queue} */
  private static Cluster withSpareFlavor() {
    ClusterQueue.Builder twoFlavors = Queues.openQueue("q")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of(Cluster.FLAVOR, Queues.cores(4)),
            FlavorQuotas.of("spare", Queues.cores(4))));
    return new Cluster(settings(0))
        .with(ResourceFlavor.of("spare"))
        .with(twoFlavors)
        .with(window(100, 200, "q", 4).build());
  }

  @Test
  void anotherFlavorIsUsedBesideTheWindow() {
    assertThat(DecisionText.withFlavors(
            withSpareFlavor().submit("endless", "q", 1).cycle().admitted()))
        .containsExactly("endless on spare");
  }

  @Test
  void aNewSliceTakesNoFlavorBesideTheWindow() {
    Cluster cluster = withSpareFlavor();
    cluster.run(ElasticJobs.slice(cluster, "old", "q", 1)
        .maximumExecutionTime(Duration.ofSeconds(50))
        .build());
    cluster.submit(ElasticJobs.slice(cluster, "new", "q", 2, "old").build());

    assertThat(running(cluster, "q")).containsExactly("old");
  }

  /** Beside the first window one core is left, as both beneficiaries use some of what it keeps. */
  @Test
  void onlyTheFlavorOfTheWindowThatIsMetIsAvoided() {
    Cluster cluster = new Cluster(settings(0))
        .with(ResourceFlavor.of("f1"), ResourceFlavor.of("f2"))
        .with(ResourceFlavor.of("g1"), ResourceFlavor.of("g2"))
        .with(Queues.openQueue("q")
            .addResourceGroups(
                ResourceGroup.of(
                    FlavorQuotas.of("f1", Queues.cores(4)), FlavorQuotas.of("f2", Queues.cores(4))),
                ResourceGroup.of(
                    FlavorQuotas.of("g1", ResourceQuota.of("gpu", "1")),
                    FlavorQuotas.of("g2", ResourceQuota.of("gpu", "1")))))
        .with(
            window("w", 100, 200)
                .clusterQueue("q")
                .keep("f1", "cpu", "3")
                .addWorkloads(id("vip-1"), id("vip-2"))
                .build(),
            window("x", 100, 200).clusterQueue("q").keep("g1", "gpu", "1").build());
    cluster.run("vip-1", "q", 1).run("vip-2", "q", 1);

    cluster.submit(cluster.job("endless", "q", 0, Map.of("cpu", 1000L, "gpu", 1L)));

    assertThat(running(cluster, "q")).contains("endless");
    assertThat(cluster.engine.admission(id("endless")).orElseThrow().podSetAssignments())
        .singleElement()
        .returns(Map.of("cpu", "f1", "gpu", "g2"), podSet -> podSet.flavors());
  }

  @Test
  void aPromisedBeneficiaryUsesWhatTheWindowKeeps() {
    Cluster cluster = new Cluster(settings(2))
        .with(queue("q", 4))
        .with(window(0, 1000, "q", 2).addWorkloads(id("vip-1"), id("vip-2")).build());
    cluster.submit(job(cluster, "vip-1", "q", 2, 50)).submit(job(cluster, "other", "q", 2, 60));
    assertThat(running(cluster, "q")).containsExactlyInAnyOrder("vip-1", "other");

    cluster.submit(job(cluster, "vip-2", "q", 2, 100)).submit(job(cluster, "big", "q", 2, 30));
    cluster.settle();

    assertThat(PromiseTest.promises(cluster)).containsExactly("vip-2 at 50", "big at 60");
  }

  @Test
  void aPromiseIsNotSearchedBeforeTheEndOfAFit() {
    Cluster cluster = new Cluster(settings(1)).with(queue("q", 4)).with(ResourceFlavor.of("spare"));
    cluster.run(job(cluster, "first", "q", 4, 10));
    cluster
        .with(Queues.openQueue("q")
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of("spare", Queues.cores(4)),
                FlavorQuotas.of(Cluster.FLAVOR, Queues.cores(4)))))
        .with(window("w", 50, 200).clusterQueue("q").keep("spare", "cpu", "4").build())
        .submit(job(cluster, "big", "q", 4, 100));

    assertThat(running(cluster, "q")).containsExactly("first");
    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(at(50), promise -> promise.start());

    // Another flavor suffices before, and is found as soon as it is free.
    cluster.advanceSeconds(10);
    cluster.finish("first");
    assertThat(running(cluster, "q")).containsExactly("big");
  }

  // ----- nodes

  static CapacityWindow.Builder ofNodes(long start, long end, String rack) {
    return window("w", start, end).putNodeLabels(Hosts.RACK, rack);
  }

  private static Workload pods(String name, int cores) {
    return Hosts.workload(
        name, Hosts.pods(1, String.valueOf(cores), TopologyRequest.required(Topology.HOSTNAME)));
  }

  private static String host(Cluster cluster, String job) {
    return cluster
        .engine
        .admission(id(job))
        .flatMap(admission -> admission.podSetAssignments().get(0).topologyAssignment())
        .map(assignment -> assignment.domains().get(0).values().toString())
        .orElse("none");
  }

  @Test
  void podsGoToNodesOutsideOfTheWindow() {
    Cluster cluster =
        Hosts.cluster(settings(0), "r1/a:4 r2/b:4").with(ofNodes(100, 200, "r1").build());

    cluster.submit(pods("first", 2)).submit(pods("second", 3));

    assertThat(running(cluster, "q")).containsExactly("first");
    assertThat(host(cluster, "first")).isEqualTo("[b]");
    assertThat(reason(cluster, "second").code()).isEqualTo(ReasonCode.RUNS_INTO_WINDOW);
    cluster.advanceSeconds(200);
    assertThat(running(cluster, "q")).containsExactlyInAnyOrder("first", "second");
    assertThat(host(cluster, "second")).isEqualTo("[a]");
  }

  @Test
  void shortPodsUseNodesBeforeTheWindow() {
    Cluster cluster =
        Hosts.cluster(settings(0), "r1/a:4").with(ofNodes(100, 200, "r1").build());

    cluster.submit(Cluster.changed(
        pods("short", 4), workload -> workload.maximumExecutionTime(Duration.ofSeconds(100))));

    assertThat(running(cluster, "q")).containsExactly("short");
  }

  @Test
  void aPromiseNamesNodesOutsideOfTheWindow() {
    Cluster cluster = Hosts.cluster(settings(1), "r1/a:4 r2/b:4");
    cluster.submit(Cluster.changed(
        pods("first", 4), workload -> workload.maximumExecutionTime(Duration.ofSeconds(50))));
    cluster.settle();
    cluster.with(
        ofNodes(100, 200, host(cluster, "first").equals("[a]") ? "r2" : "r1").build());

    cluster.submit(Cluster.changed(
        pods("big", 4), workload -> workload.maximumExecutionTime(Duration.ofMinutes(2))));
    cluster.settle();

    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(at(50), promise -> promise.start());
  }

  @Test
  void aBeneficiaryIsPromisedNodesOfTheWindow() {
    Cluster cluster = Hosts.cluster(settings(1), "r1/a:4")
        .with(ofNodes(10, 200, "r1").addWorkloads(id("first"), id("vip")).build());

    cluster.submit(Cluster.changed(
        pods("first", 3), workload -> workload.maximumExecutionTime(Duration.ofSeconds(50))));
    cluster.settle();
    cluster.submit(Cluster.changed(
        pods("vip", 4), workload -> workload.maximumExecutionTime(Duration.ofSeconds(50))));
    cluster.settle();

    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(at(50), promise -> promise.start());
  }

  @Test
  void aPromiseMayEndWhereTheWindowOfItsNodesBegins() {
    Cluster cluster =
        Hosts.cluster(settings(1), "r1/a:4").with(ofNodes(100, 200, "r1").build());

    cluster.submit(Cluster.changed(
        pods("first", 3), workload -> workload.maximumExecutionTime(Duration.ofSeconds(50))));
    cluster.settle();
    cluster.submit(Cluster.changed(
        pods("next", 4), workload -> workload.maximumExecutionTime(Duration.ofSeconds(50))));
    cluster.settle();

    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(at(50), promise -> promise.start());
  }

  @Test
  void failedNodesAreNotReplacedByKeptOnes() {
    Cluster cluster = Hosts.cluster(settings(0), "r1/a:4 r1/b:4");
    cluster.submit(pods("job", 2));
    cluster.settle();
    String failed = host(cluster, "job").equals("[a]") ? "a" : "b";
    cluster.with(window("w", 100, 200)
        .putNodeLabels(Topology.HOSTNAME, failed.equals("a") ? "b" : "a")
        .build());

    cluster.lifecycle.nodeFailed(id("job"), failed);

    assertThat(cluster.cycle().evicted()).hasSize(1);
  }

  // ----- states

  @Test
  void anAdmissionThatHadToWaitIsDecidedAnew() {
    Settings settings = Settings.builder()
        .from(settings(0))
        .podsReady(PodsReadyPolicy.builder().blockAdmission(true).build())
        .build();
    Cluster cluster =
        new Cluster(settings).with(queue("q", 4)).with(window(100, 200, "q", 4).build());
    cluster.run(job(cluster, "first", "q", 1, 50)).submit(job(cluster, "next", "q", 1, 90));
    cluster.cycle();

    cluster.advanceSeconds(20);
    cluster.lifecycle.setPodsReady(id("first"), true);

    assertThat(running(cluster, "q")).containsExactly("first");
  }

  @Test
  void aForkHasTheWindowsOfItsOrigin() {
    Cluster cluster = fourCores().with(window(100, 200, "q", 4).build()).submit("endless", "q", 1);
    cluster.settle();

    AdmissionEngine fork = cluster.engine.view().whatIf();
    assertThat(fork.nextTick()).contains(at(200));
    fork.remove(CapacityWindow.class, "w");

    assertThat(fork.runUntilStable(10).decisions().admitted()).hasSize(1);
    assertThat(running(cluster, "q")).isEmpty();
  }

  @Test
  void theQueueOfAWindowStaysUntilTheWindowIsOver() {
    Cluster cluster = fourCores().with(window(100, 200, "q", 2).build());

    assertThatThrownBy(() -> cluster.engine.remove(ClusterQueue.class, "q"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("ClusterQueue q cannot be removed while CapacityWindow w keeps its quota;"
            + " remove the window first");
    cluster.advanceSeconds(200);
    cluster.engine.remove(ClusterQueue.class, "q");

    List<ConfigObject> configuration = cluster.engine.view().configuration();
    Cluster restarted = new Cluster(settings(0));
    restarted.advanceSeconds(200);
    restarted.engine.apply(configuration);
    assertThat(restarted.engine.view().configuration()).isEqualTo(configuration);
  }

  @Test
  void aQueueGoesTogetherWithItsWindow() {
    CapacityWindow window = window(100, 200, "q", 2).build();
    Cluster cluster = fourCores().with(window);

    cluster.engine.remove(queue("q", 4).build(), window);

    assertThat(cluster.engine.view().clusterQueues()).isEmpty();
  }

  @Test
  void theQuotaOfAWindowStaysUntilTheWindowChanges() {
    Cluster cluster =
        fourCores().with(ResourceFlavor.of("new")).with(window(100, 200, "q", 2).build());
    ClusterQueue changed = Queues.openQueue("q")
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("new", Queues.cores(4))))
        .build();

    assertThatThrownBy(() -> cluster.with(changed))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("ClusterQueue q: resourceGroups: without cpu of default, which"
            + " CapacityWindow w keeps; change the window first");
    cluster.with(
        changed, window("w", 100, 200).clusterQueue("q").keep("new", "cpu", "2").build());

    cluster.submit("three", "q", 3).submit("two", "q", 2);
    assertThat(running(cluster, "q")).containsExactly("two");
  }

  // ----- validation

  private static List<String> violations(CapacityWindow window) {
    try {
      fourCores().with(window);
      return List.of();
    } catch (InvalidConfigurationException e) {
      return e.violations().stream().map(Violation::toString).toList();
    }
  }

  @Test
  void aWindowNeedsBackfillInTheSettings() {
    CapacityWindow window = window(100, 200, "q", 4).build();
    Cluster cluster = new Cluster().with(queue("q", 4));

    assertThatThrownBy(() -> cluster.with(window))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("CapacityWindow w")
        .hasMessageContaining("set Settings.backfill (--backfill), 0 is enough");
  }

  @Test
  void anInvalidWindowIsRefused() {
    assertThat(violations(window(200, 200, "q", 4).build()).toString()).contains("w: end: ");
    assertThat(violations(window(0, 1, "none", 4).build()).toString())
        .contains("w: clusterQueue: \"none\"; there is no such ClusterQueue");
    assertThat(
            violations(window("w", 0, 1).clusterQueue("q").keep("x", "cpu", "1").build())
                .toString())
        .contains("w: amounts[0]: cpu of x; ClusterQueue q has no such quota");
    assertThat(violations(window("w", 0, 1).build()).toString())
        .contains("w: clusterQueue: missing");
    assertThat(violations(window(0, 1, "q", 1).putNodeLabels("a", "b").build()).toString())
        .contains("w: clusterQueue: given with nodeLabels");
    assertThat(violations(window("w", 0, 1).putNodeLabels("a b", "c").build()).toString())
        .contains("w: nodeLabels: ");
    assertThat(violations(window(0, 1, "q", 1).keep(Cluster.FLAVOR, "cpu", "1").build())
            .toString())
        .contains("w: amounts[1]: cpu of default a second time");
    for (long amount : new long[] {-1, 0, Long.MAX_VALUE}) {
      assertThat(violations(window("w", 0, 1)
                  .clusterQueue("q")
                  .addAmounts(new KeptAmount(Cluster.FLAVOR, "cpu", amount))
                  .build())
              .toString())
          .contains("w: amounts[0].amount: " + amount);
    }
  }

  @Test
  void beneficiariesAreNamedOnce() {
    CapacityWindow window = window(0, 1, "q", 1)
        .addWorkloads(id("a"), id("a"))
        .addLocalQueues("ns/q", "ns/q", "q", "/q")
        .addNamespaces("ns", "NS", "ns")
        .build();

    assertThat(violations(window).toString())
        .contains("workloads[1]: \"ns/a\" a second time")
        .contains("localQueues[1]: \"ns/q\" a second time")
        .contains("localQueues[2]: \"q\"; expected namespace/name")
        .contains("localQueues[3]: \"/q\"; expected namespace/name")
        .contains("namespaces[1]: \"NS\"; expected a name")
        .contains("namespaces[2]: \"ns\" a second time");
  }

  @Test
  void aWindowThatIsOverKeepsNothing() {
    Cluster cluster = fourCores();
    cluster.advanceSeconds(300);
    cluster.with(window(100, 200, "q", 4).build()).submit("endless", "q", 4);

    assertThat(running(cluster, "q")).containsExactly("endless");
    assertThat(cluster.tick()).isEqualTo(Optional.empty());
  }

  @Test
  void anEqualJobThatTheWindowIsForIsPromisedAStart() {
    Cluster cluster = new Cluster(settings(1)).with(queue("q", 4));
    cluster
        .run(job(cluster, "first", "q", 3, 100))
        .with(window(50, 1_000_000_000, "q", 4).addWorkloads(id("invited")).build())
        .submit(job(cluster, "other", "q", 2, 100))
        .submit(job(cluster, "invited", "q", 2, 100));

    assertThat(running(cluster, "q")).containsExactly("first");
    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(id("invited"), Promise::workload)
        .returns(at(100), Promise::start);
  }
}
