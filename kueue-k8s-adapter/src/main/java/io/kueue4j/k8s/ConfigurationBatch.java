package io.kueue4j.k8s;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Applies configuration to an engine as far as it is valid.
 *
 * <p>{@link AdmissionEngine#apply(Iterable)} applies all objects or none. A cluster has its objects
 * whether they are valid or not, and one that is not should keep no other from having effect.
 *
 * @since 0.1.0
 */
@CheckReturnValue
public final class ConfigurationBatch {
  private ConfigurationBatch() {}

  /**
   * Applies all objects in one step. If some break rules, applies the others without them; of those
   * the engine keeps what it had. The order of the objects does not matter, except that of several
   * with the same {@linkplain ConfigObject#key() key} the last counts.
   *
   * @return the rules that objects break, by the key of the object; empty if all were applied
   */
  public static ImmutableListMultimap<String, Violation> apply(
      AdmissionEngine engine, Iterable<? extends ConfigObject> objects) {
    return apply(engine, objects, given -> given);
  }

  /**
   * Removes an object.
   *
   * @param object the object as it was applied; only its kind and name matter
   * @return whether there was one
   * @throws IllegalStateException if something needs it: a ClusterQueue the flavor, workloads the
   *     quota of the ClusterQueue
   */
  @CanIgnoreReturnValue
  public static boolean remove(AdmissionEngine engine, ConfigObject object) {
    if (object instanceof ClusterQueue queue) {
      return engine.removeClusterQueue(queue.name());
    } else if (object instanceof LocalQueue queue) {
      return engine.removeLocalQueue(queue.namespace(), queue.name());
    } else if (object instanceof Cohort cohort) {
      return engine.removeCohort(cohort.name());
    } else if (object instanceof ResourceFlavor flavor) {
      return engine.removeResourceFlavor(flavor.name());
    } else if (object instanceof AdmissionCheck check) {
      return engine.removeAdmissionCheck(check.name());
    } else if (object instanceof Topology topology) {
      return engine.removeTopology(topology.name());
    } else if (object instanceof TpuPoolSet pools) {
      return engine.removeTpuPoolSet(pools.name());
    } else if (object instanceof Namespace namespace) {
      return engine.removeNamespace(namespace.name());
    } else if (object instanceof Node node) {
      return engine.removeNode(node.name());
    }
    return engine.removeWorkloadPriorityClass(((WorkloadPriorityClass) object).name());
  }

  /** Applies what {@code prepare} makes of the objects, which may find violations of them, too. */
  static ImmutableListMultimap<String, Violation> apply(
      AdmissionEngine engine,
      Iterable<? extends ConfigObject> objects,
      Function<Collection<ConfigObject>, ? extends Iterable<ConfigObject>> prepare) {
    Map<String, ConfigObject> remaining = new LinkedHashMap<>();
    objects.forEach(object -> remaining.put(object.key(), object));
    ListMultimap<String, Violation> refused = LinkedListMultimap.create();
    while (!remaining.isEmpty()) {
      try {
        engine.apply(prepare.apply(ImmutableList.copyOf(remaining.values())));
        break;
      } catch (InvalidConfigurationException e) {
        refuse(e.violations(), remaining, refused);
      }
    }
    return ImmutableListMultimap.copyOf(refused);
  }

  /** Moves the objects that break rules from {@code remaining} to {@code refused}. */
  private static void refuse(
      List<Violation> violations,
      Map<String, ConfigObject> remaining,
      ListMultimap<String, Violation> refused) {
    ImmutableList<Violation> ofBatch = violations.stream()
        .filter(violation -> remaining.containsKey(violation.object()))
        .collect(ImmutableList.toImmutableList());
    if (ofBatch.isEmpty()) {
      // They make an object wrong that was applied before: it cannot be said which of them.
      remaining.keySet().forEach(key -> refused.putAll(key, violations));
      remaining.clear();
    }
    for (Violation violation : ofBatch) {
      refused.put(violation.object(), violation);
      remaining.remove(violation.object());
    }
  }
}
