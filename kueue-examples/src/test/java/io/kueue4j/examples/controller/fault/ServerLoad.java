package io.kueue4j.examples.controller.fault;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.ServedKinds;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * The load of {@link LoadRun} through the client and HTTP, with room for all Jobs at once:
 * {@code ServerLoad JOBS QUEUES}.
 */
final class ServerLoad {
  private ServerLoad() {}

  public static void main(String[] arguments) throws Exception {
    int jobs = Integer.parseInt(arguments[0]);
    int queues = Integer.parseInt(arguments[1]);
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_36, InstantSource.system());
        KubernetesClient client = server.client();
        KubernetesClient own = server.client()) {
      for (int i = 0; i < jobs; i++) {
        client.resource(job(i, i % queues)).create();
      }
      long written = server.replacements();
      long begin = System.nanoTime();
      try (Controller controller = Controller.builder(own)
          .kinds(ServedKinds.BUILT_IN)
          .queues(
              ManifestReader.create().read(ManifestSource.of("queues.yaml", queues(jobs, queues))))
          .build()) {
        CompletableFuture<Void> run = CompletableFuture.runAsync(
            () -> {
              try {
                controller.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            // Of its own: the common pool has too few threads for one that blocks.
            task -> new Thread(task, "controller").start());
        while (server.replacements() - written < jobs && !run.isDone()) {
          Thread.sleep(100);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        controller.stop(Duration.ofSeconds(30));
        run.join();
        long starts = client.batch().v1().jobs().inAnyNamespace().list().getItems().stream()
            .filter(job -> !job.getSpec().getSuspend())
            .count();
        System.out.printf(
            "%d starts, %d writes of Jobs, %.1f s, %.0f admissions/s%n",
            starts, server.replacements() - written, seconds, starts / seconds);
      }
    }
  }

  private static Job job(int number, int queue) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("job" + number)
        .addToLabels("kueue.x-k8s.io/queue-name", "lq" + queue)
        .endMetadata()
        .withNewSpec()
        .withSuspend(true)
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("main")
        .withImage("sleep:1")
        .withNewResources()
        .addToRequests("cpu", new Quantity("1"))
        .endResources()
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static String queues(int jobs, int queues) {
    StringBuilder yaml = new StringBuilder("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: f0}
        spec: {nodeLabels: {pool: f0}}
        """);
    for (int i = 0; i < queues; i++) {
      yaml.append("""
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: cq%d}
          spec:
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: f0, resources: [{name: cpu, nominalQuota: %d}]}]
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: lq%d, namespace: default}
          spec: {clusterQueue: cq%d}
          """.formatted(i, jobs / queues + 1, i, i));
    }
    return yaml.toString();
  }
}
