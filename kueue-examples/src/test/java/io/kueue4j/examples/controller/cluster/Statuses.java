package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.List;

/** Statuses as written by the Job controller, for tests without one. */
public final class Statuses {
  private Statuses() {}

  /** {@return the Job, whose pods have all succeeded} */
  public static Job completed(Job job, Instant time) {
    ObjectNode tree = Trees.of(job);
    complete(tree, time);
    return Trees.toObject(tree, Job.class);
  }

  /** Records in the status of a Job that its pods have succeeded. */
  public static void complete(ObjectNode job, Instant time) {
    ObjectNode status = Trees.child(job, "status");
    status.remove(List.of("active", "ready"));
    Trees.setDefault(status, "startTime", ApiRules.text(time));
    status.put("completionTime", ApiRules.text(time));
    for (String type : List.of("SuccessCriteriaMet", "Complete")) {
      JobSimulator.setCondition(
          status, type, "True", "CompletionsReached", "Reached expected number of succeeded pods");
    }
  }
}
