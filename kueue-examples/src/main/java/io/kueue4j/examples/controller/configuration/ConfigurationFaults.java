package io.kueue4j.examples.controller.configuration;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Determines which ClusterQueues are out of service because of the configuration of the cluster:
 * the queue is being deleted, its cohorts form a cycle, or it or an object that it depends on is
 * deleted or cannot be applied.
 *
 * <p>Such a queue admits nothing, rather than admit by an outdated configuration that the next
 * controller would not have. What runs in it goes on.
 *
 * <p>Kueue: a cycle disables all members of the cohort until it is removed. Rules: M-12, M-17.
 *
 * @param present the objects in the cluster that could be read
 * @param invalid why objects in the cluster are not applied
 * @param deleted the objects that are no longer in the cluster, but still in force
 */
record ConfigurationFaults(
    Map<ObjectKey, ConfigObject> present,
    Map<ObjectKey, String> invalid,
    Map<ObjectKey, ConfigObject> deleted) {
  private static final String TERMINATING = "Terminating";
  private static final String CYCLE = "CohortCycle";
  private static final String INVALID = "InvalidConfiguration";
  private static final String FLAVOR_NOT_FOUND = "FlavorNotFound";

  /** The maximum number of cohorts of a cycle that a message lists. */
  private static final int MAX_NAMED = 20;

  /** {@return the key of one of Kueue's objects without a namespace} */
  static ObjectKey key(String kind, String name) {
    return new ObjectKey(KueueApiVersion.GROUP, kind, "", name);
  }

  /** {@return why a queue in force is out of service, empty if it is not} */
  Optional<Inactivity> of(ClusterQueue queue) {
    ObjectKey own = key("ClusterQueue", queue.name());
    if (deleted.containsKey(own)) {
      return Optional.of(terminating(queue, "was deleted"));
    }
    // The queue as it should be, which may not be in force.
    ClusterQueue wanted = present(own, ClusterQueue.class).orElse(queue);
    return invalid(queue, own)
        .or(() -> cohortFault(wanted))
        .or(() -> dependencies(wanted)
            .flatMap(
                key -> Stream.concat(deleted(queue, key).stream(), invalid(queue, key).stream()))
            .findFirst());
  }

  /** {@return the outage of a queue that is being deleted, or was deleted} */
  static Inactivity terminating(ClusterQueue queue, String what) {
    return new Inactivity(
        TERMINATING, queue.key() + " " + what + "; it goes when no workload holds its quota");
  }

  private Optional<Inactivity> invalid(ClusterQueue queue, ObjectKey key) {
    return Optional.ofNullable(invalid.get(key))
        .map(problem -> new Inactivity(
            INVALID,
            (key.toString().equals(queue.key())
                    ? key
                    : queue.key() + " depends on " + key + ", which")
                + " cannot be applied: " + problem));
  }

  private Optional<Inactivity> deleted(ClusterQueue queue, ObjectKey key) {
    return deleted.containsKey(key)
        ? Optional.of(new Inactivity(
            FLAVOR_NOT_FOUND, queue.key() + " names the " + key + ", which was deleted"))
        : Optional.empty();
  }

  /** {@return the flavors, topologies and admission checks that a queue depends on} */
  private Stream<ObjectKey> dependencies(ClusterQueue queue) {
    Stream<ObjectKey> flavors =
        queue.flavors().stream().map(flavor -> key("ResourceFlavor", flavor));
    Stream<ObjectKey> checks =
        queue.admissionChecks().stream().map(check -> key("AdmissionCheck", check.name()));
    return Stream.concat(flavors.flatMap(this::withTopology), checks);
  }

  private Stream<ObjectKey> withTopology(ObjectKey flavor) {
    Optional<ObjectKey> topology = present(flavor, ResourceFlavor.class)
        .flatMap(ResourceFlavor::topologyName)
        .map(name -> key("Topology", name));
    return Stream.concat(Stream.of(flavor), topology.stream());
  }

  private Optional<Inactivity> cohortFault(ClusterQueue queue) {
    Set<String> path = new LinkedHashSet<>();
    Optional<String> next = queue.cohort();
    while (next.isPresent() && path.add(next.get())) {
      next = present(key("Cohort", next.get()), Cohort.class).flatMap(Cohort::parent);
    }
    if (next.isPresent()) {
      return Optional.of(new Inactivity(
          CYCLE,
          queue.key() + " is in a cycle of cohorts: " + describe(cycle(path, next.get()))
              + "; remove one parent"));
    }
    return path.stream()
        .flatMap(name -> invalid(queue, key("Cohort", name)).stream())
        .findFirst();
  }

  private <T> Optional<T> present(ObjectKey key, Class<T> type) {
    return Optional.ofNullable(present.get(key)).filter(type::isInstance).map(type::cast);
  }

  private static List<String> cycle(Set<String> path, String first) {
    ImmutableList<String> all = ImmutableList.copyOf(path);
    List<String> cycle = new ArrayList<>(all.subList(all.indexOf(first), all.size()));
    cycle.add(first);
    return cycle;
  }

  private static String describe(List<String> cycle) {
    return cycle.size() <= MAX_NAMED
        ? Joiner.on(" -> ").join(cycle)
        : Joiner.on(" -> ").join(cycle.subList(0, MAX_NAMED)) + " -> ...";
  }
}
