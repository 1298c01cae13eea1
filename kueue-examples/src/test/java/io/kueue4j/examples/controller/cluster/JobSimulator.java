package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/**
 * What the Job controller and the kubelets do, one step of one Job at a time, so that a test
 * decides how late each is.
 *
 * <p>Pods of a Job that is not suspended are made and run; pods of a suspended one are deleted, and
 * those beyond its parallelism, pods that wait at a gate first. The status is written as by the Job
 * controller: the start time with the first start after a stop, the condition {@code Suspended},
 * the counts.
 */
public final class JobSimulator {
  /** The actor in the log. */
  public static final String ACTOR = "job-controller";

  private final StrictCluster cluster;
  private final ServerVersion version;
  private final InstantSource clock;

  public JobSimulator(StrictCluster cluster, ServerVersion version, InstantSource clock) {
    this.cluster = cluster;
    this.version = version;
    this.clock = clock;
  }

  /** Performs the next action for the Job; none if it has finished or does not exist. */
  public void sync(ObjectKey key) {
    ObjectNode job = cluster.tree(key);
    if (job == null || hasEnded(job) || ApiRules.isDeleting(job)) {
      return;
    }
    if (Trees.at(job, "spec", "suspend").asBoolean()) {
      stop(key, job);
    } else {
      run(key, job);
    }
  }

  private void stop(ObjectKey key, ObjectNode job) {
    pods(job).forEach(pod -> cluster.delete(ACTOR, pod));
    cluster.edit(ACTOR, ApiWrite.Verb.REPLACE_STATUS, key, edited -> {
      ObjectNode status = Trees.child(edited, "status");
      status.remove(List.of("active", "ready"));
      if (version == ServerVersion.KUBERNETES_1_36) {
        status.remove("startTime");
      }
      setCondition(status, "Suspended", "True", "JobSuspended", "Job suspended");
    });
  }

  private void run(ObjectKey key, ObjectNode job) {
    int wanted = podCount(job) - Trees.at(job, "status", "succeeded").asInt();
    for (int i = pods(job).size(); i < wanted; i++) {
      cluster.create(ACTOR, pod(job));
    }
    pods(job).stream()
        .sorted(Comparator.comparing(this::isGated).reversed())
        .limit(Math.max(0, pods(job).size() - podCount(job)))
        .forEach(pod -> cluster.delete(ACTOR, pod));
    boolean resumed = isSuspendedByCondition(job);
    int active = pods(job).size();
    long ready = pods(job).stream().filter(pod -> !isGated(pod)).count();
    cluster.edit(ACTOR, ApiWrite.Verb.REPLACE_STATUS, key, edited -> {
      ObjectNode status = Trees.child(edited, "status");
      if (!status.has("startTime") || resumed) {
        status.put("startTime", ApiRules.text(clock.instant()));
      }
      if (resumed) {
        setCondition(status, "Suspended", "False", "JobResumed", "Job resumed");
      }
      status.put("active", active);
      status.put("ready", ready);
    });
  }

  private boolean isGated(ObjectKey pod) {
    ObjectNode tree = cluster.tree(pod);
    return tree != null && !Trees.at(tree, "spec", "schedulingGates").isEmpty();
  }

  /** Finishes the pods and the Job; no effect if it has not been started. */
  public void finish(ObjectKey key, boolean success) {
    ObjectNode job = cluster.tree(key);
    if (job == null
        || hasEnded(job)
        || pods(job).isEmpty()
        || !job.at("/status").has("startTime")) {
      return;
    }
    List<ObjectKey> pods = pods(job);
    for (ObjectKey pod : pods) {
      cluster.edit(
          ACTOR,
          ApiWrite.Verb.REPLACE_STATUS,
          pod,
          edited -> Trees.child(edited, "status").put("phase", success ? "Succeeded" : "Failed"));
    }
    cluster.edit(ACTOR, ApiWrite.Verb.REPLACE_STATUS, key, edited -> {
      ObjectNode status = Trees.child(edited, "status");
      status.remove(List.of("active", "ready"));
      status.put(success ? "succeeded" : "failed", pods.size());
      if (success) {
        status.put("completionTime", ApiRules.text(clock.instant()));
      }
      for (String type : success
          ? List.of("SuccessCriteriaMet", "Complete")
          : List.of("FailureTarget", "Failed")) {
        setCondition(
            status,
            type,
            "True",
            success ? "CompletionsReached" : "BackoffLimitExceeded",
            success
                ? "Reached expected number of succeeded pods"
                : "Job has reached the specified backoff limit");
      }
    });
  }

  /** {@return whether its pods exist and have not finished} */
  public boolean hasPods(ObjectKey key) {
    ObjectNode job = cluster.tree(key);
    return job != null && !pods(job).isEmpty();
  }

  public static boolean hasEnded(JsonNode job) {
    return Trees.hasCondition(job, "Complete") || Trees.hasCondition(job, "Failed");
  }

  private static boolean isSuspendedByCondition(JsonNode job) {
    return Trees.hasCondition(job, "Suspended");
  }

  /** The pods of the Job that have not finished. */
  private List<ObjectKey> pods(JsonNode job) {
    String uid = Trees.at(job, "metadata", "uid").asText();
    String prefix = Trees.at(job, "metadata", "name").asText() + "-";
    ObjectKey key = ObjectKey.of(job);
    return cluster.keys(candidate -> candidate.kind().equals("Pod")
        && candidate.namespace().equals(key.namespace())
        && candidate.name().startsWith(prefix)
        && isLivePod(cluster.tree(candidate), uid));
  }

  public static boolean isLivePod(
      @org.jspecify.annotations.Nullable JsonNode pod, String ownerUid) {
    return pod != null
        && ApiRules.isOwnedBy(pod, ownerUid)
        && Trees.at(pod, "status", "phase").asText().matches("Pending|Running");
  }

  public static int podCount(JsonNode job) {
    int parallelism = Trees.at(job, "spec", "parallelism").asInt(1);
    return Math.min(parallelism, Trees.at(job, "spec", "completions").asInt(parallelism));
  }

  private static ObjectNode pod(ObjectNode job) {
    JsonNode template = Trees.at(job, "spec", "template");
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = Trees.child(pod, "metadata");
    metadata.put("generateName", Trees.at(job, "metadata", "name").asText() + "-");
    metadata.put("namespace", Trees.at(job, "metadata", "namespace").asText());
    Trees.set(metadata, "labels", Trees.at(template, "metadata", "labels"));
    Trees.set(metadata, "annotations", Trees.at(template, "metadata", "annotations"));
    Trees.child(metadata, "labels")
        .put(
            "batch.kubernetes.io/controller-uid",
            Trees.at(job, "metadata", "uid").asText());
    addOwner(metadata, job);
    Trees.set(pod, "spec", template.path("spec"));
    return pod;
  }

  static void addOwner(ObjectNode metadata, JsonNode owner) {
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", owner.path("apiVersion").asText())
        .put("kind", owner.path("kind").asText())
        .put("name", Trees.at(owner, "metadata", "name").asText())
        .put("uid", Trees.at(owner, "metadata", "uid").asText())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }

  static void setCondition(
      ObjectNode status, String type, String value, String reason, String message) {
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode array ? array : status.putArray("conditions");
    for (int i = conditions.size() - 1; i >= 0; i--) {
      if (conditions.get(i).path("type").asText().equals(type)) {
        if (conditions.get(i).path("status").asText().equals(value)) {
          return;
        }
        conditions.remove(i);
      }
    }
    conditions
        .addObject()
        .put("type", type)
        .put("status", value)
        .put("reason", reason)
        .put("message", message);
  }
}
