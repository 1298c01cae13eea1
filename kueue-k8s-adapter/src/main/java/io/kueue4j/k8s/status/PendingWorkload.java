package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A workload that waits, and its place.
 *
 * <p>Kueue: {@code PendingWorkload} of the visibility API.
 *
 * @param workload the workload
 * @param creationTime when it was created, absent if it was submitted without a time
 * @param owners what it belongs to; not to be modified
 * @param priority its priority, without a boost
 * @param localQueueName its LocalQueue
 * @param positionInClusterQueue how many workloads of its ClusterQueue are served before it
 * @param positionInLocalQueue how many workloads of its LocalQueue are served before it
 */
public record PendingWorkload(
    WorkloadId workload,
    Optional<Instant> creationTime,
    ImmutableList<OwnerReference> owners,
    int priority,
    String localQueueName,
    int positionInClusterQueue,
    int positionInLocalQueue) {

  Map<String, Object> write() {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", workload.name());
    metadata.put("namespace", workload.namespace());
    metadata.put("creationTimestamp", creationTime.map(ObjectStatus::time).orElse(null));
    ObjectStatus.put(
        metadata,
        "ownerReferences",
        owners.stream().map(PendingWorkload::write).collect(ImmutableList.toImmutableList()));
    Map<String, Object> item = new LinkedHashMap<>();
    item.put("metadata", metadata);
    item.put("priority", priority);
    item.put("localQueueName", localQueueName);
    item.put("positionInClusterQueue", positionInClusterQueue);
    item.put("positionInLocalQueue", positionInLocalQueue);
    return item;
  }

  /** Who is in charge of it and what blocks its deletion are left out, as in Kueue. */
  private static Object write(OwnerReference owner) {
    return ImmutableMap.of(
        "apiVersion", owner.getApiVersion(),
        "kind", owner.getKind(),
        "name", owner.getName(),
        "uid", owner.getUid() == null ? "" : owner.getUid());
  }
}
