package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.testkit.KueueCluster;
import io.kueue4j.k8s.testkit.KueueTest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

// snippet
@KueueTest("queues.yaml")
class RenderOperatorTest {
  private static final WorkloadId FIRST = WorkloadId.of("default", "first");
  private static final WorkloadId SECOND = WorkloadId.of("default", "second");

  private KubernetesClient client;
  private RenderOperator operator;

  @BeforeEach
  void start(KueueCluster kueue) {
    client = kueue.client();
    operator = RenderOperator.start(client, kueue.clock());
  }
  // end

  @AfterEach
  void stop() throws InterruptedException {
    operator.stop();
  }

  private void create(WorkloadId id, int priority) {
    Render render = new Render();
    render.setMetadata(new ObjectMetaBuilder()
        .withNamespace(id.namespace())
        .withName(id.name())
        .build());
    render.setSpec(new Render.Spec("queue", 4, priority));
    client.resource(render).create();
  }

  private PodResource pod(WorkloadId id) {
    return client.pods().inNamespace(id.namespace()).withName(id.name());
  }

  private void awaitPhase(WorkloadId id, String phase) {
    client
        .resources(Render.class)
        .inNamespace(id.namespace())
        .withName(id.name())
        .waitUntilCondition(
            render -> render != null
                && render.getStatus() != null
                && render.getStatus().phase().equals(phase),
            20,
            TimeUnit.SECONDS);
  }

  private void succeed(WorkloadId id) {
    pod(id).editStatus(pod -> {
      pod.setStatus(new PodStatusBuilder().withPhase("Succeeded").build());
      return pod;
    });
  }

  @Test
  void runsAPodWhenItsWorkloadIsAdmitted(KueueCluster kueue) {
    create(FIRST, 0);
    kueue.admits(FIRST);
    awaitPhase(FIRST, "Running");

    create(SECOND, 0);
    assertTrue(kueue.pends(SECOND).contains("cpu"), "it says which quota it waits for");
    awaitPhase(SECOND, "Waiting");

    succeed(FIRST);
    awaitPhase(FIRST, "Done");
    kueue.admits(SECOND);
    awaitPhase(SECOND, "Running");
  }

  // snippet
  @Test
  void stopsAPodThatIsPreemptedAndStartsItAgain(KueueCluster kueue) {
    create(FIRST, 0);
    awaitPhase(FIRST, "Running");

    create(SECOND, 100);
    assertEquals("Preempted", kueue.evicts(FIRST));
    kueue.admits(SECOND);
    awaitPhase(FIRST, "Waiting");
    awaitPhase(SECOND, "Running");

    succeed(SECOND);
    awaitPhase(FIRST, "Running");
  }
  // end

  // snippet
  /** Kueue evicts what has no ready pods in time; this operator reports none. */
  @Test
  void startsAgainWhenTheBackoffIsOver(KueueCluster kueue) {
    create(FIRST, 0);
    awaitPhase(FIRST, "Running");

    kueue.advance(Duration.ofMinutes(30));
    awaitPhase(FIRST, "Waiting");
    kueue.pends(FIRST);

    kueue.advance(Duration.ofMinutes(2));
    awaitPhase(FIRST, "Running");
  }
  // end
}
