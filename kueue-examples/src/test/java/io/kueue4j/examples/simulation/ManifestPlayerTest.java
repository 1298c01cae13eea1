package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ManifestPlayerTest {
  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: queue},
       spec: {clusterQueue: research}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high},
       value: 10}
      """;

  @Test
  void jobsAreCreatedOneSecondApart() {
    ManifestPlayer simulation = simulation(job("a", 2), job("b", 2));
    simulation.jobs().forEach(simulation::create);

    Phase phase = simulation.phase("created");
    assertThat(phase.jobs())
        .extracting(job -> job.admission().map(Admission::quotaReservedTime).orElseThrow())
        .containsExactly(
            VirtualClock.START.plus(Duration.ofSeconds(1)),
            VirtualClock.START.plus(Duration.ofSeconds(2)));
    assertThat(phase.title()).isEqualTo("created");
  }

  @Test
  void nothingHappensBeforeAJobIsCreated() {
    ManifestPlayer simulation = simulation(job("a", 2));

    Phase phase = simulation.phase("start");
    assertThat(phase.jobs()).isEmpty();
    assertThat(phase.events()).isEmpty();
    assertThat(phase.clusterQueues()).singleElement().matches(queue -> queue.waitingCount() == 0);
    assertThat(simulation.jobs()).extracting(SimulatedJob::name).containsExactly("a");
  }

  @Test
  void aJobThatFitsStartsWhenAnotherFinishes() {
    ManifestPlayer simulation = simulation(job("a", 3), job("b", 4), job("c", 1), job("d", 1));
    simulation.jobs().forEach(simulation::create);
    assertThat(simulation.phase("created").names(JobStatus.ADMITTED)).containsExactly("a", "c");

    simulation.finish("default/a");

    Phase phase = simulation.phase("a finished");
    assertThat(phase.names(JobStatus.FINISHED)).containsExactly("a");
    assertThat(phase.names(JobStatus.ADMITTED)).containsExactly("c", "d");
    assertThat(phase.names(JobStatus.PENDING)).containsExactly("b");
    assertThat(phase.events())
        .extracting(event -> event.type() + " " + event.job().name())
        .containsExactly("Finished a", "Admitted d");
  }

  @Test
  void onlyTheJobsThatAreAskedForAreExplained() {
    ManifestPlayer simulation = simulation(job("a", 3), job("b", 4), job("c", 4));
    simulation.jobs().forEach(simulation::create);

    Phase phase = simulation.phase("created", job -> job.isCalled("c"));

    assertThat(phase.names(JobStatus.PENDING)).containsExactly("b", "c");
    assertThat(phase.job("b").orElseThrow().reasons()).isEmpty();
    assertThat(phase.job("b").orElseThrow().explanation()).isEmpty();
    assertThat(phase.job("c").orElseThrow().reasons()).isNotEmpty();
    assertThat(phase.job("c").orElseThrow().explanation()).isPresent();
    assertThat(simulation.phase("all").job("a").orElseThrow().explanation()).isEmpty();
  }

  @Test
  void victimsStopAtOnceAndWait() {
    ManifestPlayer simulation = simulation(
        job("low", 3),
        job("high", 2).replace("labels: {", "labels: {kueue.x-k8s.io/priority-class: high, "));
    simulation.jobs().forEach(simulation::create);

    Phase phase = simulation.phase("created");
    assertThat(phase.names(JobStatus.ADMITTED)).containsExactly("high");
    assertThat(phase.job("low").orElseThrow())
        .satisfies(low -> assertThat(low.status()).isEqualTo(JobStatus.PENDING))
        .satisfies(low -> assertThat(low.admission()).isEmpty())
        .satisfies(low -> assertThat(low.reasons()).isNotEmpty());
    assertThat(phase.events())
        .extracting(event -> event.type() + " " + event.job().name() + " " + event.reason())
        .containsExactly("Admitted low ", "Preempted low InClusterQueue", "Admitted high ");
    assertThat(phase.events().get(1).by())
        .isEqualTo(phase.job("high").orElseThrow().job().workload().name());
  }

  @Test
  void aQueueThatIsBlockedComesToRest() {
    ManifestPlayer simulation = ManifestPlayer.of(ManifestFiles.readSources(ImmutableList.of(
        ManifestSource.of(
            "strict",
            QUEUES.replace(
                "namespaceSelector", "queueingStrategy: StrictFIFO\n  namespaceSelector")),
        ManifestSource.of("jobs", String.join("---\n", job("a", 3), job("b", 2), job("c", 1))))));
    simulation.jobs().forEach(simulation::create);

    Phase phase = simulation.phase("created");
    assertThat(phase.names(JobStatus.ADMITTED)).containsExactly("a");
    assertThat(phase.job("c").orElseThrow().reasons())
        .containsExactly("its turn has not come: workloads before it in its ClusterQueue: 1");
  }

  private static final String NODES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      spec: {nodeLabels: {pool: a}, topologyName: hosts}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: hosts},
       spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {pool: a, kubernetes.io/hostname: h1}},
       status: {allocatable: {cpu: 4, pods: 10}, conditions: [{type: Ready, status: "True"}]}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {pool: a, kubernetes.io/hostname: h2}},
       status: {allocatable: {cpu: 4, pods: 10}, conditions: [{type: Ready, status: "True"}]}}
      """;

  private static List<String> hosts(ManifestPlayer simulation, String job) {
    return simulation
        .phase("now")
        .job(job)
        .orElseThrow()
        .podSets()
        .get(0)
        .topologyAssignment()
        .stream()
        .flatMap(places -> places.domains().stream())
        .flatMap(domain -> domain.values().stream())
        .toList();
  }

  @Test
  void podsOnTheHostOfAFailedNodeMove() {
    ManifestPlayer simulation = simulation(NODES, job("a", 3));
    simulation.jobs().forEach(simulation::create);
    assertThat(hosts(simulation, "a")).containsExactly("h1");

    simulation.failNode("n1");

    assertThat(hosts(simulation, "a")).containsExactly("h2");
  }

  @Test
  void whatHappensInAStudyIsNotSeenOutside() {
    ManifestPlayer simulation = simulation(NODES, job("a", 3), job("b", 2));
    simulation.create(simulation.jobs().get(0));
    simulation.failNode("n2");
    Instant before = simulation.now();

    ManifestPlayer study = simulation.whatIf();
    study.recoverNode("n2");
    study.create(study.jobs().get(0));
    study.finish("a");

    assertThat(study.phase("studied").names(JobStatus.ADMITTED)).containsExactly("b");
    assertThat(simulation.now()).isEqualTo(before);
    assertThat(simulation.phase("now").names(JobStatus.ADMITTED)).containsExactly("a");
    assertThat(simulation.jobs()).extracting(SimulatedJob::name).containsExactly("b");
    simulation.recoverNode("n2");
  }

  @Test
  void aJobThatHasFinishedMayBeCreatedAgain() {
    ManifestPlayer simulation = simulation(job("a", 3));
    SimulatedJob job = simulation.jobs().get(0);
    simulation.create(job);
    simulation.finish("a");

    simulation.create(job);

    assertThat(simulation.phase("again").names(JobStatus.ADMITTED)).containsExactly("a");
    assertThatThrownBy(() -> simulation.create(job))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("that has not finished; expected another name");
  }

  @Test
  void whatIsDueMakesRoomWhenTimePasses() {
    String limited =
        job("a", 3).replace("labels: {", "labels: {kueue.x-k8s.io/max-exec-time-seconds: \"10\", ");
    ManifestPlayer simulation = simulation(limited, job("b", 2));
    simulation.jobs().forEach(simulation::create);

    simulation.advance(Duration.ofSeconds(20));

    Phase phase = simulation.phase("later");
    assertThat(phase.names(JobStatus.ADMITTED)).containsExactly("b");
    assertThat(phase.job("b").orElseThrow().admission().orElseThrow().quotaReservedTime())
        .isEqualTo(VirtualClock.START.plusSeconds(11));
  }

  @Test
  void theLastObjectOfANameCounts() {
    ManifestPlayer simulation = ManifestPlayer.of(ManifestFiles.readSources(ImmutableList.of(
        ManifestSource.of("old", QUEUES),
        ManifestSource.of("new", QUEUES.replace("nominalQuota: 4", "nominalQuota: 1")),
        ManifestSource.of("job", job("a", 2)))));
    simulation.jobs().forEach(simulation::create);

    assertThat(simulation.phase("created").names(JobStatus.PENDING)).containsExactly("a");
  }

  @Test
  void jobsThatExistComeBeforeThoseToCome() {
    String existing = job("existing", 1)
        .replace("name: existing", "name: existing, creationTimestamp: \"2026-01-01T00:00:00Z\"");

    assertThat(simulation(job("new", 1), existing).jobs())
        .extracting(SimulatedJob::name)
        .containsExactly("existing", "new");
  }

  /** What a Deployment has is created no more, as far as it lasts. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ReplicaSet  | web-5d8c | ''                                    | pod web-1 web-2
      ReplicaSet  | web-5d8c | deletionTimestamp: 2026-01-01T00:00:00Z | pod web-0 web-1 web-2
      CloneSet    | web-5d8c | ''                                    | pod web-0 web-1 web-2
      ReplicaSet  | web-1234 | ''                                    | pod web-0 web-1 web-2
      """)
  void podsOfADeploymentAreNotCreatedTwice(
      String kind, String owner, String more, String expected) {
    String template = "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";
    ManifestPlayer simulation = simulation(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels:"
            + " {kueue.x-k8s.io/queue-name: queue}}, spec: {replicas: 3, template: " + template
            + "}}\n",
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: pod
          labels: {kueue.x-k8s.io/queue-name: queue, pod-template-hash: 5d8c}
          ownerReferences: [{apiVersion: apps/v1, kind: %s, name: %s, uid: u, controller: true}]
          %s
        spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}
        """.formatted(kind, owner, more));

    assertThat(simulation.jobs())
        .extracting(SimulatedJob::name)
        .containsExactlyInAnyOrder(expected.split(" "));
  }

  @Test
  void limitRangesAndRuntimeClassesCount() {
    String more = """
        {apiVersion: v1, kind: LimitRange, metadata: {name: defaults},
         spec: {limits: [{type: Container, defaultRequest: {cpu: 2}}]}}
        ---
        {apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: box}, handler: box,
         overhead: {podFixed: {cpu: 500m}}}
        """;
    String job = job("a", 1)
        .replace("resources: {requests: {cpu: \"1\"}}", "image: i")
        .replace("containers:", "runtimeClassName: box, containers:");
    ManifestPlayer simulation = simulation(more, job);

    assertThat(simulation.jobs().get(0).workload().podSets().get(0).requests())
        .containsEntry("cpu", 2500L);
  }

  @Test
  void upToTenJobsAreNamed() {
    ManifestPlayer simulation =
        simulation(IntStream.range(0, 11).mapToObj(i -> job("j" + i, 1)).toArray(String[]::new));
    simulation.jobs().stream().limit(10).forEach(simulation::create);
    assertThatThrownBy(() -> simulation.finish("none")).message().endsWith(", j8, j9");

    simulation.jobs().forEach(simulation::create);
    assertThatThrownBy(() -> simulation.finish("none")).message().endsWith(", j9 and 1 more");
  }

  @Test
  void queuesServedByUsageNeedAHalfLife() {
    Manifests manifests = ManifestFiles.readSources(ImmutableList.of(ManifestSource.of(
        "queues",
        QUEUES.replace(
            "namespaceSelector",
            "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n"
                + "  namespaceSelector"))));
    Settings sharing = Settings.builder()
        .admissionFairSharing(AdmissionFairSharing.of(Duration.ofMinutes(10)))
        .build();

    assertThat(ManifestPlayer.of(manifests).warnings())
        .singleElement()
        .asString()
        .contains("without effect: no half-life of usage is set");
    assertThat(ManifestPlayer.of(manifests, sharing).warnings()).isEmpty();
  }

  @Test
  void everyBrokenRuleIsReportedWithItsPlace() {
    String queues =
        QUEUES.replace("nominalQuota: 4", "nominalQuota: 4, lendingLimit: 5, borrowingLimit: -1");

    assertThatThrownBy(() -> ManifestPlayer.of(
            ManifestFiles.readSources(List.of(ManifestSource.of("queues.yaml", queues)))))
        .isInstanceOf(InputException.class)
        .message()
        .satisfies(message -> assertThat(message.lines().toList())
            .hasSizeGreaterThanOrEqualTo(2)
            .allMatch(line -> line.startsWith("queues.yaml: document 2, line 11, ")))
        .asString()
        .contains("lendingLimit", "borrowingLimit");
  }

  private static ManifestPlayer simulation(String... jobs) {
    return ManifestPlayer.of(ManifestFiles.readSources(ImmutableList.of(
        ManifestSource.of("queues", QUEUES),
        ManifestSource.of("jobs", String.join("---\n", jobs)))));
  }

  private static String job(String name, int cpu) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec:
          template:
            spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: "%d"}}}]}
        """.formatted(name, cpu);
  }
}
