package io.kueue4j.examples.controller.record;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.record.WorkloadContent.Content;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Writes Workload objects, if they differ from what is stored. */
final class WorkloadObjectWrites {
  /** The minimum time between two writes that differ in messages only. */
  private static final Duration MESSAGE_INTERVAL = Duration.ofSeconds(30);

  private final KnownWorkloads workloads;
  private final JobWrites writes;
  private final InstantSource clock;
  private final WorkloadContent wanted;
  private final Map<ObjectKey, Sent> sent = new HashMap<>();

  /** What was written, the resulting version, and when. */
  private record Sent(long version, Object status, Instant time) {}

  WorkloadObjectWrites(
      JobReader reader, KnownWorkloads workloads, JobWrites writes, InstantSource clock) {
    wanted = new WorkloadContent(reader);
    this.workloads = workloads;
    this.writes = writes;
    this.clock = clock;
  }

  /** {@return whether the object of a workload is stored with that content} */
  private boolean has(Workload workload, Content content) {
    GenericKubernetesResource object = workloads.get(KnownWorkloads.key(workload.id()));
    if (object == null || JobParts.isDeleted(object)) {
      return false;
    }
    Content present = Content.of(object);
    return present.original().equals(content.original())
        && present.ownerUids().containsAll(content.ownerUids())
        && workloads.requests(object, workload);
  }

  /** Forgets an object that is gone. */
  void forget(ObjectKey key) {
    sent.remove(key);
  }

  /** Forgets what the Workload of a job is to be, which waits no longer. */
  void forgetWanted(JobRecord job) {
    wanted.forget(job);
  }

  /** {@return why the Workload of a job is too large to be stored, empty if it is not} */
  Optional<String> excess(JobRecord record, Workload workload) {
    return wanted.excess(record, workload);
  }

  /** Creates or corrects the Workload of a job in its original form. */
  Result prepare(JobRecord record, Workload workload) {
    return has(workload, wanted.content(record, workload))
        ? Result.DONE
        : write(record, workload, wanted.object(record.job(), workload));
  }

  /** Creates the object of a workload, or gives it the wanted spec, owners and annotations. */
  Result write(JobRecord record, Workload workload, GenericKubernetesResource wanted) {
    GenericKubernetesResource object = workloads.get(KnownWorkloads.key(workload.id()));
    if (object == null) {
      return writes.create(record, wanted);
    }
    if (JobParts.isDeleted(object)) {
      return Result.LATER;
    }
    return has(workload, Content.of(wanted))
        ? Result.DONE
        : writes.replace(record, WorkloadObjects.withContent(object, wanted));
  }

  /** Writes the status of {@code written}. */
  Result apply(
      JobRecord record, GenericKubernetesResource object, GenericKubernetesResource written) {
    if (written.equals(object)) {
      return Result.DONE;
    }
    ObjectKey key = ObjectKey.of(object);
    Object status = WorkloadObjects.status(written);
    Sent last = sent.get(key);
    if (last != null
        && last.version() == ObjectCache.version(object)
        && last.status().equals(status)) {
      // The server does not store a field of it.
      return Result.DONE;
    }
    Result result = writes.replaceStatus(record, written);
    GenericKubernetesResource stored = workloads.get(key);
    if (result == Result.DONE && stored != null) {
      sent.put(key, new Sent(ObjectCache.version(stored), status, clock.instant()));
    }
    return result;
  }

  /**
   * Writes the status of {@code written}; if it differs in messages only, not too often.
   *
   * @return until when it waits with that, empty if it does not
   */
  @CanIgnoreReturnValue
  Optional<Instant> publish(
      JobRecord record, GenericKubernetesResource object, GenericKubernetesResource written) {
    Optional<Instant> early = Optional.ofNullable(sent.get(ObjectKey.of(object)))
        .map(last -> last.time().plus(MESSAGE_INTERVAL))
        .filter(end -> clock.instant().isBefore(end)
            && withoutMessages(object).equals(withoutMessages(written)));
    if (early.isEmpty()) {
      Result unused = apply(record, object, written);
    }
    return early;
  }

  /** {@return the status of a Workload, without the messages of its conditions} */
  private static Map<String, Object> withoutMessages(GenericKubernetesResource object) {
    Map<String, Object> status = WorkloadObjects.status(object);
    status.put(
        "conditions",
        WorkloadObjects.items(status.get("conditions")).stream()
            .map(WorkloadObjects::mapping)
            .peek(condition -> condition.remove("message"))
            .toList());
    return status;
  }
}
