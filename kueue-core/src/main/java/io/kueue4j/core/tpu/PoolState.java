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

  /** The hosts of slices smaller than a cube that must not be moved. */
  private final long[] fixed;

  private final int wholeCubes;

  /** Built lazily; passed on to later states from then on. */
  private @Nullable CubeIndex index;

  /** Built lazily. */
  private @Nullable PoolContents contents;

  /** Ordered by id. */
  private final Held[] slices;

  /** A slice with its hosts as bits. */
  record Held(TpuSlice slice, HostMask hosts) {}

  private PoolState(
      PoolLayout layout,
      long[] occupied,
      PoolHealth health,
      long[] fixed,
      Held[] slices,
      @Nullable PoolState before) {
    this.layout = layout;
    this.occupied = occupied;
    this.health = health;
    this.fixed = fixed;
    this.slices = slices;
    this.free = new long[occupied.length];
    free(free, false);
    this.wholeCubes = layout.isMadeOfCubes() ? countWholeCubes() : 0;
    CubeIndex known = before == null || !isIndexed() ? null : before.index;
    this.index = known == null || before == null ? null : known.changed(before, this);
  }

  static PoolState empty(PoolLayout layout) {
    long[] none = new long[layout.words()];
    return new PoolState(layout, none, PoolHealth.healthy(layout), none, new Held[0], null);
  }

  /** Writes the hosts that may be used and are free. */
  void free(long[] into, boolean allowDegraded) {
    usable(into, allowDegraded);
    for (int word = 0; word < into.length; word++) {
      into[word] &= ~occupied[word];
    }
  }

  private int countWholeCubes() {
    long[] joinable = free;
    if (!health.partitions().isEmpty()) {
      joinable = free.clone();
      exclude(joinable, layout.pool().chips(), false);
    }
    return wholeCubes(joinable, layout.pool().cubes());
  }

  /** {@return whether the index of cubes determines where slices fit} */
  boolean isIndexed() {
    return health.partitions().isEmpty();
  }

  /** Removes the hosts that a slice cannot use because partitions are broken. */
  void exclude(long[] set, SliceShape slice, boolean allowDegraded) {
    health.partitions().removeFrom(set, layout.pool(), slice, allowDegraded);
  }

  /** Writes the hosts that may be used if they are free, judged by the health of hosts alone. */
  void usable(long[] into, boolean allowDegraded) {
    int hosts = layout.pool().hosts();
    for (int word = 0; word < into.length; word++) {
      int left = hosts - word * Long.SIZE;
      long all = left >= Long.SIZE ? -1L : (1L << left) - 1;
      into[word] = all & ~health.unusable(word, allowDegraded);
    }
  }

  /**
   * {@return the hosts that a slice of a request may use if they are free, by mesh; must not be
   * changed}
   */
  long[] allowed(SliceRequest request, SliceShape slice) {
    boolean healthy = !request.allowDegraded() || (!hasDegradedHosts() && isIndexed());
    if (healthy && request.avoid().isEmpty() && request.pin().isEmpty()) {
      return contents().usable(slice);
    }
    long[] hosts = new long[layout.words()];
    usable(hosts, request.allowDegraded());
    exclude(hosts, slice, request.allowDegraded());
    Set<Integer> avoided = request.avoid().getOrDefault(layout.pool().id(), ImmutableSet.of());
    Set<Integer> pinned = request.pin().getOrDefault(layout.pool().id(), ImmutableSet.of());
    for (int host = 0; host < layout.pool().hosts(); host++) {
      if (avoided.contains(host) || (!request.pin().isEmpty() && !pinned.contains(host))) {
        hosts[host >> 6] &= ~(1L << host);
      }
    }
    return contents().byMesh(hosts);
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
  Held[] slices() {
    return slices;
  }

  @Nullable
  Held slice(String id) {
    int at = find(id);
    return at >= 0 ? slices[at] : null;
  }

  /** {@return a slice of this pool} */
  Held held(String id) {
    return slices[find(id)];
  }

  private int find(String id) {
    return Collections.binarySearch(
        Lists.transform(Arrays.asList(slices), held -> held.slice().id()), id);
  }

  PoolState with(TpuSlice slice) {
    HostMask hosts = HostMask.of(slice.placement().hosts());
    checkArgument(
        !hosts.intersects(occupied, 0),
        "slice %s takes hosts in pool %s that other slices have, expected free ones",
        slice.id(),
        layout.pool().id());
    int at = -1 - find(slice.id());
    Held[] more = new Held[slices.length + 1];
    System.arraycopy(slices, 0, more, 0, at);
    more[at] = new Held(slice, hosts);
    System.arraycopy(slices, at, more, at + 1, slices.length - at);
    return changed(more[at], more);
  }

  PoolState without(String id) {
    int at = find(id);
    Held[] fewer = new Held[slices.length - 1];
    System.arraycopy(slices, 0, fewer, 0, at);
    System.arraycopy(slices, at + 1, fewer, at, fewer.length - at);
    return changed(slices[at], fewer);
  }

  /** {@return this state with a slice added or removed} */
  private PoolState changed(Held held, Held[] now) {
    long[] staying = blocksCubes(held.slice()) ? held.hosts().toggled(fixed) : fixed;
    return new PoolState(layout, held.hosts().toggled(occupied), health, staying, now, this);
  }

  PoolState with(PoolHealth changed) {
    return new PoolState(layout, occupied, changed, fixed, slices, this);
  }

  /** A cube with a slice that is smaller and must not be moved cannot be joined with others. */
  private boolean blocksCubes(TpuSlice slice) {
    return layout.isMadeOfCubes()
        && !slice.movable()
        && !layout.pool().takesWholeCubes(slice.placement().shape());
  }

  /**
   * {@return whether a cube cannot be joined with others for a long time: a host or the cube as a
   * partition is not healthy, or a host has a slice that is smaller than the cube and must not be
   * moved}
   */
  boolean isDamaged(int cube) {
    return HostBits.lane(fixed, cube) != 0 || health.isDamaged(layout.pool(), cube);
  }

  /** {@return whether a cube has a slice} */
  boolean isTouched(int cube) {
    return HostBits.lane(occupied, cube) != 0;
  }

  /**
   * {@return whether the four cubes of a word are in the same state in both}. Slices that must not
   * be moved need no comparison, because they come and go with occupied hosts
   */
  boolean hasEqualWord(PoolState other, int word) {
    return occupied[word] == other.occupied[word] && health.hasEqualWord(other.health, word);
  }

  boolean hasDegradedHosts() {
    return health.hasDegradedHosts();
  }

  /** {@return the number of cubes that are completely free and healthy} */
  int wholeCubes() {
    return wholeCubes;
  }

  /** {@return the number of cubes whose hosts are all in a set} */
  static int wholeCubes(long[] set, int cubes) {
    int whole = 0;
    for (int cube = 0; cube < cubes; cube++) {
      whole += HostBits.lane(set, cube) == HostBits.CUBE ? 1 : 0;
    }
    return whole;
  }

  /** {@return the index of cubes for slices smaller than a cube} */
  CubeIndex index() {
    CubeIndex known = index;
    if (known == null) {
      known = CubeIndex.of(this);
      index = known;
    }
    return known;
  }

  /** {@return the slices and hosts by mesh} */
  PoolContents contents() {
    PoolContents known = contents;
    if (known == null) {
      known = new PoolContents(this);
      contents = known;
    }
    return known;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PoolState that
        && layout.pool().equals(that.layout.pool())
        && Stream.of(slices)
            .map(Held::slice)
            .toList()
            .equals(Stream.of(that.slices).map(Held::slice).toList())
        && health.equals(that.health);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(occupied) * 31 + health.hashCode();
  }
}
