package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ClusterConnection;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.WatchQueue;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.configuration.QueueStatusPublisher;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.WriteException;
import io.kueue4j.examples.logging.LogCapture;
import io.kueue4j.examples.logging.LogFormat;
import io.kueue4j.examples.simulation.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The status of queues on a strict cluster, with other writers. */
class QueueStatusPublisherTest {
  private static final String QUEUES = """
      apiVersion: v1
      kind: List
      items:
      - apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: spot}
      - apiVersion: kueue.x-k8s.io/v1beta1
        kind: ClusterQueue
        metadata: {name: research}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: spot
              resources: [{name: cpu, nominalQuota: 4}]
      - apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: queue, namespace: default}
        spec: {clusterQueue: research}
      """;

  /** Lets writes fail, and changes stored objects. */
  private final class Writes implements ClusterWrites {
    private Optional<WriteException.Reason> failure = Optional.empty();
    private UnaryOperator<GenericKubernetesResource> schema = UnaryOperator.identity();
    private final List<ObjectKey> tried = new ArrayList<>();

    @Override
    public <T extends HasMetadata> T replace(T object) {
      return connection.replace(object);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends HasMetadata> T replaceStatus(T object) {
      tried.add(ObjectKey.of(object));
      failure.ifPresent(reason -> {
        throw new WriteException(reason, "as the test wants it");
      });
      return (T) connection.replaceStatus(schema.apply((GenericKubernetesResource) object));
    }

    @Override
    public <T extends HasMetadata> T create(T object) {
      return connection.create(object);
    }

    @Override
    public void delete(HasMetadata object) {
      connection.delete(object);
    }

    @Override
    public void record(Event event) {}
  }

  private final VirtualClock clock = VirtualClock.create();
  private final StrictCluster cluster = StrictCluster.create(ServerVersion.KUBERNETES_1_35, clock);
  private final ClusterConnection connection = ClusterConnection.of(cluster, "controller");
  private final Writes writes = new Writes();
  private WatchQueue watch = WatchQueue.open(cluster);
  private ControllerLoop loop =
      ControllerLoop.create(ControllerOptions.defaults(), connection, clock);
  private QueueStatusPublisher publisher = publisher();

  private QueueStatusPublisher publisher() {
    return new QueueStatusPublisher(loop.engine().settings(), loop::queues, writes);
  }

  private void start(String version) {
    Serialization.unmarshal(QUEUES.replace("v1beta1", version), KubernetesList.class)
        .getItems()
        .forEach(object -> cluster.create(StrictCluster.USER, object));
    watch.close();
    watch = WatchQueue.open(cluster);
    List<HasMetadata> all = watch.list();
    loop.start(all);
    work();
  }

  /** Passes on all events. */
  private void work() {
    Instant next = clock.instant();
    boolean news = true;
    while (news || !next.isAfter(clock.instant())) {
      news = false;
      for (Optional<ClusterEvent> event = watch.next(); event.isPresent(); event = watch.next()) {
        loop.accept(event.get());
        news = true;
      }
      next = loop.step();
    }
  }

  /** Publishes once, and passes on the events about it. */
  private void publish() {
    publisher.run();
    work();
  }

