package io.kueue4j.examples.controller.configuration;

import com.google.common.base.Joiner;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.kueue.KueueApiVersion;
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
 * @param terminating the objects whose deletion waits for a finalizer
 */
record ConfigurationFaults(
    Map<ObjectKey, ConfigObject> present,
    Map<ObjectKey, String> invalid,
    Set<ObjectKey> deleted,
    Set<ObjectKey> terminating) {
  /** The maximum number of cohorts of a cycle that a message lists. */
  private static final int MAX_NAMED = 20;

  /** {@return the key of one of Kueue's objects without a namespace} */
  static ObjectKey key(String kind, String name) {
    return new ObjectKey(KueueApiVersion.GROUP, kind, "", name);
  }

  /** {@return why a queue in force is out of service, empty if it is not} */
  Optional<Inactivity> of(ClusterQueue queue) {
    ObjectKey own = key("ClusterQueue", queue.name());
    if (deleted.contains(own)) {
      return Optional.of(terminating(own, "was deleted"));
    }
    // The queue as it should be, which may not be in force.
    ClusterQueue wanted = present(own, ClusterQueue.class).orElse(queue);
    return invalid(own, own)
        .or(() -> cohortFault(own, wanted))
        .or(() -> dependencies(wanted)
            .flatMap(key -> Stream.concat(deleted(own, key), invalid(own, key).stream()))
            .findFirst())
        .or(() -> Optional.of(own)
            .filter(terminating::contains)
            .map(key -> terminating(key, "is being deleted")));
  }

  private static Inactivity terminating(ObjectKey queue, String what) {
    return new Inactivity(
        "Terminating", queue + " " + what + "; it goes when no workload holds its quota");
  }

  private Optional<Inactivity> invalid(ObjectKey queue, ObjectKey key) {
    return Optional.ofNullable(invalid.get(key))
        .map(problem -> new Inactivity(
            "InvalidConfiguration",
            (key.equals(queue) ? key : queue + " depends on " + key + ", which")
                + " cannot be applied: " + problem));
  }

  private Stream<Inactivity> deleted(ObjectKey queue, ObjectKey key) {
    return Stream.of(key)
        .filter(deleted::contains)
        .map(gone ->
            new Inactivity("FlavorNotFound", queue + " names the " + gone + ", which was deleted"));
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

  private Optional<Inactivity> cohortFault(ObjectKey queue, ClusterQueue wanted) {
    Set<String> path = new LinkedHashSet<>();
    Optional<String> next = wanted.cohort();
    while (next.isPresent() && path.add(next.get())) {
      next = present(key("Cohort", next.get()), Cohort.class).flatMap(Cohort::parent);
    }
    if (next.isPresent()) {
      return Optional.of(new Inactivity(
          "CohortCycle",
          queue + " is in a cycle of cohorts: " + cycle(path, next.get()) + "; remove one parent"));
    }
    return path.stream()
        .flatMap(name -> invalid(queue, key("Cohort", name)).stream())
        .findFirst();
  }

  private <T> Optional<T> present(ObjectKey key, Class<T> type) {
    return Optional.ofNullable(present.get(key)).map(type::cast);
  }

  private static String cycle(Set<String> path, String first) {
    Stream<String> cycle =
        Stream.concat(path.stream().dropWhile(name -> !name.equals(first)), Stream.of(first));
    List<String> named = cycle.limit(MAX_NAMED + 1).toList();
    return named.size() <= MAX_NAMED
        ? Joiner.on(" -> ").join(named)
        : Joiner.on(" -> ").join(named.subList(0, MAX_NAMED)) + " -> ...";
  }
}
