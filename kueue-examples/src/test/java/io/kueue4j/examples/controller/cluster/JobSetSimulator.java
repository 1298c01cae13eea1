package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.List;

/**
 * What the JobSet controller does, one step of one JobSet at a time: it makes the child Jobs,
 * suspends and resumes them with the JobSet, counts them in the status, and deletes those that are
 * left when it has finished.
 *
 * <p>A Job that is resumed gets the labels, annotations and scheduling directives of its template
 * at that time beside those that it has, so it keeps what only earlier starts have added.
 */
public final class JobSetSimulator {
  /** The actor in the log. */
  public static final String ACTOR = "jobset-controller";

  private final StrictCluster cluster;

  public JobSetSimulator(StrictCluster cluster) {
    this.cluster = cluster;
  }

  /** Performs the next action for the JobSet; none if it does not exist. */
  public void sync(ObjectKey key) {
    ObjectNode jobSet = cluster.tree(key);
    if (jobSet == null || ApiRules.isDeleting(jobSet)) {
      return;
    }
    if (hasEnded(jobSet)) {
      deleteUnfinished(key);
      return;
    }
    boolean suspend = Trees.at(jobSet, "spec", "suspend").asBoolean();
    String uid = Trees.at(jobSet, "metadata", "uid").asText();
    for (JsonNode replicated : Trees.at(jobSet, "spec", "replicatedJobs")) {
      for (int i = 0; i < replicated.path("replicas").asInt(); i++) {
        ObjectKey child = childKey(key, replicated, i);
        ObjectNode existing = cluster.tree(child);
        if (existing == null) {
          cluster.create(ACTOR, child(jobSet, replicated, child, suspend));
        } else if (ApiRules.isOwnedBy(existing, uid)
            && !JobSimulator.hasEnded(existing)
            && Trees.at(existing, "spec", "suspend").asBoolean() != suspend) {
          setSuspend(child, replicated, suspend);
        }
      }
    }
    writeStatus(key, jobSet, suspend);
  }

  private void deleteUnfinished(ObjectKey key) {
    for (ObjectKey child : children(key)) {
      ObjectNode job = cluster.tree(child);
      if (job != null && !JobSimulator.hasEnded(job)) {
        cluster.delete(ACTOR, child);
      }
    }
  }

  /** Clears the start time of a child that was started, before its template may change. */
  private void setSuspend(ObjectKey child, JsonNode replicated, boolean suspend) {
    ObjectNode job = cluster.tree(child);
    if (!suspend && job != null && Trees.at(job, "status").has("startTime")) {
      cluster.edit(
          ACTOR,
          ApiWrite.Verb.REPLACE_STATUS,
          child,
          edited -> Trees.child(edited, "status").remove("startTime"));
    }
    cluster.edit(ACTOR, ApiWrite.Verb.REPLACE, child, edited -> {
      ObjectNode spec = Trees.child(edited, "spec");
      spec.put("suspend", suspend);
      if (!suspend) {
        JsonNode wanted = Trees.at(replicated, "template", "spec", "template");
        ObjectNode pods = Trees.child(spec, "template");
        addEntries(pods, wanted, "metadata", "labels");
        addEntries(pods, wanted, "metadata", "annotations");
        addEntries(pods, wanted, "spec", "nodeSelector");
        addElements(pods, wanted, "tolerations");
        addElements(pods, wanted, "schedulingGates");
      }
    });
  }

  private static void addEntries(ObjectNode pods, JsonNode wanted, String... path) {
    if (Trees.at(wanted, path) instanceof ObjectNode added) {
      Trees.child(pods, path).setAll(added);
    }
  }

  private static void addElements(ObjectNode pods, JsonNode wanted, String field) {
    ArrayNode elements = Trees.child(pods, "spec").withArrayProperty(field);
    for (JsonNode added : Trees.at(wanted, "spec", field)) {
      if (Iterables.all(elements, known -> !Trees.same(known, added))) {
        elements.add(added);
      }
    }
  }

