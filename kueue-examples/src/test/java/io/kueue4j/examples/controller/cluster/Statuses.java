package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.Await;
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

  /** Lets a Job end whose pods have all succeeded, as soon as it has been started. */
  public static void complete(KubernetesClient client, String namespace, String name) {
    Await.until("the end of " + name, () -> {
      Job job = client.batch().v1().jobs().inNamespace(namespace).withName(name).get();
      if (job.getSpec().getSuspend()) {
        return false;
      }
      try {
        client.resource(completed(job, Instant.now())).updateStatus();
        return true;
      } catch (KubernetesClientException e) {
        // Another version exists by now.
        assertThat(e.getCode()).isEqualTo(409);
        return false;
      }
    });
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
