package io.kueue4j.examples.controller.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.cluster.QueuedJobs;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
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
}
