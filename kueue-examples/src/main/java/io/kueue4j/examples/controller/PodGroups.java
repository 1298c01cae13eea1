package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.job.PodGroup;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The pods that are admitted in groups, and those that wait and are of no group (yet). */
final class PodGroups {
  private static final String KIND = "PodGroup";

  private final NavigableMap<ObjectKey, NavigableMap<ObjectKey, Pod>> groups = new TreeMap<>();
  private final Map<ObjectKey, ObjectKey> groupByPod = new HashMap<>();
  private final NavigableMap<ObjectKey, Pod> singles = new TreeMap<>();

  /**
   * Takes a pod that names a queue as it is; {@return the groups that are others by that}
   *
   * @param waits whether it waits to be admitted
   */
  ImmutableSet<ObjectKey> see(ObjectKey key, Pod pod, boolean waits) {
    ImmutableSet.Builder<ObjectKey> changed = ImmutableSet.builder();
    changed.addAll(lose(key));
    String name = PodGroup.nameOf(pod);
    if (!name.isEmpty()) {
      ObjectKey group = new ObjectKey("", KIND, key.namespace(), name);
      groups.computeIfAbsent(group, unused -> new TreeMap<>()).put(key, pod);
      groupByPod.put(key, group);
      changed.add(group);
    } else if (waits) {
      singles.put(key, pod);
    }
    return changed.build();
  }

  /** Forgets a pod; {@return the group that is another by that, if any} */
  ImmutableSet<ObjectKey> lose(ObjectKey key) {
    singles.remove(key);
    ObjectKey group = groupByPod.remove(key);
    if (group == null) {
      return ImmutableSet.of();
    }
    Map<ObjectKey, Pod> pods = groups.get(group);
    if (pods != null) {
      pods.remove(key);
      if (pods.isEmpty()) {
        groups.remove(group);
      }
    }
    return ImmutableSet.of(group);
  }

  /** {@return the group as it is, absent if it has no pod} */
  Optional<PodGroup> group(ObjectKey key) {
    return Optional.ofNullable(groups.get(key)).map(pods -> PodGroup.of(pods.values()));
  }

  boolean isMember(ObjectKey pod) {
    return groupByPod.containsKey(pod);
  }

  /** {@return the pods of a namespace that wait and are of no group} */
  ImmutableList<Pod> singles(String namespace) {
    return singles.values().stream()
        .filter(pod -> Strings.nullToEmpty(pod.getMetadata().getNamespace()).equals(namespace))
        .collect(ImmutableList.toImmutableList());
  }
}
