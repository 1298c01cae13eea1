package io.kueue4j.core.fleet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.quota.Footprint;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pool sets of an engine with the slices in use. Not safe for several threads.
 *
 * <p>What the state is at a checkpoint is one reference, so a trial costs what is changed in it,
 * and nothing where there are no pool sets.
 *
 * <p>Changes of pool sets take effect in {@link #rebuild}.
 *
 * <p>Rules: TPU-F-4, TPU-F-22.
 */
public final class Fleets {
  private final Catalog catalog;
  private final List<PoolSetState[]> trials = new ArrayList<>();

  private ImmutableSortedMap<String, TpuPoolSet> poolSets;
  private ImmutableSortedMap<String, String> flavors;

  /** The states in the order of the names; never changed, but replaced. */
  private PoolSetState[] states = {};

  /** Working memory, one for each state. */
  private SliceFitter[] fitters = {};

  private boolean changed;

  /** Creates fleets without pool sets. */
  public Fleets(Catalog catalog) {
    this(catalog, ImmutableSortedMap.of(), ImmutableSortedMap.of());
  }

  private Fleets(
      Catalog catalog,
      ImmutableSortedMap<String, TpuPoolSet> poolSets,
      ImmutableSortedMap<String, String> flavors) {
    this.catalog = catalog;
    this.poolSets = poolSets;
    this.flavors = flavors;
    if (!poolSets.isEmpty()) {
      build();
      changed = true;
    }
  }

  /**
   * {@return fleets of the same pool sets, yet to be built; changes of either are not seen in the
   * other}
   */
  public Fleets fork(Catalog forkOfCatalog) {
    return new Fleets(forkOfCatalog, poolSets, flavors);
  }

  /** {@return whether some flavor has TPU pools, be they ones that do not exist} */
  public boolean isUsed() {
    return !flavors.isEmpty();
  }

  /** Adds or changes a pool set. */
  public void put(TpuPoolSet set) {
    if (!set.equals(poolSets.get(set.name()))) {
      poolSets = with(poolSets, set.name(), set);
      changed = true;
    }
  }

  /**
   * Removes a pool set.
   *
   * @return whether there was one
   */
  public boolean removePoolSet(String name) {
    boolean known = poolSets.containsKey(name);
    if (known) {
      poolSets = without(poolSets, name);
      changed = true;
    }
    return known;
  }

  /** {@return the pool sets by name} */
  public ImmutableSortedMap<String, TpuPoolSet> poolSets() {
    return poolSets;
  }

  /** Adds or changes a flavor; one without TPU pools is forgotten. */
  public void put(ResourceFlavor flavor) {
    flavors = flavor
        .tpuPoolSet()
        .map(set -> with(flavors, flavor.name(), set))
        .orElseGet(() -> without(flavors, flavor.name()));
  }

  /** Removes a flavor. */
  public void removeFlavor(String name) {
    flavors = without(flavors, name);
  }

  private static <T> ImmutableSortedMap<String, T> with(
      ImmutableSortedMap<String, T> map, String key, T value) {
    TreeMap<String, T> changed = new TreeMap<>(map);
    changed.put(key, value);
    return ImmutableSortedMap.copyOfSorted(changed);
  }

  private static <T> ImmutableSortedMap<String, T> without(
      ImmutableSortedMap<String, T> map, String key) {
    if (!map.containsKey(key)) {
      return map;
    }
    TreeMap<String, T> changed = new TreeMap<>(map);
    changed.remove(key);
    return ImmutableSortedMap.copyOfSorted(changed);
  }

  /** {@return whether anything changed since the last {@link #rebuild}} */
  public boolean isChanged() {
    return changed;
  }

  /**
   * Puts changes into effect.
   *
   * @param held what workloads hold, in any order
   */
  public void rebuild(List<Footprint> held) {
    build();
    changed = false;
    held.stream()
        .map(NodesAndFleets::slices)
        .flatMap(footprint ->
            footprint instanceof PlacedSlices slices ? slices.parts().stream() : Stream.of())
        .sorted(Comparator.comparing(part -> part.slice().id()))
        .forEach(this::put);
  }

  private void build() {
    states = poolSets.values().stream().map(PoolSetState::empty).toArray(PoolSetState[]::new);
    fitters = new SliceFitter[states.length];
    forgetSearches();
  }

  /** Forgets the working memory of searches for places. */
  public void forgetSearches() {
    Arrays.setAll(fitters, unused -> SliceFitter.create());
  }

  /** {@return whether a flavor has TPU pools, be they ones that do not exist} */
  public boolean hasPools(int flavor) {
    return !flavors.isEmpty() && flavors.containsKey(catalog.flavorName(flavor));
  }

  /** {@return the name of the pool set of a flavor, null if it has none} */
  public @Nullable String poolSetOf(int flavor) {
    return flavors.isEmpty() ? null : flavors.get(catalog.flavorName(flavor));
  }

  /** {@return the flavors that give slices of a pool set} */
  public ImmutableList<String> flavorsOf(String poolSet) {
    return flavors.keySet().stream()
        .filter(flavor -> poolSet.equals(flavors.get(flavor)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return all pool sets as they are now, in the order of their names} */
  public ImmutableList<PoolSetState> states() {
    return ImmutableList.copyOf(states);
  }

  /** {@return a pool set as it is now, absent if it does not exist} */
  public Optional<PoolSetState> state(String poolSet) {
    int index = indexOf(poolSet);
    return index < 0 ? Optional.empty() : Optional.of(states[index]);
  }

  private int indexOf(String poolSet) {
    for (int i = 0; i < states.length; i++) {
      if (states[i].source().name().equals(poolSet)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Searches places for slices beside each other.
   *
   * @param countsUsage whether slices in use are in the way
   * @return the places of each demand's slices in the order of the demands, null if there is no
   *     room or no such pool set
   */
  public @Nullable List<ImmutableList<SlicePlacement>> place(
      String poolSet, List<SliceDemand> demands, boolean countsUsage) {
    int index = indexOf(poolSet);
    if (index < 0) {
      return null;
    }
    PoolSetState state = countsUsage ? states[index] : states[index].emptied();
    return new JointFit(fitters[index], state, demands).places();
  }

  /** {@return whether no slice in use has hosts of a placement} */
  public boolean isFree(String poolSet, SlicePlacement placement) {
    int index = indexOf(poolSet);
    return index >= 0 && states[index].isFree(placement);
  }

  /** Puts slices of a workload on their hosts, whether these are free or not. */
  public void put(Footprint footprint) {
    if (footprint instanceof PlacedSlices slices) {
      slices.parts().forEach(this::put);
    }
  }

  private void put(PlacedSlices.Part part) {
    int index = indexOf(part.poolSet());
    if (index >= 0) {
      replace(index, states[index].with(part.slice()));
    }
  }

  /** Takes slices of a workload off their hosts. */
  public void remove(Footprint footprint) {
    if (footprint instanceof PlacedSlices slices) {
      for (PlacedSlices.Part part : slices.parts()) {
        int index = indexOf(part.poolSet());
        if (index >= 0) {
          replace(index, states[index].without(part.slice().id()));
        }
      }
    }
  }

  private void replace(int index, PoolSetState state) {
    states = states.clone();
    states[index] = state;
  }

  /** Begins a trial. Trials are nested: what is begun last ends first. */
  void checkpoint() {
    if (states.length > 0) {
      trials.add(states);
    }
  }

  /** Ends the trial begun last: everything is as it was before. */
  void rollback() {
    if (states.length > 0) {
      states = trials.remove(trials.size() - 1);
    }
  }

  /** {@return what a slice of a workload is called} */
  public static TpuSlice slice(
      String workload, String podSet, int number, SlicePlacement placement) {
    return TpuSlice.of(workload + "/" + podSet + "/" + number, placement).withOwner(workload);
  }
}
