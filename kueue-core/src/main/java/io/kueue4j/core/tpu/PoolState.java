package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slices in use and the health of hosts in one pool. Immutable; a change creates a new state
 * that shares unchanged parts.
 *
 * <p>Rules: TPU-F-2, TPU-F-4.
 */
final class PoolState {
  private final PoolLayout layout;
  private final long[] occupied;
  private final PoolHealth health;
  private final long[] free;

  /** The healthy hosts in cubes that are healthy as partitions. */
  private final long[] joinable;

  /** The hosts of slices smaller than a cube that must not be moved. */
  private final long[] fixed;

  private final int wholeCubes;

  /** Ordered by id. */
  private final Resident[] slices;

  /** The slices by mesh; built lazily. */
  private volatile Resident @Nullable [][] byMesh;

  private PoolState(
      PoolLayout layout, long[] occupied, PoolHealth health, long[] fixed, Resident[] slices) {
    this.layout = layout;
    this.occupied = occupied;
    this.health = health;
    this.fixed = fixed;
    this.slices = slices;
    this.free = HostBits.without(health.usable(false), occupied);
    this.joinable = usable(layout.pool().chips());
    this.wholeCubes = layout.isMadeOfCubes() ? countWholeCubes() : 0;
  }

  static PoolState empty(PoolLayout layout) {
    long[] none = new long[layout.words()];
    return new PoolState(layout, none, PoolHealth.healthy(layout), none, new Resident[0]);
  }

  private int countWholeCubes() {
    int whole = 0;
    for (int cube = 0; cube < occupied.length; cube++) {
      whole += joinable[cube] == HostBits.CUBE && occupied[cube] == 0 ? 1 : 0;
    }
    return whole;
  }

  private Resident[][] residentsByMesh() {
    int meshes = layout.pool().cubes();
    int[] counts = new int[meshes];
    for (Resident resident : slices) {
      for (int i = 0; i < resident.meshes(); i++) {
        counts[resident.mesh(i)]++;
      }
    }
    Resident[][] inside = new Resident[meshes][];
    Arrays.setAll(inside, mesh -> new Resident[counts[mesh]]);
    for (Resident resident : Lists.reverse(Arrays.asList(slices))) {
      for (int i = 0; i < resident.meshes(); i++) {
        int mesh = resident.mesh(i);
        inside[mesh][--counts[mesh]] = resident;
      }
    }
    return inside;
  }

  /** {@return the healthy hosts that a slice of a shape may use; must not be changed} */
  long[] usable(SliceShape slice) {
    return health.usable(slice, false);
  }

  /** {@return the hosts that a slice of a request may use if they are free; must not be changed} */
  long[] allowed(SliceRequest request, SliceShape slice) {
    return selected(health.usable(slice, request.allowDegraded()), request);
  }

  /** {@return the free hosts that a slice of a request may use; must not be changed} */
  long[] free(SliceRequest request, SliceShape slice) {
    return HostBits.without(allowed(request, slice), occupied);
  }

  /**
   * {@return the free hosts that a request may use, regardless of broken partitions; must not be
   * changed}
   */
  long[] free(SliceRequest request) {
    return isPlain(request)
        ? free
        : HostBits.without(selected(health.usable(request.allowDegraded()), request), occupied);
  }

  /** {@return whether a request may use all healthy hosts, and no others} */
  boolean isPlain(SliceRequest request) {
    return request.avoid().isEmpty()
        && request.pin().isEmpty()
        && !(request.allowDegraded() && health.hasDegradedHosts());
  }

  /** {@return the hosts of a set that a request neither avoids nor excludes by a pin} */
  private long[] selected(long[] hosts, SliceRequest request) {
    if (request.avoid().isEmpty() && request.pin().isEmpty()) {
      return hosts;
    }
    long[] left = hosts.clone();
    Set<Integer> avoided = request.avoid().getOrDefault(layout.pool().id(), ImmutableSet.of());
    Set<Integer> pinned = request.pin().getOrDefault(layout.pool().id(), ImmutableSet.of());
    for (int host = 0; host < layout.pool().hosts(); host++) {
      if (avoided.contains(host) || (!request.pin().isEmpty() && !pinned.contains(host))) {
        HostBits.put(left, layout.bit(host), false);
      }
    }
    return left;
  }

  PoolLayout layout() {
    return layout;
  }

  /** {@return the free healthy hosts; must not be changed} */
  long[] free() {
    return free;
  }

  /** {@return the hosts of slices; must not be changed} */
  long[] occupied() {
    return occupied;
  }

  PoolHealth health() {
    return health;
  }

  /** {@return the slices by id; must not be changed} */
  Resident[] slices() {
    return slices;
  }

  /** {@return the slices of a mesh by id; must not be changed} */
  Resident[] residents(int mesh) {
    Resident[][] known = byMesh;
    if (known == null) {
      known = residentsByMesh();
      byMesh = known;
    }
    return known[mesh];
  }

  @Nullable
  TpuSlice slice(String id) {
    int at = find(id);
    return at >= 0 ? slices[at].slice() : null;
  }

  private int find(String id) {
    return Collections.binarySearch(
        Lists.transform(Arrays.asList(slices), resident -> resident.slice().id()), id);
  }

  PoolState with(TpuSlice slice) {
    Resident added = new Resident(layout, slice);
    checkArgument(
        !added.intersects(occupied),
        "slice %s takes hosts in pool %s that other slices have, expected free ones",
        slice.id(),
        layout.pool().id());
    int at = -1 - find(slice.id());
    Resident[] more = new Resident[slices.length + 1];
    System.arraycopy(slices, 0, more, 0, at);
    more[at] = added;
    System.arraycopy(slices, at, more, at + 1, slices.length - at);
    return changed(added, more);
  }

  PoolState without(String id) {
    int at = find(id);
    Resident[] fewer = new Resident[slices.length - 1];
    System.arraycopy(slices, 0, fewer, 0, at);
    System.arraycopy(slices, at + 1, fewer, at, fewer.length - at);
    return changed(slices[at], fewer);
  }

  /** {@return this state with a slice added or removed} */
  private PoolState changed(Resident resident, Resident[] now) {
    long[] staying = blocksCubes(resident) ? resident.toggled(fixed) : fixed;
    return new PoolState(layout, resident.toggled(occupied), health, staying, now);
  }

  PoolState with(PoolHealth changed) {
    return new PoolState(layout, occupied, changed, fixed, slices);
  }

  /** A cube with a slice that is smaller and must not be moved cannot be joined with others. */
  private boolean blocksCubes(Resident resident) {
    return layout.isMadeOfCubes() && !resident.slice().movable() && !resident.isWhole();
  }

  /**
   * {@return whether a cube cannot be joined with others for a long time: a host or the cube as a
   * partition is not healthy, or a host has a slice that is smaller than the cube and must not be
   * moved}
   */
  boolean isDamaged(int cube) {
    return fixed[cube] != 0 || joinable[cube] != HostBits.CUBE;
  }

  /** {@return the number of cubes that are completely free and healthy} */
  int wholeCubes() {
    return wholeCubes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PoolState that
        && layout.pool().equals(that.layout.pool())
        && Stream.of(slices)
            .map(Resident::slice)
            .toList()
            .equals(Stream.of(that.slices).map(Resident::slice).toList())
        && health.equals(that.health);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(occupied) * 31 + health.hashCode();
  }
}
