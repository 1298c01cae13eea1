package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Queues and jobs of random runs: one resource, so that it is easy to see what fits.
 *
 * <p>Flavor {@code f0} has the node label {@code pool: f0}, and so on. Names of jobs are counted.
 */
final class RandomCluster {
  static final String POOL = "pool";

  private final Random random;
  private final List<String> flavors = new ArrayList<>();
  private final List<String> localQueues = new ArrayList<>();
  private final List<String> clusterQueues = new ArrayList<>();
  private boolean inCohort;
  private int jobs;

  RandomCluster(Random random) {
    this.random = random;
  }

  /** Creates everything but jobs. */
  void create(StrictCluster cluster) {
    int flavorCount = 1 + random.nextInt(2);
    for (int i = 0; i < flavorCount; i++) {
      flavors.add("f" + i);
      put(cluster, """
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
           "metadata": {"name": "f%d"}, "spec": {"nodeLabels": {"pool": "f%d"}}}
          """.formatted(i, i));
    }
    for (String[] priority : new String[][] {{"low", "-10"}, {"high", "10"}}) {
      put(cluster, """
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass",
           "metadata": {"name": "%s"}, "value": %s}
          """.formatted(priority[0], priority[1]));
    }
    inCohort = random.nextInt(4) > 0;
    int queueCount = 1 + random.nextInt(3);
    for (int i = 0; i < queueCount; i++) {
      clusterQueues.add("cq" + i);
      put(cluster, clusterQueue("cq" + i));
      int locals = 1 + random.nextInt(2);
      for (int j = 0; j < locals; j++) {
        localQueues.add("lq" + i + j);
        put(cluster, """
            {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
             "metadata": {"name": "lq%d%d", "namespace": "default"},
             "spec": {"clusterQueue": "cq%d"}}
            """.formatted(i, j, i));
      }
    }
  }

  private String clusterQueue(String name) {
    return """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
         "metadata": {"name": "%s"},
         "spec": {"namespaceSelector": {}, %s "queueingStrategy": "%s",
           "preemption": {"withinClusterQueue": "%s", "reclaimWithinCohort": "%s"},
           "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [%s]}]}}
        """.formatted(
            name,
            inCohort ? "\"cohortName\": \"pool\"," : "",
            random.nextInt(3) == 0 ? "StrictFIFO" : "BestEffortFIFO",
            random.nextInt(3) == 0 ? "Never" : "LowerPriority",
            inCohort ? List.of("Never", "Any", "LowerPriority").get(random.nextInt(3)) : "Never",
            String.join(", ", quotas()));
  }

  private List<String> quotas() {
    List<String> quotas = new ArrayList<>();
    for (String flavor : flavors) {
      boolean limited = inCohort && random.nextInt(3) == 0;
      quotas.add("""
          {"name": "%s", "resources": [{"name": "cpu", "nominalQuota": "%d"%s}]}
          """.formatted(
              flavor,
              1 + random.nextInt(5),
              limited ? ", \"borrowingLimit\": \"" + random.nextInt(3) + "\"" : ""));
    }
    return quotas;
  }

  /** {@return other quotas for a queue, in the same flavors} */
  String otherQuotas() {
    return "[{\"coveredResources\": [\"cpu\"], \"flavors\": [" + String.join(", ", quotas())
        + "]}]";
  }

  /** {@return a job that does not exist yet} */
  HasMetadata job() {
    jobs++;
    String queue = random.nextInt(20) == 0 ? "" : queueLabel();
    String priority = List.of("", "low", "high").get(random.nextInt(3));
    String labels = queue
        + (priority.isEmpty() ? "" : ", \"kueue.x-k8s.io/priority-class\": \"" + priority + "\"");
    if (queue.isEmpty()) {
      labels = "\"plain\": \"yes\"";
    }
    boolean suspended = random.nextInt(8) > 0;
    int parallelism = 1 + random.nextInt(3);
    ObjectNode tree = random.nextInt(5) == 0
        ? jobSet(labels, suspended, parallelism)
        : Trees.parse("""
            {"apiVersion": "batch/v1", "kind": "Job",
             "metadata": {"name": "job%d", "namespace": "default", "labels": {%s},
               "annotations": {"kueue4j.io/expected-duration": "PT2M"}},
             "spec": {"suspend": %s, "parallelism": %d, "completions": %d, "template": %s}}
            """.formatted(jobs, labels, suspended, parallelism, parallelism, template()));
    return Trees.toObject(tree);
  }

  private ObjectNode jobSet(String labels, boolean suspended, int parallelism) {
    return Trees.parse("""
        {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
         "metadata": {"name": "set%d", "namespace": "default", "labels": {%s},
           "annotations": {"kueue4j.io/expected-duration": "PT3M"}},
         "spec": {"suspend": %s, "replicatedJobs": [
           {"name": "a", "replicas": 1, "template": {"spec": {
             "parallelism": 1, "completions": 1, "template": %s}}},
           {"name": "b", "replicas": %d, "template": {"spec": {
             "parallelism": 1, "completions": 1, "template": %s}}}]}}
        """.formatted(jobs, labels, suspended, template(), parallelism, template()));
  }

  private String template() {
    String selector = random.nextInt(3) == 0 ? "\"nodeSelector\": {\"disk\": \"ssd\"}," : "";
    return """
        {"metadata": {"labels": {"app": "a"}}, "spec": {%s "restartPolicy": "Never",
         "containers": [{"name": "main", "image": "sleep:1",
           "resources": {"requests": {"cpu": "%d"}}}]}}
        """.formatted(selector, 1 + random.nextInt(2));
  }

  /** {@return the label of some queue, now and then of one that is not there} */
  String queueLabel() {
    String queue =
        random.nextInt(15) == 0 ? "missing" : localQueues.get(random.nextInt(localQueues.size()));
    return "\"kueue.x-k8s.io/queue-name\": \"" + queue + "\"";
  }

  String someLocalQueue() {
    return localQueues.get(random.nextInt(localQueues.size()));
  }

  String someClusterQueue() {
    return clusterQueues.get(random.nextInt(clusterQueues.size()));
  }

  private static void put(StrictCluster cluster, String json) {
    cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(json)));
  }
}
