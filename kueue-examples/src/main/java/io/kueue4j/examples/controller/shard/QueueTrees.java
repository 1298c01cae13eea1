package io.kueue4j.examples.controller.shard;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The quota nodes of a cluster, ClusterQueues and cohorts, and the trees that they form.
 *
 * <p>Trees whose queues use flavors of the same nodes count as one, if the flavors have a topology:
 * the capacity of these nodes is shared. Two such flavors have no node in common only if their node
 * labels contain the same key with different values. Not thread-safe.
 */
public final class QueueTrees {
  /** The node of all jobs that lead to no ClusterQueue; a tree of its own. */
  public static final String ORPHANS = "-";

  private static final String QUEUE = "q/";
  private static final String COHORT = "c/";
  private static final String FLAVOR = "f/";

  private final Map<String, Queue> queues = new TreeMap<>();
  private final Map<String, String> cohorts = new TreeMap<>();
  private final Map<String, ImmutableMap<String, String>> topologyFlavors = new TreeMap<>();
  private final Map<String, String> localQueues = new HashMap<>();

  private record Queue(String cohort, ImmutableSet<String> flavors) {}

  /** {@return the quota node of a ClusterQueue} */
  public static String ofQueue(String clusterQueue) {
    return QUEUE + clusterQueue;
  }

  /** {@return whether a quota node is a ClusterQueue} */
  static boolean isQueue(String node) {
    return node.startsWith(QUEUE);
  }

  /** {@return the quota node of a cohort} */
  public static String ofCohort(String cohort) {
    return COHORT + cohort;
  }

  /**
   * Adds or replaces a ClusterQueue.
   *
   * @param cohort its cohort, empty for none
   * @return whether that changes anything
   */
  public boolean putQueue(String name, String cohort, Iterable<String> flavors) {
    Queue queue = new Queue(cohort, ImmutableSet.copyOf(flavors));
    return !queue.equals(queues.put(name, queue));
  }

  /**
   * Removes a ClusterQueue.
   *
   * @return whether there was one
   */
  public boolean removeQueue(String name) {
    return queues.remove(name) != null;
  }

  /**
   * Adds or replaces a cohort.
   *
   * @param parent its parent, empty for none
   * @return whether that changes anything
   */
  public boolean putCohort(String name, String parent) {
    return !parent.equals(cohorts.put(name, parent));
  }

  /**
   * Removes a cohort.
   *
   * @return whether there was one
   */
  public boolean removeCohort(String name) {
    return cohorts.remove(name) != null;
  }

  /**
   * Adds or replaces a flavor with a topology.
   *
   * @return whether that changes anything
   */
  public boolean putTopologyFlavor(String name, ImmutableMap<String, String> nodeLabels) {
    return !nodeLabels.equals(topologyFlavors.put(name, nodeLabels));
  }

  /**
   * Removes a flavor, or its topology.
   *
   * @return whether there was one with a topology
   */
  public boolean removeTopologyFlavor(String name) {
    return topologyFlavors.remove(name) != null;
  }

  /**
   * Adds or replaces a LocalQueue.
   *
   * @return whether that changes anything
   */
  public boolean putLocalQueue(String namespace, String name, String clusterQueue) {
    return !clusterQueue.equals(localQueues.put(namespace + "/" + name, clusterQueue));
  }

  /**
   * Removes a LocalQueue.
   *
   * @return whether there was one
   */
  public boolean removeLocalQueue(String namespace, String name) {
    return localQueues.remove(namespace + "/" + name) != null;
  }

  /** {@return the ClusterQueue that a LocalQueue names, empty if there is no such LocalQueue} */
  public Optional<String> clusterQueue(String namespace, String localQueue) {
    return Optional.ofNullable(localQueues.get(namespace + "/" + localQueue));
  }

  /** {@return the quota node that decides on what a ClusterQueue admits} */
  public String node(String clusterQueue) {
    return queues.containsKey(clusterQueue) ? ofQueue(clusterQueue) : ORPHANS;
  }

  /** {@return the tree of each quota node} */
  public ImmutableMap<String, String> trees() {
    DisjointSets sets = new DisjointSets();
    cohorts.forEach((cohort, parent) -> {
      if (!parent.isEmpty()) {
        sets.join(ofCohort(cohort), ofCohort(parent));
      }
    });
    Set<String> used = new HashSet<>();
    queues.forEach((name, queue) -> {
      if (!queue.cohort().isEmpty()) {
        sets.join(ofQueue(name), ofCohort(queue.cohort()));
      }
      queue.flavors().stream().filter(topologyFlavors::containsKey).forEach(flavor -> {
        used.add(flavor);
        sets.join(ofQueue(name), FLAVOR + flavor);
      });
    });
    topologyFlavors.forEach((one, labels) -> topologyFlavors.forEach((other, otherLabels) -> {
      if (used.contains(one) && used.contains(other) && mayShareNodes(labels, otherLabels)) {
        sets.join(FLAVOR + one, FLAVOR + other);
      }
    }));
    ImmutableMap.Builder<String, String> trees = ImmutableMap.builder();
    queues.keySet().forEach(name -> trees.put(ofQueue(name), sets.root(ofQueue(name))));
    cohorts.keySet().forEach(name -> trees.put(ofCohort(name), sets.root(ofCohort(name))));
    trees.put(ORPHANS, ORPHANS);
    return trees.buildOrThrow();
  }

  private static boolean mayShareNodes(Map<String, String> one, Map<String, String> other) {
    return one.entrySet().stream()
        .noneMatch(label -> other.containsKey(label.getKey())
            && !label.getValue().equals(other.get(label.getKey())));
  }

  /** Disjoint sets of names; the root of a set is its smallest name, so all replicas agree. */
  private static final class DisjointSets {
    private final Map<String, String> parents = new HashMap<>();

    String root(String name) {
      String root = name;
      for (String next = parents.get(root); next != null; next = parents.get(root)) {
        root = next;
      }
      String walked = name;
      while (!walked.equals(root)) {
        String next = parents.put(walked, root);
        walked = next == null ? root : next;
      }
      return root;
    }

    void join(String one, String other) {
      String first = root(one);
      String second = root(other);
      int order = first.compareTo(second);
      if (order < 0) {
        parents.put(second, first);
      } else if (order > 0) {
        parents.put(first, second);
      }
    }
  }
}
