package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pending workload and its position.
 *
 * <p>Kueue: {@code PendingWorkload} of the visibility API.
 *
 * @param workload the workload
 * @param creationTime its creation time, empty if it was submitted without one
 * @param owners its owners; not to be modified
 * @param priority its priority, without a boost
 * @param localQueueName its LocalQueue
 * @param positionInClusterQueue the number of workloads of its ClusterQueue ahead of it
 * @param positionInLocalQueue the number of workloads of its LocalQueue ahead of it
 * @since 0.1.0
 */
public record PendingWorkloadInfo(
    WorkloadId workload,
    Optional<Instant> creationTime,
    List<OwnerReference> owners,
    int priority,
    String localQueueName,
    int positionInClusterQueue,
    int positionInLocalQueue) {
  /** Copies what it is given. */
  public PendingWorkloadInfo {
    owners = ImmutableList.copyOf(owners);
  }

  Map<String, Object> write() {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", workload.name());
    metadata.put("namespace", workload.namespace());
    metadata.put("creationTimestamp", creationTime.map(ObjectStatus::time).orElse(null));
    ObjectStatus.put(
        metadata,
        "ownerReferences",
        owners.stream().map(PendingWorkloadInfo::write).collect(ImmutableList.toImmutableList()));
    Map<String, Object> item = new LinkedHashMap<>();
    item.put("metadata", metadata);
    item.put("priority", priority);
    item.put("localQueueName", localQueueName);
    item.put("positionInClusterQueue", positionInClusterQueue);
    item.put("positionInLocalQueue", positionInLocalQueue);
    return item;
  }

  /** Writes an owner; like in Kueue without {@code controller} and {@code blockOwnerDeletion}. */
  private static Object write(OwnerReference owner) {
    return ImmutableMap.of(
        "apiVersion", owner.getApiVersion(),
        "kind", owner.getKind(),
        "name", owner.getName(),
        "uid", owner.getUid() == null ? "" : owner.getUid());
  }
}
