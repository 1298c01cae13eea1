package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pools of one generation with the slices in use and the health of hosts, at one moment.
 *
 * <p>Immutable: a call that changes something returns another fleet, which shares all pools but one
 * with this one. Thread-safe.
 *
 * <pre>{@code
 * TpuFleet fleet = TpuFleet.of(pods)
 *     .withHealth("pod-0", HostHealth.DOWN, 17)
 *     .allocate(TpuSlice.of("training-0", placement));
 * }</pre>
 *
 * <p>Rules: TPU-U-18, TPU-U-26, TPU-F-2, TPU-F-4.
 *
 * @since 0.1.0
 */
public final class TpuFleet {
  private final PoolState[] states;

  private TpuFleet(PoolState[] states) {
    this.states = states;
  }

  /**
   * {@return a fleet of these pools with all hosts free and healthy}
   *
   * @throws IllegalArgumentException if there are none, two have one id, or they are of different
   *     generations
   */
  public static TpuFleet of(Collection<TpuPool> pools) {
    checkArgument(!pools.isEmpty(), "a fleet without pools, expected at least one");
    List<TpuPool> sorted =
        pools.stream().sorted(Comparator.comparing(TpuPool::id)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      TpuPool one = sorted.get(i - 1);
      TpuPool other = sorted.get(i);
      checkArgument(!one.id().equals(other.id()), "two pools with id %s", one.id());
      checkArgument(
          one.generation().equals(other.generation()),
          "pool %s of %s beside pool %s of %s, expected one generation in a fleet",
          one.id(),
          one.generation().name(),
          other.id(),
          other.generation().name());
    }
    return new TpuFleet(sorted.stream()
        .map(pool -> PoolState.empty(new PoolLayout(pool)))
        .toArray(PoolState[]::new));
  }

  /**
   * {@return a fleet of these pools with all hosts free and healthy}
   *
   * @throws IllegalArgumentException if there are none, two have one id, or they are of different
   *     generations
   */
  public static TpuFleet of(TpuPool... pools) {
    return of(ImmutableList.copyOf(pools));
  }

  /** {@return the generation of all pools} */
  public TpuGeneration generation() {
    return states[0].layout().pool().generation();
  }

  /** {@return the pools in the order of their ids} */
  public List<TpuPool> pools() {
    return Stream.of(states).map(state -> state.layout().pool()).collect(toImmutableList());
  }

  /** {@return the slices in the order of their ids} */
  public List<TpuSlice> slices() {
    return residents()
        .map(Resident::slice)
        .sorted(Comparator.comparing(TpuSlice::id))
        .collect(toImmutableList());
  }

  /** {@return the slice with this id, empty if there is none} */
  public Optional<TpuSlice> slice(String id) {
    return Stream.of(states)
        .map(state -> state.slice(id))
        .filter(Objects::nonNull)
        .findFirst();
  }

  /**
   * Adds a slice. Its hosts must be free, but need not be healthy, since the slice may run already.
   *
   * @return the fleet with the slice
   * @throws IllegalArgumentException if a slice has the same id or one of the hosts, or the pool
   *     does not belong to this fleet
   */
  public TpuFleet allocate(TpuSlice slice) {
    checkArgument(slice(slice.id()).isEmpty(), "a second slice with id %s", slice.id());
    int pool = indexOf(slice.placement().pool().id());
    checkArgument(
        states[pool].layout().pool().equals(slice.placement().pool()),
        "slice %s lies in another pool with id %s",
        slice.id(),
        slice.placement().pool().id());
    return with(pool, states[pool].with(slice));
  }

  /**
   * Removes a slice.
   *
   * @return the fleet without the slice
   * @throws IllegalArgumentException if there is no slice with that id
   */
  public TpuFleet release(String id) {
    for (int pool = 0; pool < states.length; pool++) {
      if (states[pool].slice(id) != null) {
        return with(pool, states[pool].without(id));
      }
    }
    throw new IllegalArgumentException("no slice with id " + id);
  }

  /**
   * Sets the health of hosts. Slices on them stay.
   *
   * @return the changed fleet
   * @throws IllegalArgumentException if there is no such pool or host
   */
  public TpuFleet withHealth(String poolId, HostHealth health, int... hosts) {
    int pool = indexOf(poolId);
    PoolState state = states[pool];
    return with(pool, state.with(state.health().with(health, hosts)));
  }

