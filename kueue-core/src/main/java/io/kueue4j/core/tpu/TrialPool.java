package io.kueue4j.core.tpu;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A pool in which slices are removed and added in a trial, and the changes are undone in the
 * opposite order. A slice added in the trial cannot be displaced; its place is taken.
 *
 * <p>Whether a mesh has room is computed once for its original state, and again only for meshes
 * that have changed since.
 *
 * <p>Rules: TPU-F-4, TPU-F-19.
 */
final class TrialPool {
  private final PoolState state;
  private final int words;
  private final Predicate<Resident> mayMove;
  private final Map<PlaceTable, BitSet> roomBefore = new HashMap<>();
  private final long[] set;
  private final long[] spare;
  private final long[] taken;

  /** The meshes in which other hosts are taken than originally. */
  private final BitSet changed = new BitSet();

  private final Resident[] inTheWay;
  private int waySize;

  /**
   * Creates the trial of a pool.
   *
   * @param mayMove which slices of the pool may be displaced at the moment
   */
  TrialPool(PoolState state, Predicate<Resident> mayMove) {
    this.state = state;
    this.words = state.layout().mesh().words();
    this.mayMove = mayMove;
    this.taken = state.occupied().clone();
    this.set = new long[words];
    this.spare = new long[words];
    this.inTheWay = new Resident[state.layout().mesh().hosts()];
  }

  /** {@return the original state} */
  PoolState state() {
    return state;
  }

  PoolLayout layout() {
    return state.layout();
  }

  int meshes() {
    return layout().pool().cubes();
  }

  /** Takes hosts that are free, or frees hosts that are taken. */
  void toggle(HostMask hosts) {
    hosts.toggle(taken);
    for (int i = 0; i < hosts.meshes(); i++) {
      int from = hosts.mesh(i) * words;
      int to = from + words;
      changed.set(hosts.mesh(i), !Arrays.equals(taken, from, to, state.occupied(), from, to));
    }
  }

  /** {@return whether at least {@code enough} meshes have a free place} */
  boolean hasRoom(PlaceTable table, int enough) {
    BitSet before = roomBefore.get(table);
    if (before == null) {
      before = new BitSet();
      for (int mesh = 0; mesh < meshes(); mesh++) {
        before.set(mesh, fits(table, state.occupied(), mesh));
      }
      roomBefore.put(table, before);
    }
    int left = before.cardinality();
    for (int i = changed.nextSetBit(0); i >= 0; i = changed.nextSetBit(i + 1)) {
      left -= before.get(i) ? 1 : 0;
    }
    for (int i = changed.nextSetBit(0); i >= 0 && left < enough; i = changed.nextSetBit(i + 1)) {
      left += fits(table, taken, i) ? 1 : 0;
    }
    return left >= enough;
  }

  private boolean fits(PlaceTable table, long[] busy, int mesh) {
    return table.fits(state.usable(table.shape()), busy, mesh * words, set, spare);
  }

  /**
   * Finds the next place of a slice in a mesh with few slices in the way. {@link #inTheWay()}
   * returns them until the next call.
   *
   * @param allowed the hosts that may be used, by mesh
   * @param from the first place to examine
   * @param most the maximum number of slices in the way
   * @return the place; -1 if there is none
   */
  int next(PlaceTable table, long[] allowed, int mesh, int from, int most) {
    for (int place = from; place < table.size(); place++) {
      if (isCandidate(table, allowed, mesh, place, most)) {
        return place;
      }
    }
    return -1;
  }

  private boolean isCandidate(PlaceTable table, long[] allowed, int mesh, int place, int most) {
    int base = mesh * words;
    int busy = 0;
    for (int word = 0; word < words; word++) {
      long mask = table.mask(place, word);
      if ((mask & ~allowed[base + word]) != 0) {
        return false;
      }
      busy += Long.bitCount(mask & taken[base + word]);
    }
    waySize = 0;
    if (busy == 0) {
      return true;
    }
    for (Resident resident : state.residents(mesh)) {
      int common = 0;
      for (int word = 0; word < words; word++) {
        common += Long.bitCount(table.mask(place, word) & resident.word(word));
      }
      if (common > 0 && mayMove.test(resident)) {
        if (waySize == most) {
          return false;
        }
        inTheWay[waySize++] = resident;
        busy -= common;
      }
    }
    return busy == 0;
  }

  /** {@return the slices in the way of the place found last, by id} */
  List<Resident> inTheWay() {
    return List.of(Arrays.copyOf(inTheWay, waySize));
  }

  int inTheWaySize() {
    return waySize;
  }

  int chipsInTheWay() {
    int chips = 0;
    for (int i = 0; i < waySize; i++) {
      chips += inTheWay[i].chips();
    }
    return chips;
  }

  /** {@return whether any search treats two cubes alike}: slices and taken hosts are the same */
  boolean areAlike(int one, int other) {
    Resident[] here = state.residents(one);
    Resident[] there = state.residents(other);
    if (here.length != there.length
        || taken[one] != taken[other]
        || !state.health().areAlike(one, other)) {
      return false;
    }
    for (int i = 0; i < here.length; i++) {
      if (!contains(there, here[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean contains(Resident[] slices, Resident like) {
    for (Resident each : slices) {
      boolean same = each == like
          || (!each.isWhole() && each.word(0) == like.word(0) && each.key().equals(like.key()));
      if (same && mayMove.test(each) == mayMove.test(like)) {
        return true;
      }
    }
    return false;
  }
}