  private void writeStatus(ObjectKey key, ObjectNode jobSet, boolean suspend) {
    String uid = Trees.at(jobSet, "metadata", "uid").asText();
    ArrayNode statuses = JsonNodeFactory.instance.arrayNode();
    boolean complete = true;
    boolean failed = false;
    for (JsonNode replicated : Trees.at(jobSet, "spec", "replicatedJobs")) {
      ObjectNode counts = statuses.addObject();
      counts.put("name", replicated.path("name").asText());
      int[] count = new int[5];
      for (int i = 0; i < replicated.path("replicas").asInt(); i++) {
        ObjectNode child = cluster.tree(childKey(key, replicated, i));
        if (child != null && ApiRules.isOwnedBy(child, uid)) {
          count(child, count);
        }
      }
      counts.put("ready", count[0]).put("succeeded", count[1]).put("failed", count[2]);
      counts.put("active", count[3]).put("suspended", count[4]);
      complete &= count[1] == replicated.path("replicas").asInt();
      failed |= count[2] > 0;
    }
    boolean succeeded = complete;
    boolean broken = failed;
    cluster.edit(ACTOR, ApiWrite.Verb.REPLACE_STATUS, key, edited -> {
      ObjectNode status = Trees.child(edited, "status");
      status.set("replicatedJobsStatus", statuses);
      if (suspend || Trees.hasCondition(edited, "Suspended")) {
        JobSimulator.setCondition(
            status,
            "Suspended",
            suspend ? "True" : "False",
            suspend ? "SuspendedJobs" : "ResumeJobs",
            suspend ? "jobset is suspended" : "jobset is resumed");
      }
      if (broken) {
        JobSimulator.setCondition(
            status,
            "Failed",
            "True",
            "FailedJobs",
            "jobset failed due to one or more job failures");
      } else if (succeeded) {
        JobSimulator.setCondition(
            status, "Completed", "True", "AllJobsCompleted", "jobset completed successfully");
      }
    });
  }

  /** Ready, succeeded, failed, active, suspended; a Job that has not ended may be several. */
  private static void count(JsonNode child, int[] count) {
    if (Trees.hasCondition(child, "Complete")) {
      count[1]++;
    } else if (Trees.hasCondition(child, "Failed")) {
      count[2]++;
    } else {
      int done = Trees.at(child, "status", "ready").asInt()
          + Trees.at(child, "status", "succeeded").asInt();
      count[0] += done >= JobSimulator.podCount(child) ? 1 : 0;
      count[3] += Trees.at(child, "status", "active").asInt() > 0 ? 1 : 0;
      count[4] += Trees.at(child, "spec", "suspend").asBoolean() ? 1 : 0;
    }
  }

  /**
   * {@return whether a Job of the JobSet has lost its owner, so that the JobSet never completes}
   */
  public boolean hasLostJob(ObjectKey key) {
    ObjectNode jobSet = cluster.tree(key);
    if (jobSet != null) {
      String uid = Trees.at(jobSet, "metadata", "uid").asText();
      for (JsonNode replicated : Trees.at(jobSet, "spec", "replicatedJobs")) {
        for (int i = 0; i < replicated.path("replicas").asInt(); i++) {
          ObjectNode child = cluster.tree(childKey(key, replicated, i));
          if (child != null && !ApiRules.isOwnedBy(child, uid)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** {@return the Jobs of the JobSet} */
  public List<ObjectKey> children(ObjectKey key) {
    ObjectNode jobSet = cluster.tree(key);
    List<ObjectKey> children = new ArrayList<>();
    if (jobSet != null) {
      String uid = Trees.at(jobSet, "metadata", "uid").asText();
      for (ObjectNode job : cluster.trees("Job")) {
        if (ApiRules.isOwnedBy(job, uid)) {
          children.add(ObjectKey.of(job));
        }
      }
    }
    return children;
  }

  public static boolean hasEnded(JsonNode jobSet) {
    return Trees.hasCondition(jobSet, "Completed") || Trees.hasCondition(jobSet, "Failed");
  }

  private static ObjectKey childKey(ObjectKey jobSet, JsonNode replicated, int index) {
    return new ObjectKey(
        "batch",
        "Job",
        jobSet.namespace(),
        jobSet.name() + "-" + replicated.path("name").asText() + "-" + index);
  }

  private static ObjectNode child(
      ObjectNode jobSet, JsonNode replicated, ObjectKey key, boolean suspend) {
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    job.put("apiVersion", "batch/v1").put("kind", "Job");
    ObjectNode metadata = Trees.child(job, "metadata");
    metadata.put("name", key.name()).put("namespace", key.namespace());
    metadata
        .putObject("labels")
        .put(
            "jobset.sigs.k8s.io/jobset-name",
            Trees.at(jobSet, "metadata", "name").asText())
        .put(
            "jobset.sigs.k8s.io/jobset-uid", Trees.at(jobSet, "metadata", "uid").asText())
        .put("jobset.sigs.k8s.io/replicatedjob-name", replicated.path("name").asText());
    JobSimulator.addOwner(metadata, jobSet);
    Trees.set(job, "spec", Trees.at(replicated, "template", "spec"));
    Trees.child(job, "spec", "template", "metadata", "labels")
        .put(
            "jobset.sigs.k8s.io/jobset-uid", Trees.at(jobSet, "metadata", "uid").asText());
    Trees.child(job, "spec").put("suspend", suspend);
    return job;
  }
}
