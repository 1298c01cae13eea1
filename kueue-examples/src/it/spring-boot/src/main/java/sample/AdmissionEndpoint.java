package sample;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.OptionalInt;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.lang.Nullable;
import org.springframework.stereotype.Component;

/** {@code /actuator/admission}: the queues, and why a workload waits. */
@Component
@Endpoint(id = "admission")
class AdmissionEndpoint {
  private final AdmissionEngine engine;

  AdmissionEndpoint(AdmissionEngine engine) {
    this.engine = engine;
  }

  record Queue(String name, boolean active, int admitted, int waiting, List<QuotaUsage> usage) {
    static Queue of(ClusterQueueView queue) {
      return new Queue(
          queue.name(),
          queue.isActive(),
          queue.admitted().size(),
          queue.waitingCount(),
          queue.usage());
    }
  }

  record Explained(
      String phase, @Nullable Integer position, List<String> because, List<String> remedies) {
    static Explained of(Explanation why) {
      OptionalInt position = why.positionInClusterQueue();
      return new Explained(
          why.status().phase().toString(),
          position.isPresent() ? position.getAsInt() : null,
          why.reasons().stream().map(Reason::message).toList(),
          why.remedies().stream().map(Remedy::message).toList());
    }
  }

  @ReadOperation
  List<Queue> queues() {
    return engine.view().clusterQueues().stream().map(Queue::of).toList();
  }

  /**
   * {@return why the workload waits and what would admit it; null, which is 404, if it is unknown}
   */
  // snippet
  @ReadOperation
  @Nullable
  Explained explain(@Selector String namespace, @Selector String name) {
    WorkloadId workload = new WorkloadId(namespace, name);
    return engine.workload(workload).isPresent() ? Explained.of(engine.explain(workload)) : null;
  }
  // end
}
