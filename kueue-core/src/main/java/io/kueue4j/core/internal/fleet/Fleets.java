package io.kueue4j.core.internal.fleet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Footprint.PlacedSlice;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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

  private final Journal journal;
  private final VersionedMap<String, TpuPoolSet> poolSets;

  /** The name of the pool set of each flavor that has one. */
  private final VersionedMap<String, String> flavors;

  /** The states in the order of names; copied on write. */
  private PoolSetState[] states = {};

  /** The working memory of searches, one for each state. */
  private SliceFitter[] fitters = {};

  private boolean changed;

  /** Creates fleets without pool sets. */
  public Fleets(Journal journal) {
    this.journal = journal;
    this.poolSets = new VersionedMap<>(journal);
    this.flavors = new VersionedMap<>(journal);
  }

  /** Takes the pool sets of other fleets with the slices in use; there must be no trial. */
  public void share(Fleets origin) {
    poolSets.share(origin.poolSets);
    flavors.share(origin.flavors);
    setStates(origin.states);
    changed = origin.changed;
  }

  /** {@return whether a flavor names a pool set, even one that does not exist} */
  public boolean isUsed() {
    return !flavors.isEmpty();
  }

  /**
   * Sets a pool set, null to remove it. The states must then be built anew, also if the current
   * call fails.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  public boolean setPoolSet(String name, @Nullable TpuPoolSet set) {
    TpuPoolSet before = poolSets.set(name, set);
    if (!Objects.equals(set, before)) {
      journal.add(() -> changed = true);
      changed = true;
    }
    return before != null;
  }

  /** {@return the pool sets, in no particular order} */
  public List<TpuPoolSet> poolSets() {
    return poolSets.values();
  }

  /** {@return whether there is a pool set of that name} */
  public boolean hasPoolSet(String name) {
    return poolSets.get(name) != null;
  }

  /** Sets the pool set of a flavor, null for none. */
  public void setFlavor(String name, @Nullable String poolSet) {
    flavors.set(name, poolSet);
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
    setStates(poolSets.values().stream()
        .sorted(Comparator.comparing(TpuPoolSet::name))
        .map(PoolSetState::empty)
        .toArray(PoolSetState[]::new));
    changed = false;
    held.stream()
        .flatMap(footprint -> footprint.slices().stream())
        .sorted(Comparator.comparing(placed -> placed.slice().id()))
        .forEach(this::put);
  }

  private void setStates(PoolSetState[] newStates) {
    states = newStates;
    fitters = new SliceFitter[states.length];
    Arrays.setAll(fitters, unused -> SliceFitter.create());
  }

  /** {@return whether a flavor names a pool set, even one that does not exist} */
  public boolean hasPools(String flavor) {
    return flavors.get(flavor) != null;
  }

  /** {@return the name of the pool set of a flavor, null if it has none} */
  public @Nullable String poolSetOf(String flavor) {
    return flavors.get(flavor);
  }

  /** {@return the current state of the pool set of a flavor, null if it has none that exists} */
  public @Nullable PoolSetState stateOf(String flavor) {
    String poolSet = poolSetOf(flavor);
    return poolSet == null ? null : state(poolSet).orElse(null);
  }

  /** {@return the flavors that provide slices of a pool set, in no particular order} */
  public List<String> flavorsOf(String poolSet) {
    return flavors.keys().stream()
        .filter(flavor -> poolSet.equals(flavors.get(flavor)))
        .toList();
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
  public @Nullable List<List<SlicePlacement>> place(
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
  public void put(List<PlacedSlice> slices) {
    slices.forEach(this::put);
  }

  private void put(PlacedSlice placed) {
    int index = indexOf(placed.poolSet());
    if (index >= 0) {
      replace(index, states[index].with(placed.slice()));
    }
  }

  /** Removes the slices of a workload. */
  public void remove(List<PlacedSlice> slices) {
    for (PlacedSlice placed : slices) {
      int index = indexOf(placed.poolSet());
      if (index >= 0) {
        replace(index, states[index].without(placed.slice().id()));
      }
    }
  }

  /** In a trial, closes the hosts with these names, or opens them again. */
  void setClosed(ImmutableSet<String> nodes, boolean isClosed) {
    for (int index = 0; index < states.length; index++) {
      replace(index, states[index].withClosed(nodes, isClosed));
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
