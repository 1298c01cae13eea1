package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.Observation;
import io.kueue4j.core.testkit.Observation.LocalQueueObservation;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Observes the model. */
final class Look {
  private final State state;

  Look(State state) {
    this.state = state;
  }

  Observation observe() {
    ImmutableSortedMap.Builder<String, QueueObservation> queues = ImmutableSortedMap.naturalOrder();
    state.queues().forEach((name, contents) -> queues.put(name, observe(name, contents)));
    ImmutableSortedMap.Builder<String, LocalQueueObservation> localQueues =
        ImmutableSortedMap.naturalOrder();
    state.specs.localQueues().stream()
        .map(Specs::localQueueKey)
        .forEach(key -> state
            .usage
            .knownUsage(key)
            .ifPresent(figure -> localQueues.put(
                key, new LocalQueueObservation(state.usage.consumed(key), figure))));
    return new Observation(queues.buildOrThrow(), localQueues.buildOrThrow());
  }

  private QueueObservation observe(String name, QueueContents contents) {
    List<Job> holders = state.holders(name);
    Map<String, Long> usage = new TreeMap<>();
    holders.stream()
        .flatMap(job -> job.holder().stream())
        .flatMap(holder -> holder.usage().entrySet().stream())
        .filter(held -> held.getValue() != 0)
        .forEach(held -> usage.merge(held.getKey().toString(), held.getValue(), Amount::add));
    return new QueueObservation(
        state.specs.isActive(name),
        ImmutableSortedMap.copyOf(usage),
        ids(holders),
        ids(holders.stream().filter(Job::isEvicted).toList()),
        ids(holders.stream().filter(job -> !job.isAdmitted()).toList()),
        contents.activeInOrder(),
        contents.parkedInOrder());
  }

  private static ImmutableSortedSet<WorkloadId> ids(List<Job> jobs) {
    return ImmutableSortedSet.copyOf(jobs.stream().map(Job::id).toList());
  }
}
