package io.kueue4j.examples.controller.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kueue4j.examples.controller.cluster.QueuedJobs;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Writes with a client on a mock server. */
class KubernetesWritesTest {
  private static HasMetadata labelled(HasMetadata job, String label) {
    return new JobBuilder((Job) job)
        .editMetadata()
        .addToLabels(label, "")
        .endMetadata()
        .build();
  }

  @Test
  void anEditIsMadeAgainOnWhatAnotherClientWrote() {
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client()) {
      Job job = client.resource(QueuedJobs.job("job", "queue")).create();
      KubernetesWrites writes =
          new KubernetesWrites(client, ServedKinds.BUILT_IN, () -> true, event -> {});
      AtomicBoolean isFirst = new AtomicBoolean(true);

      HasMetadata edited = writes.edit(job, current -> {
        if (isFirst.getAndSet(false)) {
          var unused = client.resource(labelled(current, "theirs")).update();
        }
        return labelled(current, "own");
      });

      assertThat(edited.getMetadata().getLabels()).containsKeys("theirs", "own");
    }
  }

  @Test
  void anotherObjectOfTheSameNameIsNotEdited() {
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client()) {
      Job job = client.resource(QueuedJobs.job("job", "queue")).create();
      var unused = client.resource(job).delete();
      Job other = client.resource(QueuedJobs.job("job", "queue")).create();
      KubernetesWrites writes =
          new KubernetesWrites(client, ServedKinds.BUILT_IN, () -> true, event -> {});

      assertThatThrownBy(() -> writes.edit(job, current -> labelled(current, "own")))
          .isInstanceOf(WriteException.class)
          .extracting(failure -> ((WriteException) failure).reason())
          .isEqualTo(WriteException.Reason.GONE);
      assertThat(client.resource(other).get().getMetadata().getLabels()).doesNotContainKey("own");
    }
  }

  @Test
  void onlyTheVersionThatWasSeenIsDeleted() {
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client()) {
      Job job = client.resource(QueuedJobs.job("job", "queue")).create();
      HasMetadata newer = client.resource(labelled(job, "theirs")).update();
      KubernetesWrites writes =
          new KubernetesWrites(client, ServedKinds.BUILT_IN, () -> true, event -> {});

      assertThatThrownBy(() -> writes.delete(job))
          .isInstanceOf(WriteException.class)
          .extracting(failure -> ((WriteException) failure).reason())
          .isEqualTo(WriteException.Reason.CONFLICT);
      writes.delete(newer);
      assertThat(client.resource(job).get()).isNull();
    }
  }

  private static String failure(int code, String message) {
    return """
        {"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": %d, "message": "%s"}
        """.formatted(code, message);
  }

  /**
   * {@return whether a Job can be written some time after the server has failed for another one}
   */
  private static boolean isTriedAfter(Duration pause, int code, String message) throws IOException {
    AtomicLong nanos = new AtomicLong();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      byte[] body = exchange.getRequestBody().readAllBytes();
      boolean isFirst = exchange.getRequestURI().getPath().endsWith("/first");
      byte[] answer = isFirst ? failure(code, message).getBytes(UTF_8) : body;
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(isFirst ? code : 200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    Config config = new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
        .withRequestRetryBackoffLimit(0)
        .build();
    try (KubernetesClient client =
        new KubernetesClientBuilder().withConfig(config).build()) {
      KubernetesWrites writes =
          new KubernetesWrites(client, ServedKinds.BUILT_IN, () -> true, event -> {}, nanos::get);
      assertThatThrownBy(() -> writes.replace(QueuedJobs.job("first", "queue")))
          .isInstanceOf(WriteException.class)
          .extracting(failure -> ((WriteException) failure).reason())
          .isEqualTo(WriteException.Reason.UNAVAILABLE);
      nanos.addAndGet(pause.toNanos());
      Job second = writes.replace(QueuedJobs.job("second", "queue"));
      return second.getMetadata().getName().equals("second");
    } catch (WriteException e) {
      return false;
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aServerThatIsAwayIsLeftAloneForASecond() throws IOException {
    String message = "the server is starting";
    assertThat(isTriedAfter(Duration.ofMillis(999), 503, message)).isFalse();
    assertThat(isTriedAfter(Duration.ofSeconds(1), 503, message)).isTrue();
  }

  @Test
  void aWebhookThatFailsDelaysOnlyWhatItIsAskedAbout() throws IOException {
    assertThat(isTriedAfter(
            Duration.ZERO, 500, "Internal error occurred: failed calling webhook: refused"))
        .isTrue();
  }
}
