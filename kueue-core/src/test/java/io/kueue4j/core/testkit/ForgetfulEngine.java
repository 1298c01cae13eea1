package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An engine that parks every third workload when it is submitted, and never looks at it again. */
final class ForgetfulEngine extends ForwardingEngine {
  private final Map<String, String> queues = new TreeMap<>();
  private final Map<WorkloadId, String> parked = new TreeMap<>();
  private int submissions;

  ForgetfulEngine(EngineUnderTest right) {
    super(right);
  }

  @Override
  public void apply(List<ConfigObject> objects) {
    super.apply(objects);
    objects.forEach(object -> {
      if (object instanceof LocalQueue queue) {
        queues.put(queue.namespace() + "/" + queue.name(), queue.clusterQueue());
      }
    });
  }

  @Override
  public boolean submit(Workload workload) {
    submissions++;
    String queue = queues.get(workload.namespace() + "/" + workload.queueName());
    if (submissions % 3 == 0 && queue != null) {
      parked.put(workload.id(), queue);
      return true;
    }
    return super.submit(workload);
  }

  @Override
  public Observation observe() {
    Map<String, QueueObservation> shown = new TreeMap<>(super.observe().clusterQueues());
    parked.forEach((id, name) -> shown.computeIfPresent(
        name,
        (unused, queue) -> new QueueObservation(
            queue.active(),
            queue.usage(),
            queue.holding(),
            queue.stopping(),
            queue.pending(),
            ImmutableList.<WorkloadId>builder()
                .addAll(queue.inadmissible())
                .add(id)
                .build())));
    return new Observation(ImmutableSortedMap.copyOf(shown), super.observe().localQueues());
  }
}
