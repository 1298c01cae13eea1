package io.kueue4j.core.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The queues, cohorts and nodes that are in force during a run.
 *
 * <p>A run follows what it applies instead of asking the engine for a view: from a view on, an
 * engine announces every change to it, until the garbage collector has found the view unused.
 */
final class ConfigurationInForce {
  private static final ImmutableList<Class<? extends ConfigObject>> KINDS =
      ImmutableList.of(ClusterQueue.class, LocalQueue.class, Cohort.class, Node.class);

  private final Map<String, ConfigObject> objects = new HashMap<>();

  /** Creates the configuration at the start of a simulation. */
  static ConfigurationInForce of(Plan plan) {
    ConfigurationInForce created =
        plan.base().map(ConfigurationInForce::of).orElseGet(ConfigurationInForce::new);
    created.apply(plan.configuration());
    return created;
  }

  /** {@return the configuration of an engine} */
  static ConfigurationInForce of(EngineView view) {
    ConfigurationInForce created = new ConfigurationInForce();
    KINDS.forEach(kind -> created.apply(view.configuration(kind)));
    return created;
  }

  /** Adds or replaces objects. */
  void apply(List<? extends ConfigObject> changed) {
    for (ConfigObject object : changed) {
      if (KINDS.stream().anyMatch(kind -> kind.isInstance(object))) {
        objects.put(object.key(), object);
      }
    }
  }

  /** Removes the objects of the same kinds and names. */
  void remove(List<? extends ConfigObject> removed) {
    removed.forEach(object -> objects.remove(object.key()));
  }

  /** {@return the objects of one of the kinds, in no particular order} */
  <T extends ConfigObject> ImmutableList<T> all(Class<T> kind) {
    return objects.values().stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .collect(toImmutableList());
  }

  /** {@return the node with that name} */
  Optional<Node> node(String name) {
    return Optional.ofNullable((Node) objects.get("Node " + name));
  }
}