  private void createJob(String name, int cpus) {
    cluster.create(
        StrictCluster.USER, Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          suspend: true
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: busybox
                resources: {requests: {cpu: "%d"}}
        """.formatted(name, cpus), Job.class));
    work();
  }

  private static io.kueue4j.examples.controller.cluster.ObjectKey key(
      String kind, String namespace, String name) {
    return new io.kueue4j.examples.controller.cluster.ObjectKey(
        "kueue.x-k8s.io", kind, namespace, name);
  }

  private static final io.kueue4j.examples.controller.cluster.ObjectKey CLUSTER_QUEUE =
      key("ClusterQueue", "", "research");
  private static final io.kueue4j.examples.controller.cluster.ObjectKey LOCAL_QUEUE =
      key("LocalQueue", "default", "queue");

  private GenericKubernetesResource stored(io.kueue4j.examples.controller.cluster.ObjectKey key) {
    return cluster.get(key, GenericKubernetesResource.class).orElseThrow();
  }

  private JsonNode status(io.kueue4j.examples.controller.cluster.ObjectKey key) {
    return Json.tree(stored(key)).path("status");
  }

  private long statusWrites() {
    return cluster.log().stream()
        .filter(write ->
            write.verb() == ApiWrite.Verb.REPLACE_STATUS && write.key().kind().endsWith("Queue"))
        .count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1beta2"})
  void queuesTellWhatTheEngineKnows(String version) {
    start(version);
    createJob("runs", 3);
    createJob("waits", 3);
    publish();
    JsonNode clusterQueue = status(CLUSTER_QUEUE);
    assertThat(clusterQueue.path("admittedWorkloads").asInt()).isEqualTo(1);
    assertThat(clusterQueue.path("pendingWorkloads").asInt()).isEqualTo(1);
    assertThat(clusterQueue.at("/flavorsUsage/0/resources/0/total").asText()).isEqualTo("3");
    assertThat(clusterQueue.at("/conditions/0/type").asText()).isEqualTo("Active");
    assertThat(clusterQueue.at("/conditions/0/status").asText()).isEqualTo("True");
    assertThat(status(LOCAL_QUEUE).path("pendingWorkloads").asInt()).isEqualTo(1);
    assertThat(stored(CLUSTER_QUEUE).getApiVersion()).endsWith(version);
    assertThat(statusWrites()).isEqualTo(2);
  }

  @Test
  void nothingIsWrittenThatIsWrittenAlready() {
    start("v1beta2");
    createJob("runs", 3);
    publish();
    long before = cluster.log().size();
    for (int i = 0; i < 5; i++) {
      publish();
    }
    assertThat(cluster.log()).hasSize((int) before);
    // A new controller finds it written.
    loop = ControllerLoop.create(ControllerOptions.defaults(), connection, clock);
    publisher = publisher();
    watch.close();
    watch = WatchQueue.open(cluster);
    List<HasMetadata> all = watch.list();
    loop.start(all);
    work();
    publish();
    assertThat(cluster.log()).hasSize((int) before);
  }

  @Test
  void aRunWritesEachQueueOnce() {
    start("v1beta2");
    publish();
    assertThat(statusWrites()).isEqualTo(2);
    createJob("one", 1);
    createJob("two", 1);
    assertThat(statusWrites()).isEqualTo(2);
    publish();
    assertThat(statusWrites()).isEqualTo(4);
    assertThat(status(CLUSTER_QUEUE).path("admittedWorkloads").asInt()).isEqualTo(2);
  }

  @Test
  void aWriteIsNotRepeatedBeforeItsEventArrives() {
    start("v1beta2");
    publisher.run();
    publisher.run();
    assertThat(writes.tried).hasSize(2);
    work();
    createJob("runs", 3);
    publish();
    assertThat(statusWrites()).isEqualTo(4);
  }

  @Test
  void anInterruptEndsARun() {
    start("v1beta2");
    Thread.currentThread().interrupt();
    try {
      publisher.run();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(writes.tried).isEmpty();
    publish();
    assertThat(writes.tried).hasSize(2);
  }

  @Test
  void whatOthersWroteStays() {
    start("v1beta2");
    publish();
    GenericKubernetesResource queue = stored(CLUSTER_QUEUE);
    Map<String, Object> status = new LinkedHashMap<>(queue.<Map<String, Object>>get("status"));
    status.put("others", "own");
    queue.setAdditionalProperty("status", status);
    cluster.replaceStatus(StrictCluster.USER, queue);
    // The controller has not received the event yet.
    createJob("runs", 3);
    publish();
    assertThat(status(CLUSTER_QUEUE).path("others").asText()).isEqualTo("own");
    assertThat(status(CLUSTER_QUEUE).path("admittedWorkloads").asInt()).isEqualTo(1);
  }

  @Test
  void aConflictIsSettledByNewsOfTheOtherVersion() {
    start("v1beta2");
    publish();
    createJob("runs", 3);
    GenericKubernetesResource queue = stored(CLUSTER_QUEUE);
    queue.getMetadata().setLabels(Map.of("changed", "by-a-user"));
    cluster.replace(StrictCluster.USER, queue);
    // Without the event, which has not arrived yet.
    publisher.run();
    assertThat(writes.tried).hasSize(4);
    assertThat(status(CLUSTER_QUEUE).path("admittedWorkloads").asInt()).isZero();
    assertThat(status(LOCAL_QUEUE).path("admittedWorkloads").asInt()).isEqualTo(1);
    work();
    publish();
    assertThat(status(CLUSTER_QUEUE).path("admittedWorkloads").asInt()).isEqualTo(1);
    assertThat(stored(CLUSTER_QUEUE).getMetadata().getLabels()).containsKey("changed");
  }

  @ParameterizedTest
  @EnumSource(
      value = WriteException.Reason.class,
      names = {"GONE", "REFUSED"})
  void whatIsRefusedIsTriedAgainMuchLater(WriteException.Reason reason) {
    start("v1beta2");
    writes.failure = Optional.of(reason);
    publish();
    assertThat(writes.tried).hasSize(2);
    for (int i = 0; i < 11; i++) {
      publish();
    }
    assertThat(writes.tried).hasSize(2);
    writes.failure = Optional.empty();
    publish();
    assertThat(writes.tried).hasSize(4);
    assertThat(statusWrites()).isEqualTo(2);
  }

  @Test
  void aRefusalIsLoggedOnceForEachVersion() {
    start("v1beta2");
    writes.failure = Optional.of(WriteException.Reason.REFUSED);
    try (LogCapture log = new LogCapture("io.kueue4j.examples.controller")) {
      for (int i = 0; i < 25; i++) {
        publish();
      }
      assertThat(writes.tried).hasSize(6);
      assertThat(log.lines(LogFormat.TEXT)).hasSize(2);
      GenericKubernetesResource queue = stored(CLUSTER_QUEUE);
      queue.getMetadata().setLabels(Map.of("changed", "by-a-user"));
      cluster.replace(StrictCluster.USER, queue);
      work();
      publish();
      assertThat(log.lines(LogFormat.TEXT))
          .hasSize(3)
          .last()
          .asString()
          .contains("the status of ClusterQueue research is not written: as the test wants it");
    }
  }

  @Test
  void anotherVersionOfWhatWasRefusedIsTriedAtOnce() {
    start("v1beta2");
    writes.failure = Optional.of(WriteException.Reason.REFUSED);
    publish();
    writes.failure = Optional.empty();
    GenericKubernetesResource queue = stored(CLUSTER_QUEUE);
    queue.getMetadata().setLabels(Map.of("changed", "by-a-user"));
    cluster.replace(StrictCluster.USER, queue);
    work();
    publish();
    assertThat(statusWrites()).isEqualTo(1);
    assertThat(status(CLUSTER_QUEUE).has("conditions")).isTrue();
  }

  @Test
  void whatTheServerDidNotAnswerIsTriedInTheNextRun() {
    start("v1beta2");
    writes.failure = Optional.of(WriteException.Reason.UNAVAILABLE);
    publish();
    assertThat(writes.tried).hasSize(2);
    writes.failure = Optional.empty();
    publish();
    assertThat(statusWrites()).isEqualTo(2);
  }

  @Test
  void whatTheServerDropsIsNotSentForEver() {
    start("v1beta2");
    writes.schema = object -> {
      GenericKubernetesResource pruned =
          Json.as(Json.tree(object), GenericKubernetesResource.class);
      Map<String, Object> status = new LinkedHashMap<>(pruned.<Map<String, Object>>get("status"));
      status.remove("flavorsUsage");
      pruned.setAdditionalProperty("status", status);
      return pruned;
    };
    for (int i = 0; i < 5; i++) {
      publish();
    }
    assertThat(writes.tried).hasSize(2);
    createJob("runs", 3);
    publish();
    assertThat(writes.tried).hasSize(4);
  }

  @Test
  void aQueueThatIsGoneIsLeftAlone() {
    start("v1beta2");
    publish();
    cluster.delete(StrictCluster.USER, LOCAL_QUEUE);
    work();
    publish();
    assertThat(writes.tried).hasSize(2);
  }

  @Test
  void aQueueThatCannotBeAppliedIsReportedAsInactive() {
    start("v1beta2");
    publish();
    cluster.create(
        StrictCluster.USER, Serialization.unmarshal("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: broken}
        spec: {resourceGroups: 7}
        """, GenericKubernetesResource.class));
    work();
    publish();
    assertThat(writes.tried).hasSize(3);
    assertThat(loop.view().problems()).hasSize(1);
    assertThat(Json.tree(stored(new io.kueue4j.examples.controller.cluster.ObjectKey(
                "kueue.x-k8s.io", "ClusterQueue", "", "broken")))
            .at("/status/conditions/0")
            .toString())
        .contains(
            "\"type\":\"Active\"",
            "\"status\":\"False\"",
            "\"reason\":\"InvalidConfiguration\"",
            "spec.resourceGroups");
  }

