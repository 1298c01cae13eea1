package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.RowSortedTable;
import com.google.common.collect.Sets;
import com.google.common.collect.TreeBasedTable;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.job.PodGroup;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The pods that are admitted in groups, and waiting pods without group. */
public final class PodGroups {
  private static final String KIND = "PodGroup";

  /** The pods of each group. */
  private final RowSortedTable<ObjectKey, ObjectKey, Pod> groups = TreeBasedTable.create();

  private final Map<ObjectKey, ObjectKey> groupByPod = new HashMap<>();
  private final NavigableMap<ObjectKey, Pod> singles = new TreeMap<>();

  /** {@return the key of a group} */
  public static ObjectKey key(String namespace, String name) {
    return new ObjectKey("", KIND, namespace, name);
  }

  /**
   * Receives a pod with a queue name.
   *
   * @param waits whether it waits for admission
   * @return the groups that have changed
   */
  public ImmutableSet<ObjectKey> see(ObjectKey key, Pod pod, boolean waits) {
    ImmutableSet<ObjectKey> before = lose(key);
    String name = PodGroup.nameOf(pod);
    if (name.isEmpty()) {
      if (waits) {
        singles.put(key, pod);
      }
      return before;
    }
    ObjectKey group = key(key.namespace(), name);
    groups.put(group, key, pod);
    groupByPod.put(key, group);
    return Sets.union(before, ImmutableSet.of(group)).immutableCopy();
  }

  /**
   * Removes a pod.
   *
   * @return the group that has changed, if any
   */
  public ImmutableSet<ObjectKey> lose(ObjectKey key) {
    singles.remove(key);
    ObjectKey group = groupByPod.remove(key);
    if (group == null) {
      return ImmutableSet.of();
    }
    groups.remove(group, key);
    return ImmutableSet.of(group);
  }

  /** {@return the current group, empty if it has no pod} */
  public Optional<PodGroup> group(ObjectKey key) {
    return Optional.of(groups.row(key).values()).filter(pods -> !pods.isEmpty()).map(PodGroup::of);
  }

  public boolean isMember(ObjectKey pod) {
    return groupByPod.containsKey(pod);
  }

  /** {@return the waiting pods of a namespace without group} */
  public ImmutableList<Pod> singles(String namespace) {
    return ImmutableList.copyOf(
        Maps.filterKeys(singles, pod -> pod.namespace().equals(namespace)).values());
  }
}
