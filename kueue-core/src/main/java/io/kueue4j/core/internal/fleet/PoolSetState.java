package io.kueue4j.core.internal.fleet;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A pool set with the slices in use. Immutable.
 *
 * <p>Slices may overlap, for example slices of a preemptor and of its victims that have not stopped
 * yet. A host is free if no slice has it, so the order in which slices are added and removed does
 * not matter.
 *
 * <p>Rules: S-15, TPU-F-2, TPU-F-4, TPU-F-22.
 *
 * @param source the pool set as it was applied
 * @param fleet the pools with all slices that do not overlap slices added before them
 * @param overlapping slices that share hosts with others, so that the fleet cannot contain them
 * @param closed the names of hosts that no slice is placed on, once for each reason to close it
 */
public record PoolSetState(
    TpuPoolSet source,
    TpuFleet fleet,
    ImmutableList<TpuSlice> overlapping,
    ImmutableMultiset<String> closed) {
  /** {@return the pool set without slices} */
  static PoolSetState empty(TpuPoolSet source) {
    return new PoolSetState(source, source.fleet(), ImmutableList.of(), ImmutableMultiset.of());
  }

  /** {@return this pool set without slices} */
  PoolSetState emptied() {
    return new PoolSetState(source, source.fleet(), ImmutableList.of(), closed);
  }

  /** {@return this pool set, in which hosts are closed once more, or opened again} */
  PoolSetState withClosed(Set<String> hosts, boolean isClosed) {
    Multiset<String> changed = HashMultiset.create(closed);
    if (isClosed) {
      changed.addAll(hosts);
    } else {
      Multisets.removeOccurrences(changed, hosts);
    }
    return new PoolSetState(source, fleet, overlapping, ImmutableMultiset.copyOf(changed));
  }

  /** {@return this pool set with a slice; unchanged if its hosts do not exist any more} */
  PoolSetState with(TpuSlice slice) {
    Optional<TpuSlice> here = here(slice);
    return here.isEmpty()
        ? this
        : isUntaken(fleet, here.get().placement())
            ? new PoolSetState(source, fleet.allocate(here.get()), overlapping, closed)
            : new PoolSetState(source, fleet, append(here.get()), closed);
  }

  private ImmutableList<TpuSlice> append(TpuSlice slice) {
    return ImmutableList.<TpuSlice>builder().addAll(overlapping).add(slice).build();
  }

  /** {@return the slice in the present pool, whose hosts may have other names} */
  private Optional<TpuSlice> here(TpuSlice slice) {
    SlicePlacement old = slice.placement();
    for (TpuPool pool : source.fleet().pools()) {
      if (pool.equals(old.pool())) {
        return Optional.of(slice);
      }
      if (pool.id().equals(old.pool().id())) {
        return isSameGrid(pool, old.pool())
            ? Optional.of(slice.withPlacement(
                new SlicePlacement(pool, old.shape(), old.order(), old.origin(), old.cubes())))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Cubes may be added and removed, as long as the cubes of slices exist. */
  private static boolean isSameGrid(TpuPool pool, TpuPool old) {
    return pool.generation().equals(old.generation())
        && pool.kind() == old.kind()
        && pool.chips().equals(old.chips())
        && pool.hostBox().equals(old.hostBox())
        && pool.cubes() >= old.cubes()
        && (pool.crossesSeams() || !old.crossesSeams());
  }

  /** {@return this pool set without the slice with this id, if there is one} */
  PoolSetState without(String sliceId) {
    if (overlapping.stream().anyMatch(slice -> slice.id().equals(sliceId))) {
      return new PoolSetState(
          source,
          fleet,
          overlapping.stream()
              .filter(slice -> !slice.id().equals(sliceId))
              .collect(ImmutableList.toImmutableList()),
          closed);
    }
    if (fleet.slice(sliceId).isEmpty()) {
      return this;
    }
    PoolSetState left =
        new PoolSetState(source, fleet.release(sliceId), ImmutableList.of(), closed);
    for (TpuSlice slice : overlapping) {
      left = left.with(slice);
    }
    return left;
  }

  /** {@return a slice that has a host of the placement, empty if there is none} */
  public Optional<TpuSlice> conflict(SlicePlacement placement) {
    return conflict(Stream.concat(fleet.slices().stream(), overlapping.stream()), placement);
  }

  private static Optional<TpuSlice> conflict(Stream<TpuSlice> slices, SlicePlacement placement) {
    return slices
        .filter(slice -> slice.placement().pool().id().equals(placement.pool().id()))
        .filter(slice -> placement.hosts().stream()
            .anyMatch(host -> slice.placement().hosts().contains(host)))
        .findFirst();
  }

  /** {@return why a placement cannot be restored, empty if it can} */
  public Optional<String> problem(SlicePlacement placement) {
    return absence(placement)
        .or(() -> conflict(placement)
            .map(slice -> "hosts of it belong to slice %s at host %d"
                .formatted(slice.id(), slice.placement().origin())));
  }

  /** {@return why a placement cannot exist here, empty if its pool is here} */
  public Optional<String> absence(SlicePlacement placement) {
    return here(TpuSlice.of("", placement)).isPresent()
        ? Optional.empty()
        : Optional.of("TpuPoolSet %s has no pool %s of %s"
            .formatted(source.name(), placement.pool().id(), placement.pool().chips()));
  }

  /**
   * {@return whether the hosts of a placement found earlier are still free and open, regardless of
   * their health}
   */
  boolean isFree(SlicePlacement placement) {
    return isUntaken(fleet, placement)
        && conflict(overlapping.stream(), placement).isEmpty()
        && (closed.isEmpty()
            || Collections.disjoint(placement.hosts(), closedHosts(placement.pool())));
  }

  /** {@return whether no slice in a fleet has a host of a placement} */
  static boolean isUntaken(TpuFleet fleet, SlicePlacement placement) {
    String pool = placement.pool().id();
    return placement.hosts().stream().noneMatch(host -> fleet.isTaken(pool, host));
  }

  /**
   * {@return the request without hosts of overlapping slices, which are free in the fleet, without
   * closed hosts, and without indivisible pools of another shape}
   */
  public SliceRequest confined(SliceRequest request) {
    if (overlapping.isEmpty() && source.wholePools().isEmpty() && closed.isEmpty()) {
      return request;
    }
    Map<String, Set<Integer>> avoid = new HashMap<>();
    for (TpuSlice slice : overlapping) {
      avoid
          .computeIfAbsent(slice.placement().pool().id(), unused -> new HashSet<>())
          .addAll(slice.placement().hosts());
    }
    for (TpuPool pool : fleet.pools()) {
      if (isOtherSlice(pool, request)) {
        avoid.put(pool.id(), ContiguousSet.closedOpen(0, pool.hosts()));
      } else if (!closed.isEmpty()) {
        avoid.computeIfAbsent(pool.id(), unused -> new HashSet<>()).addAll(closedHosts(pool));
      }
    }
    return request.withAvoid(avoid);
  }

  private List<Integer> closedHosts(TpuPool pool) {
    return IntStream.range(0, pool.nodes().size())
        .filter(host -> closed.contains(pool.nodes().get(host)))
        .boxed()
        .toList();
  }

  private boolean isOtherSlice(TpuPool pool, SliceRequest request) {
    return source.wholePools().contains(pool.id()) && !request.shapes().contains(pool.chips());
  }

  /** {@return whether all pools are indivisible and of shapes that are not requested} */
  public boolean hasOtherSlicesOnly(SliceRequest request) {
    return fleet.pools().stream().allMatch(pool -> isOtherSlice(pool, request));
  }

  /**
   * {@return the slices that have failed because a host or partition is down, in the order of their
   * ids}
   */
  public ImmutableList<TpuSlice> unusable() {
    return fleet.slices().stream()
        .filter(slice -> fleet.hasFailed(slice.placement()))
        .collect(ImmutableList.toImmutableList());
  }
}
