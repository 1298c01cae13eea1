package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.state.JobState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The status of queues, written by a controller with its own client. */
class QueueStatusControllerTest {
  private static final ImmutableList<WatchedKind> KINDS = ImmutableList.<WatchedKind>builder()
      .addAll(RunningController.KINDS)
      .add(
          queueKind("ResourceFlavor", "resourceflavors", false),
          queueKind("ClusterQueue", "clusterqueues", false),
          queueKind("LocalQueue", "localqueues", true))
      .build();

  private final StrictMockServer server =
      StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
  private final KubernetesClient client = server.client();

  private static WatchedKind queueKind(String kind, String plural, boolean namespaced) {
    return new WatchedKind(
        "kueue.x-k8s.io", "v1beta2", kind, plural, namespaced, GenericKubernetesResource.class);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private Resource<GenericKubernetesResource> resource(HasMetadata object) {
    ObjectKey key = ObjectKey.of(object);
    WatchedKind kind =
        KINDS.stream().filter(known -> known.isOf(key)).findFirst().orElseThrow();
    var all = client.genericKubernetesResources(kind.context());
    GenericKubernetesResource generic = Json.as(Json.tree(object), GenericKubernetesResource.class);
    return kind.namespaced()
        ? all.inNamespace(key.namespace()).resource(generic)
        : all.resource(generic);
  }

  private HasMetadata create(String yaml) {
    HasMetadata object = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    return resource(object).create();
  }

  private HasMetadata createQueues() {
    create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: spot}
        """);
    HasMetadata clusterQueue = create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: research}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: spot
              resources: [{name: cpu, nominalQuota: 4}]
        """);
    create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: queue, namespace: default}
        spec: {clusterQueue: research}
        """);
    return clusterQueue;
  }

  private void createJob() {
    create("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: one
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
                resources: {requests: {cpu: "3"}}
        """);
  }

  private boolean runs() {
    Job job = client.batch().v1().jobs().inNamespace("default").withName("one").get();
    return Boolean.FALSE.equals(job.getSpec().getSuspend());
  }

  private int admitted(HasMetadata queue) {
    Map<String, Object> status = resource(queue).get().get("status");
    return status == null ? -1 : ((Number) status.getOrDefault("admittedWorkloads", -1)).intValue();
  }

  private void withController(
      ImmutableList<WatchedKind> kinds, Optional<Duration> interval, Body body) throws Exception {
    try (RunningController running = RunningController.start(server.client(), builder -> {
      interval.ifPresent(builder::queueStatus);
      return builder.kinds(kinds);
    })) {
      body.run(running.controller());
    }
  }

  /** The actions of a test while a controller works. */
  private interface Body {
    void run(Controller controller) throws Exception;
  }

  @Test
  void theStatusFollowsWhatIsDecided() throws Exception {
    HasMetadata queue = createQueues();
    withController(KINDS, Optional.of(Duration.ofMillis(50)), controller -> {
      Await.until("a status", () -> admitted(queue) == 0);
      createJob();
      Await.until("the job runs", this::runs);
      Await.until("it is published", () -> admitted(queue) == 1);
      HasMetadata localQueue = Serialization.unmarshal("""
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: queue, namespace: default}
          """, GenericKubernetesResource.class);
      Await.until("of the LocalQueue, too", () -> admitted(localQueue) == 1);
      assertThat(resource(queue).get().<Map<String, Object>>get("spec"))
          .containsKey("resourceGroups");
    });
    assertThat(Thread.getAllStackTraces().keySet())
        .as("the thread ends with the work")
        .noneMatch(thread -> thread.getName().equals("queue-status"));
  }

  @Test
  void nothingIsWrittenUnlessAskedFor() throws Exception {
    HasMetadata queue = createQueues();
    withController(KINDS, Optional.empty(), controller -> {
      createJob();
      Await.until("the job runs", this::runs);
      Await.until(
          "it is known",
          () -> controller.view().stream()
              .flatMap(view -> view.jobs().stream())
              .anyMatch(job -> job.state() == JobState.ADMITTED));
    });
    assertThat(admitted(queue)).isEqualTo(-1);
  }

  @Test
  void withoutKueuesKindsThereIsNothingToWrite() throws Exception {
    withController(RunningController.KINDS, Optional.of(Duration.ofMillis(50)), controller -> {
      createJob();
      Await.until(
          "the job is looked at",
          () -> controller.view().stream().anyMatch(view -> !view.jobs().isEmpty()));
    });
  }
}
