package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.k8s.ConfigurationBatch;
import io.kueue4j.k8s.topology.TpuNodePools;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Keeps the pools of TPUs of an engine as the nodes of the cluster make them up, with their health.
 *
 * <p>Nodes whose labels contradict others or the hardware are left out, so that their hosts are
 * down, and {@link #problems} says why.
 */
public final class TpuPools {
  private final AdmissionEngine engine;
  private final Consumer<? super Decisions> decided;

  /** The pool sets in force, by name, which is the name of their flavor. */
  private final Map<String, TpuPoolSet> sets = new TreeMap<>();

  private ImmutableSortedMap<String, String> problems = ImmutableSortedMap.of();

  TpuPools(AdmissionEngine engine, Consumer<? super Decisions> decided) {
    this.engine = engine;
    this.decided = decided;
  }

  /** {@return an object of the cluster; of a flavor with its pools, once it has them} */
  ConfigObject completed(ConfigObject object) {
    return object instanceof ResourceFlavor flavor && sets.containsKey(flavor.name())
        ? ResourceFlavor.builder().from(flavor).tpuPoolSet(flavor.name()).build()
        : object;
  }

  /**
   * Applies the pools to the engine.
   *
   * @param flavors all flavors by name, as the cluster has them
   * @param nodes all nodes
   */
  void apply(Map<String, ResourceFlavor> flavors, Iterable<Node> nodes) {
    Map<String, String> found = new HashMap<>();
    Map<String, ConfigObject> wanted = new LinkedHashMap<>();
    for (ConfigObject object : configure(flavors.values(), nodes, found)) {
      if (object instanceof TpuPoolSet
          || (object instanceof ResourceFlavor flavor
              && flavor.tpuPoolSet().isPresent()
              && !sets.containsKey(flavor.name()))) {
        wanted.put(object.key(), object);
      }
    }
    for (TpuPoolSet set : ImmutableList.copyOf(sets.values())) {
      if (!flavors.containsKey(set.name())) {
        remove(set);
      } else if (set.equals(wanted.computeIfAbsent(set.key(), unused -> down(set)))) {
        wanted.remove(set.key());
      }
    }
    Map<String, List<Violation>> refused =
        ConfigurationBatch.apply(engine, wanted.values(), decided);
    refused.forEach((key, violations) ->
        found.put(key, violations.get(violations.size() - 1).toString()));
    for (ConfigObject object : wanted.values()) {
      if (object instanceof TpuPoolSet set && !refused.containsKey(set.key())) {
        sets.put(set.name(), set);
      }
    }
    problems = ImmutableSortedMap.copyOf(found);
  }

  /** {@return the flavors with the pools that the nodes make up; without nodes with problems} */
  private static List<ConfigObject> configure(
      Iterable<ResourceFlavor> flavors, Iterable<Node> nodes, Map<String, String> problems) {
    List<ConfigObject> objects = Lists.newArrayList(Iterables.concat(flavors, nodes));
    while (true) {
      try {
        return TpuNodePools.configure(objects);
      } catch (InvalidConfigurationException e) {
        e.violations().forEach(violation -> problems.put(violation.object(), violation.toString()));
        if (!objects.removeIf(object -> problems.containsKey(object.key()))) {
          return ImmutableList.of();
        }
      }
    }
  }

  /** {@return a pool set whose nodes are all gone} */
  private static TpuPoolSet down(TpuPoolSet set) {
    TpuFleet fleet = set.fleet();
    for (TpuPool pool : fleet.pools()) {
      fleet = fleet.withHealth(
          pool.id(), HostHealth.DOWN, IntStream.range(0, pool.hosts()).toArray());
    }
    return new TpuPoolSet(set.name(), fleet, set.wholePools());
  }

  private void remove(TpuPoolSet set) {
    try {
      decided.accept(engine.remove(set));
      sets.remove(set.name());
    } catch (IllegalStateException e) {
      // A deleted flavor stays as long as jobs run in it, and its pools with it.
    }
  }

  /** {@return an admission with its recorded slices, as far as the present pools have them} */
  public Admission withSlices(Admission admission, String recorded) {
    return recorded.isEmpty() ? admission : RecordedSlices.restore(admission, recorded, sets);
  }

  /** {@return why nodes are not used as the TPU hosts that their labels say, by object} */
  ImmutableSortedMap<String, String> problems() {
    return problems;
  }
}
