package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Suspended Jobs of one pod with one core in the namespace {@code default}, and their queues. */
public final class QueuedJobs {
  private static final int THREADS = 12;

  private QueuedJobs() {}

  /** {@return a Job that is not created yet} */
  public static Job job(String name, String queue) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .addToLabels("kueue.x-k8s.io/queue-name", queue)
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

  /**
   * Creates Jobs, whose names are {@code job} and a number from 0, in the LocalQueues of
   * {@link #queues}.
   */
  public static void create(KubernetesClient client, int jobs, int queues) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> creations = new ArrayList<>();
      for (int i = 0; i < jobs; i++) {
        Job job = job("job" + i, "lq" + i % queues);
        creations.add(executor.submit(() -> client.resource(job).create()));
      }
      for (Future<?> creation : creations) {
        var unused = creation.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /**
   * {@return manifests of ClusterQueues {@code cq0}, {@code cq1} and so on in cohorts, with a
   * LocalQueue {@code lq0}, {@code lq1} each, and of their flavor}
   *
   * @param trees the number of cohorts; queue N is in cohort N modulo that
   * @param cores the nominal quota of each queue
   */
  public static String queues(int queues, int trees, int cores) {
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
            cohortName: c%d
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: f0, resources: [{name: cpu, nominalQuota: %d}]}]
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: lq%d, namespace: default}
          spec: {clusterQueue: cq%d}
          """.formatted(i, i % trees, cores, i, i));
    }
    return yaml.toString();
  }
}
