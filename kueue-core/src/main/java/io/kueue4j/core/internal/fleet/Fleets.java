package io.kueue4j.core.internal.fleet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pool sets of an engine with the slices in use. Not thread-safe.
 *
 * <p>The state of a pool set at a checkpoint is one reference, so the cost of a trial depends only
 * on its changes, and is nothing without pool sets.
 *
 * <p>Changes of pool sets take effect in {@link #rebuild}.
 *
 * <p>Rules: TPU-F-4, TPU-F-22.
 */
public final class Fleets {
  private final List<PoolSetState[]> trials = new ArrayList<>();

  private ImmutableSortedMap<String, TpuPoolSet> poolSets;
  private ImmutableSortedMap<String, String> flavors;

  /** The states in the order of names; copied on write. */
  private PoolSetState[] states = {};

  /** The working memory of searches, one for each state. */
  private SliceFitter[] fitters = {};

  private boolean changed;

  /** Creates fleets without pool sets. */
  public Fleets() {
    this.poolSets = ImmutableSortedMap.of();
    this.flavors = ImmutableSortedMap.of();
  }

  private Fleets(Fleets other) {
    this.poolSets = other.poolSets;
    this.flavors = other.flavors;
    this.states = other.states;
    this.fitters = new SliceFitter[states.length];
    this.changed = other.changed;
    forgetSearches();
  }

  /** {@return an independent copy with the same slices in use; there must be no trial} */
  public Fleets fork() {
    return new Fleets(this);
  }

  /** {@return whether a flavor names a pool set, even one that does not exist} */
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

  /** Adds or changes a flavor; a flavor without TPU pools is removed. */
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
    return ImmutableSortedMap.<String, T>naturalOrder()
        .putAll(without(map, key))
        .put(key, value)
        .buildOrThrow();
  }

  private static <T> ImmutableSortedMap<String, T> without(
      ImmutableSortedMap<String, T> map, String key) {
    return ImmutableSortedMap.copyOf(Maps.filterKeys(map, name -> !name.equals(key)));
  }

  /** {@return whether anything changed since the last {@link #rebuild}} */
  public boolean isChanged() {
    return changed;
  }

  /**
   * Makes changes take effect.
   *
   * @param held the footprints of all workloads that hold slices, in any order
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

  /** Drops the working memory of searches. */
  public void forgetSearches() {
    Arrays.setAll(fitters, unused -> SliceFitter.create());
  }

  /** {@return whether a flavor names a pool set, even one that does not exist} */
  public boolean hasPools(String flavor) {
    return flavors.containsKey(flavor);
  }

  /** {@return the name of the pool set of a flavor, null if it has none} */
  public @Nullable String poolSetOf(String flavor) {
    return flavors.get(flavor);
  }

  /** {@return the flavors that provide slices of a pool set} */
  public ImmutableList<String> flavorsOf(String poolSet) {
    return flavors.keySet().stream()
        .filter(flavor -> poolSet.equals(flavors.get(flavor)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the current state of all pool sets, in the order of their names} */
  public ImmutableList<PoolSetState> states() {
    return ImmutableList.copyOf(states);
  }

  /** {@return the current state of a pool set, empty if it does not exist} */
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
   * Searches for places for the slices of all demands together.
   *
   * @param countsUsage whether hosts of slices in use are taken
   * @return the places of the slices of each demand, in the order of the demands; null if there is
   *     no room or no such pool set
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

  /** {@return whether no slice in use has a host of a placement} */
  public boolean isFree(String poolSet, SlicePlacement placement) {
    int index = indexOf(poolSet);
    return index >= 0 && states[index].isFree(placement);
  }

  /** Adds the slices of a workload, whether their hosts are free or not. */
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

  /** Removes the slices of a workload. */
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

  /** Begins a trial. Trials are nested: the one that began last ends first. */
  void checkpoint() {
    if (states.length > 0) {
      trials.add(states);
    }
  }

  /** Ends the trial that began last and restores the state before it. */
  void rollback() {
    if (states.length > 0) {
      states = trials.remove(trials.size() - 1);
    }
  }

  /** {@return the slice of a workload, with its id and owner} */
  public static TpuSlice slice(
      String workload, String podSet, int number, SlicePlacement placement) {
    return TpuSlice.of(workload + "/" + podSet + "/" + number, placement).withOwner(workload);
  }
}