  /**
   * Sets the health of partitions, which are cubes or aligned parts of cubes. A slice smaller than
   * a cube is one partition; a slice of whole cubes consists of partitions of 4x4x4 chips. A
   * partition can be broken although its hosts and the smaller partitions inside it are healthy.
   * Slices on it stay.
   *
   * @return the changed fleet
   * @throws IllegalArgumentException if there is no such pool or partition, or the pool does not
   *     consist of cubes
   */
  public TpuFleet withPartitionHealth(
      String poolId, HostHealth health, TpuPool.Block... partitions) {
    int pool = indexOf(poolId);
    PoolState state = states[pool];
    return with(pool, state.with(state.health().with(health, partitions)));
  }

  /** {@return this fleet with all hosts and partitions healthy} */
  TpuFleet healed() {
    PoolState[] healed = states.clone();
    for (int pool = 0; pool < healed.length; pool++) {
      healed[pool] = healed[pool].with(PoolHealth.healthy(healed[pool].layout()));
    }
    return new TpuFleet(healed);
  }

  /**
   * {@return the health of a host}
   *
   * @throws IllegalArgumentException if there is no such pool or host
   */
  public HostHealth health(String poolId, int host) {
    return checkedHost(poolId, host).health().get(host);
  }

  /**
   * {@return the health of a partition, regardless of the health of its hosts}
   *
   * @throws IllegalArgumentException if there is no such pool
   */
  public HostHealth partitionHealth(String poolId, TpuPool.Block partition) {
    return states[indexOf(poolId)].health().get(partition);
  }

  /**
   * {@return the partitions of a placement that are down; empty if the pool does not consist of
   * cubes}
   *
   * @throws IllegalArgumentException if there is no such pool
   */
  public List<TpuPool.Block> partitionsDown(SlicePlacement placement) {
    return placement.partitions().stream()
        .filter(each -> partitionHealth(placement.pool().id(), each) == HostHealth.DOWN)
        .collect(toImmutableList());
  }

  /**
   * {@return whether a slice at this placement has failed: one of its hosts or partitions is down}
   *
   * @throws IllegalArgumentException if there is no such pool
   */
  public boolean hasFailed(SlicePlacement placement) {
    String pool = placement.pool().id();
    return placement.hosts().stream().anyMatch(host -> health(pool, host) == HostHealth.DOWN)
        || !partitionsDown(placement).isEmpty();
  }

  /**
   * {@return whether a slice uses the host}
   *
   * @throws IllegalArgumentException if there is no such pool or host
   */
  public boolean isTaken(String poolId, int host) {
    PoolState state = checkedHost(poolId, host);
    return HostBits.contains(state.occupied(), state.layout().bit(host));
  }

  private PoolState checkedHost(String poolId, int host) {
    PoolState state = states[indexOf(poolId)];
    int hosts = state.layout().pool().hosts();
    checkArgument(
        host >= 0 && host < hosts, "host %s of pool %s, expected 0 to %s", host, poolId, hosts - 1);
    return state;
  }

  private TpuFleet with(int pool, PoolState state) {
    PoolState[] changed = states.clone();
    changed[pool] = state;
    return new TpuFleet(changed);
  }

  /** {@return a prefix that no id of a slice begins with} */
  String unusedPrefix() {
    String prefix = "new-";
    while (holdsPrefix(prefix)) {
      prefix += "-";
    }
    return prefix;
  }

  private boolean holdsPrefix(String prefix) {
    return residents().anyMatch(resident -> resident.slice().id().startsWith(prefix));
  }

  int indexOf(String poolId) {
    return IntStream.range(0, states.length)
        .filter(each -> states[each].layout().pool().id().equals(poolId))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no pool with id %s, there are %s"
            .formatted(poolId, pools().stream().map(TpuPool::id).toList())));
  }

  PoolState state(int pool) {
    return states[pool];
  }

  List<PoolState> states() {
    return Collections.unmodifiableList(Arrays.asList(states));
  }

  private Stream<Resident> residents() {
    return Stream.of(states).flatMap(state -> Stream.of(state.slices()));
  }

  /** {@return whether both fleets have equal pools, slices and health of hosts} */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TpuFleet that && Arrays.equals(states, that.states);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(states);
  }
}
