package io.kueue4j.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchLoopTest {
  private final List<String> calls = new ArrayList<>();
  private final AdmissionEngine engine = AdmissionEngine.create();
  private final BatchLoop loop = new BatchLoop(engine, new BatchLoop.Runner() {
    @Override
    public void start(Admission admission) {
      calls.add("start " + admission.workload().name());
    }

    @Override
    public void stop(WorkloadId job) {
      calls.add("stop " + job.name());
    }
  });

  BatchLoopTest() {
    engine.apply(
        ResourceFlavor.of("main"),
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("main", ResourceQuota.of("cpu", "4"))))
            .build(),
        LocalQueue.of("team", "queue", "research"));
  }

  private static Workload job(String name, int priority) {
    return Workload.builder()
        .namespace("team")
        .name(name)
        .queueName("queue")
        .priority(priority)
        .addPodSets(PodSet.builder().request("cpu", "3").build())
        .build();
  }

  @Test
  void aJobStopsForAnotherAndStartsAgain() {
    loop.submit(job("low", 0));
    loop.submit(job("high", 1));
    assertThat(calls).containsExactly("start low", "stop low");
    loop.stopped(WorkloadId.of("team", "low"));
    loop.finished(WorkloadId.of("team", "high"));
    assertThat(calls).containsExactly("start low", "stop low", "start high", "start low");
  }

  @Test
  void anInvalidJobIsRejected() {
    Workload invalid = Workload.of("team", "empty", "queue");
    assertThat(loop.submit(invalid)).isInstanceOf(AdmissionResult.Rejected.class);
    assertThat(calls).isEmpty();
  }
}