  @Test
  void anUnknownVersionIsLeftAlone() {
    start("v1beta2");
    GenericKubernetesResource other = stored(CLUSTER_QUEUE);
    other.setApiVersion("kueue.x-k8s.io/v9");
    other.getMetadata().setResourceVersion("999999");
    loop.accept(ClusterEvent.changed(other));
    try (LogCapture log = new LogCapture("io.kueue4j.examples.controller")) {
      publish();
      publish();
      assertThat(log.lines(LogFormat.TEXT))
          .singleElement()
          .asString()
          .contains("kueue.x-k8s.io/v9");
    }
    assertThat(writes.tried).extracting(ObjectKey::kind).containsExactly("LocalQueue");
  }

  @Test
  void itsOwnWritesAreNoNewsForTheEngine() {
    start("v1beta2");
    ClusterConfiguration configuration = new ClusterConfiguration(loop.engine(), decisions -> {});
    HasMetadata queue = stored(CLUSTER_QUEUE);
    configuration.note(ObjectKey.of(queue), Optional.of(queue));
    assertThat(configuration.apply()).isTrue();
    publish();
    HasMetadata written = stored(CLUSTER_QUEUE);
    assertThat(written).isNotEqualTo(queue);
    configuration.note(ObjectKey.of(written), Optional.of(written));
    assertThat(configuration.apply()).isFalse();
    GenericKubernetesResource held = stored(CLUSTER_QUEUE);
    Map<String, Object> spec = new LinkedHashMap<>(held.<Map<String, Object>>get("spec"));
    spec.put("stopPolicy", "Hold");
    held.setAdditionalProperty("spec", spec);
    configuration.note(ObjectKey.of(held), Optional.of(held));
    assertThat(configuration.apply()).isTrue();
  }
}
