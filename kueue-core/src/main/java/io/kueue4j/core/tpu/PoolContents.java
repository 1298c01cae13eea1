package io.kueue4j.core.tpu;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The state of a pool by mesh, for searches that move slices. A mesh is a grid, a torus or one
 * cube; bit sets have as many words per mesh as the mesh needs.
 *
 * <p>Rules: TPU-F-2, TPU-F-4.
 */
final class PoolContents {
  private final PoolLayout layout;
  private final int words;
  private final int meshes;
  private final PoolState state;
  private final long[] usable;

  /** The usable hosts by shape of a slice, filled only for pools with broken partitions. */
  private final Map<SliceShape, long[]> usableByShape = new ConcurrentHashMap<>();

  private final long[] occupied;
  private final Resident[][] residents;

  PoolContents(PoolState state) {
    this.state = state;
    this.layout = state.layout();
    this.words = layout.mesh().words();
    this.meshes = layout.pool().cubes();
    long[] healthy = new long[layout.words()];
    state.usable(healthy, false);
    this.usable = byMesh(healthy);
    this.occupied = byMesh(state.occupied());
    this.residents = residents(state);
  }

  private Resident[][] residents(PoolState state) {
    PoolState.Held[] slices = state.slices();
    Resident[] all = new Resident[slices.length];
    int[] counts = new int[meshes];
    for (int i = 0; i < slices.length; i++) {
      all[i] = new Resident(layout, slices[i]);
      for (int at = 0; at < all[i].meshes(); at++) {
        counts[all[i].mesh(at)]++;
      }
    }
    Resident[][] inside = new Resident[meshes][];
    for (int mesh = 0; mesh < meshes; mesh++) {
      inside[mesh] = new Resident[counts[mesh]];
    }
    for (int i = all.length - 1; i >= 0; i--) {
      for (int at = 0; at < all[i].meshes(); at++) {
        int mesh = all[i].mesh(at);
        inside[mesh][--counts[mesh]] = all[i];
      }
    }
    return inside;
  }

  /** {@return a set of hosts of the pool, rearranged by mesh} */
  long[] byMesh(long[] set) {
    if (!layout.isMadeOfCubes()) {
      return set;
    }
    long[] lanes = new long[meshes];
    for (int mesh = 0; mesh < meshes; mesh++) {
      lanes[mesh] = HostBits.lane(set, mesh);
    }
    return lanes;
  }

  PoolLayout layout() {
    return layout;
  }

  /** {@return the number of meshes} */
  int meshes() {
    return meshes;
  }

  /** {@return the number of words per mesh} */
  int words() {
    return words;
  }

  /** {@return the healthy hosts that a slice of a shape may use; must not be changed} */
  long[] usable(SliceShape slice) {
    return state.isIndexed() ? usable : usableByShape.computeIfAbsent(slice, this::usableBy);
  }

  private long[] usableBy(SliceShape slice) {
    long[] hosts = new long[layout.words()];
    state.usable(hosts, false);
    state.exclude(hosts, slice, false);
    return byMesh(hosts);
  }

  /** {@return whether the hosts and partitions of two cubes have the same health} */
  boolean areAlike(int one, int other) {
    return usable[one] == usable[other] && state.health().partitions().areAlike(one, other);
  }

  /** {@return the hosts of slices; must not be changed} */
  long[] occupied() {
    return occupied;
  }

  /** {@return the slices of a mesh by id; must not be changed} */
  Resident[] residents(int mesh) {
    return residents[mesh];
  }
}
