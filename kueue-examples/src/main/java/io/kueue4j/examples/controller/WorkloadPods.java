package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.SetMultimap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The existing pods that have not finished, by their workload and their job. */
final class WorkloadPods {
  private final Map<ObjectKey, Pod> pods = new TreeMap<>();
  private final SetMultimap<WorkloadId, ObjectKey> byWorkload =
      MultimapBuilder.hashKeys().treeSetValues().build();
  private final SetMultimap<String, ObjectKey> byOwner =
      MultimapBuilder.hashKeys().treeSetValues().build();

  void see(ObjectKey key, Pod pod) {
    lose(key);
    if (!JobParts.hasEnded(pod)) {
      pods.put(key, pod);
      workloads(pod).forEach(id -> byWorkload.put(id, key));
      owners(pod).forEach(uid -> byOwner.put(uid, key));
    }
  }

  void lose(ObjectKey key) {
    Pod known = pods.remove(key);
    if (known != null) {
      workloads(known).forEach(id -> byWorkload.remove(id, key));
      owners(known).forEach(uid -> byOwner.remove(uid, key));
    }
  }

  /** {@return whether a pod other than {@code job} itself belongs to the job or its workload} */
  boolean isActive(ObjectKey job, String uid, WorkloadId workload) {
    return (!uid.isEmpty() && byOwner.containsKey(uid))
        || byWorkload.get(workload).stream().anyMatch(key -> !key.equals(job));
  }

  /** {@return whether a pod belongs to the job} */
  boolean isActive(String uid) {
    return !uid.isEmpty() && byOwner.containsKey(uid);
  }

  /** {@return the pods of the job with that uid, by name} */
  ImmutableList<Pod> ofOwner(String uid) {
    return byOwner.get(uid).stream()
        .map(key -> Objects.requireNonNull(pods.get(key)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the pods of a workload, by name} */
  ImmutableList<Pod> of(WorkloadId workload) {
    return byWorkload.get(workload).stream()
        .map(key -> Objects.requireNonNull(pods.get(key)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the workload named by a pod, if any} */
  static Collection<WorkloadId> workloads(Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    String name = metadata.getAnnotations() == null
        ? ""
        : Strings.nullToEmpty(metadata.getAnnotations().get(PodPlacer.WORKLOAD));
    return name.isEmpty()
        ? ImmutableList.of()
        : ImmutableList.of(WorkloadId.of(Strings.nullToEmpty(metadata.getNamespace()), name));
  }

  /** {@return the uids of the owners named by a pod} */
  static ImmutableList<String> owners(Pod pod) {
    Collection<OwnerReference> owners =
        Objects.requireNonNullElse(pod.getMetadata().getOwnerReferences(), ImmutableList.of());
    return owners.stream()
        .map(owner -> Strings.nullToEmpty(owner.getUid()))
        .filter(uid -> !uid.isEmpty())
        .collect(ImmutableList.toImmutableList());
  }
}
