package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableListMultimap.toImmutableListMultimap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.StopPolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A LocalQueue by which workloads reach a ClusterQueue: from the configuration, or added to it.
 *
 * @param queue the LocalQueue
 * @param added what has to be added to the configuration for it
 */
record Entrance(LocalQueue queue, ImmutableList<ConfigObject> added) {
  private static final String NAME = "lint";

  /** {@return the entrances by ClusterQueue, without those that match no namespace} */
  static ImmutableMap<String, Entrance> all(EngineView view, Settings settings) {
    ImmutableListMultimap<String, LocalQueue> localQueues =
        view.configuration(LocalQueue.class).stream()
            .collect(toImmutableListMultimap(LocalQueue::clusterQueue, queue -> queue));
    Map<String, Namespace> namespaces = new HashMap<>();
    ImmutableMap.Builder<String, Entrance> entrances = ImmutableMap.builder();
    for (ClusterQueue queue : view.configuration(ClusterQueue.class)) {
      queue
          .namespaceSelector()
          .flatMap(selector -> localQueues.get(queue.name()).stream()
              .filter(local -> local.stopPolicy() == StopPolicy.NONE)
              .filter(local -> matches(view, selector, local.namespace()))
              .findFirst()
              .map(local -> new Entrance(local, ImmutableList.of()))
              .or(() -> added(view, settings, queue, selector, namespaces)))
          .ifPresent(entrance -> entrances.put(queue.name(), entrance));
    }
    return entrances.buildOrThrow();
  }

  /**
   * {@return a new LocalQueue in a namespace that the selector matches, if one can be guessed}
   *
   * @param namespaces the namespaces that other queues have added, by name
   */
  private static Optional<Entrance> added(
      EngineView view,
      Settings settings,
      ClusterQueue queue,
      LabelSelector selector,
      Map<String, Namespace> namespaces) {
    Optional<Namespace> existing = view.configuration(Namespace.class).stream()
        .filter(namespace -> selector.matches(namespace.labels()))
        .findFirst();
    if (existing.isPresent()) {
      LocalQueue local =
          LocalQueue.of(existing.get().name(), NAME + "-" + queue.name(), queue.name());
      return isNew(view, settings, local)
          ? Optional.of(new Entrance(local, ImmutableList.of(local)))
          : Optional.empty();
    }
    Namespace guess = matching(selector, NAME);
    Namespace namespace = guess.equals(namespaces.getOrDefault(guess.name(), guess))
        ? guess
        : matching(selector, NAME + "-" + namespaces.size());
    LocalQueue local = LocalQueue.of(namespace.name(), NAME + "-" + queue.name(), queue.name());
    boolean isUsable = settings.violations(namespace).isEmpty()
        && isNew(view, settings, local)
        && selector.matches(namespace.labels())
        && view.configuration(Namespace.class, namespace.name()).isEmpty()
        && namespace.equals(namespaces.getOrDefault(namespace.name(), namespace));
    if (!isUsable) {
      return Optional.empty();
    }
    namespaces.put(namespace.name(), namespace);
    return Optional.of(new Entrance(local, ImmutableList.of(namespace, local)));
  }

  private static boolean isNew(EngineView view, Settings settings, LocalQueue local) {
    return settings.violations(local).isEmpty()
        && view.configuration(LocalQueue.class, local.qualifiedName()).isEmpty();
  }

  private static boolean matches(EngineView view, LabelSelector selector, String namespace) {
    return view.configuration(Namespace.class, namespace)
        .filter(found -> selector.matches(found.labels()))
        .isPresent();
  }

  /** {@return a namespace that the selector matches, if one can be guessed from its conditions} */
  private static Namespace matching(LabelSelector selector, String name) {
    Map<String, String> labels = new TreeMap<>(selector.matchLabels());
    for (LabelRequirement requirement : selector.matchExpressions()) {
      switch (requirement.operator()) {
        case IN ->
          requirement.values().stream()
              .findFirst()
              .ifPresent(value -> labels.putIfAbsent(requirement.key(), value));
        case EXISTS -> labels.putIfAbsent(requirement.key(), name);
        default -> {}
      }
    }
    return Namespace.of(labels.getOrDefault(Namespace.NAME_LABEL, name), labels);
  }
}
