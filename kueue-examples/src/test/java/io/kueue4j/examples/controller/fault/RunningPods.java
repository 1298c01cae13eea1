package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Strings;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares the pods that may run in the name of a queue with the quotas, by code of its own: only
 * pods, their owners, and the configuration are read, and nothing that a controller has recorded.
 */
final class RunningPods {
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final String MOVED = "moved";

  private final StrictCluster cluster;

  /** The jobs that were moved to another queue; those that ran stay with the former one. */
  private final Set<String> moved = new HashSet<>();

  /** What the owners of each pod have led to when it had owners, by its uid. */
  private final Map<String, JsonNode> roots = new HashMap<>();

  /** The JobSets of the Jobs whose owners were removed, by the uid of the Job. */
  private final Map<String, String> formerOwners = new HashMap<>();

  RunningPods(StrictCluster cluster) {
    this.cluster = cluster;
    cluster.watch(this::see);
  }

  private void see(ApiWrite write) {
    if (write.key().kind().equals("Pod") && write.after() != null) {
      rememberRoot(write.after());
    }
    if (JobView.isJob(write.key()) && write.before() != null && write.after() != null) {
      String owner = ownerUid(write.before());
      // What no controller has started is no more than a Job without a queue.
      boolean isStarted =
          write.after().at("/spec/template/spec/nodeSelector").has(RandomCluster.POOL);
      if (isStarted && !owner.isEmpty() && ownerUid(write.after()).isEmpty()) {
        formerOwners.put(write.after().at("/metadata/uid").asText(), owner);
      }
      JobView job = new JobView(write.object());
      if (!new JobView(Objects.requireNonNull(write.before())).queue().equals(job.queue())) {
        moved.add(job.uid());
      }
    }
  }

  /** {@return the violations of the quotas at present} */
  List<String> violations(Set<String> excludedNamespaces, String excludingQueue) {
    Map<String, JsonNode> byUid = byUid();
    List<String> violations = new ArrayList<>();
    Map<String, Map<String, Long>> usage = new TreeMap<>();
    for (ObjectNode pod : cluster.trees("Pod")) {
      JsonNode root = presentRoot(pod, byUid);
      String queue = root.at("/metadata/labels").path(QUEUE).asText();
      if (!mayRun(pod) || queue.isEmpty() || JobSimulator.hasEnded(owner(pod, byUid))) {
        continue;
      }
      boolean isMoved = moved.contains(root.at("/metadata/uid").asText());
      String clusterQueue = isMoved ? MOVED : clusterQueue(root, queue);
      String namespace = pod.at("/metadata/namespace").asText();
      if (clusterQueue.isEmpty()
          || (clusterQueue.equals(excludingQueue) && excludedNamespaces.contains(namespace))) {
        violations.add("a pod runs with queue " + queue + ", which does not take it: " + pod);
      }
      usage
          .computeIfAbsent(clusterQueue, name -> new TreeMap<>())
          .merge(
              pod.at("/spec/nodeSelector").path(RandomCluster.POOL).asText(),
              cpuMillis(pod),
              Long::sum);
    }
    check(usage, violations);
    return violations;
  }

  /** What a pod requests, or still has, if that is more. */
  private static long cpuMillis(JsonNode pod) {
    return Math.max(
        JobView.cpuMillis(pod.at("/spec/containers/0/resources/requests/cpu")),
        JobView.cpuMillis(pod.at("/status/containerStatuses/0/resources/requests/cpu")));
  }

  private void rememberRoot(JsonNode pod) {
    JsonNode root = root(pod, byUid());
    String uid = pod.at("/metadata/uid").asText();
    boolean isManaged = !root.at("/metadata/labels").path(QUEUE).asText().isEmpty();
    // What no controller has started is no more than a pod without a queue.
    boolean isStarted = pod.at("/spec/nodeSelector").has(RandomCluster.POOL);
    if (isManaged && isStarted && mayRun(pod)) {
      roots.put(uid, root);
    }
  }

  private Map<String, JsonNode> byUid() {
    Map<String, JsonNode> byUid = new HashMap<>();
    cluster
        .trees(key -> true)
        .forEach(tree -> byUid.put(tree.at("/metadata/uid").asText(), tree));
    return byUid;
  }

  private JsonNode root(JsonNode object, Map<String, JsonNode> byUid) {
    String former = formerOwners.getOrDefault(object.at("/metadata/uid").asText(), "");
    JsonNode owner = byUid.get(Strings.isNullOrEmpty(ownerUid(object)) ? former : ownerUid(object));
    return owner == null ? object : root(owner, byUid);
  }

  /** {@return the owner of an object, or the object itself if it has none} */
  private static JsonNode owner(JsonNode object, Map<String, JsonNode> byUid) {
    return byUid.getOrDefault(ownerUid(object), object);
  }

  private static String ownerUid(JsonNode object) {
    return object.at("/metadata/ownerReferences/0/uid").asText();
  }

  /** What has lost its owners, or its labels, still runs for its first owner. */
  private JsonNode presentRoot(JsonNode pod, Map<String, JsonNode> byUid) {
    JsonNode root = root(pod, byUid);
    boolean isAlone = pod.at("/metadata/ownerReferences").isEmpty();
    return isAlone ? roots.getOrDefault(pod.at("/metadata/uid").asText(), root) : root;
  }

  private static boolean mayRun(JsonNode pod) {
    return pod.at("/status/phase").asText().matches("Pending|Running")
        && pod.at("/spec/schedulingGates").isEmpty();
  }

  private String clusterQueue(JsonNode root, String queue) {
    ObjectNode local = cluster.tree(new ObjectKey(
        "kueue.x-k8s.io", "LocalQueue", root.at("/metadata/namespace").asText(), queue));
    return local == null ? "" : local.at("/spec/clusterQueue").asText();
  }

  private void check(Map<String, Map<String, Long>> usage, List<String> violations) {
    Map<String, Map<String, Long>> used = new TreeMap<>();
    Map<String, Map<String, Long>> quota = new TreeMap<>();
    for (ObjectNode tree : cluster.trees("ClusterQueue")) {
      Quotas quotas = Quotas.of(tree);
      String name = tree.at("/metadata/name").asText();
      String pool = quotas.cohort().isEmpty() ? name : "cohort " + quotas.cohort();
      quotas
          .byFlavor()
          .forEach((flavor, amount) -> quota
              .computeIfAbsent(pool, key -> new TreeMap<>())
              .merge(flavor, amount.nominal(), Long::sum));
      usage
          .getOrDefault(name, Map.of())
          .forEach((flavor, millis) ->
              used.computeIfAbsent(pool, key -> new TreeMap<>()).merge(flavor, millis, Long::sum));
    }
    used.forEach((pool, amounts) -> amounts.forEach((flavor, millis) -> {
      long limit = quota.getOrDefault(pool, Map.of()).getOrDefault(flavor, 0L);
      if (millis > limit) {
        violations.add(
            "pods of %s use %d of flavor %s, more than %d".formatted(pool, millis, flavor, limit));
      }
    }));
  }
}
