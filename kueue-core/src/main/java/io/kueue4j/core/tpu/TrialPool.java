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
  private final PoolContents contents;
  private final int words;
  private final Predicate<Resident> mayMove;
  private final Map<PlaceTable, BitSet> roomBefore = new HashMap<>();
  private final long[] set;
  private final long[] spare;

  /** The array of the contents until the first change; a copy from then on. */
  private long[] taken;

  /** The number of changes of each mesh that are not undone. */
  private final int[] changes;

  /** The meshes with changes, in the order of their first one. */
  private final int[] changed;

  private int changedMeshes;
  private int wholeBefore = -1;
  private final Resident[] inTheWay;
  private int waySize;

  /**
   * Creates the trial of a pool.
   *
   * @param mayMove which slices of the pool may be displaced at the moment
   */
  TrialPool(PoolContents contents, Predicate<Resident> mayMove) {
    this.contents = contents;
    this.words = contents.words();
    this.mayMove = mayMove;
    this.taken = contents.occupied();
    this.changes = new int[contents.meshes()];
    this.changed = new int[contents.meshes()];
    this.set = new long[words];
    this.spare = new long[words];
    this.inTheWay = new Resident[contents.layout().mesh().hosts()];
  }

  PoolContents contents() {
    return contents;
  }

  PoolLayout layout() {
    return contents.layout();
  }

  /** Removes a slice, or adds one on free hosts, or undoes that. */
  void toggle(Resident resident, boolean undo) {
    int last = resident.meshes() - 1;
    for (int i = 0; i <= last; i++) {
      int mesh = resident.mesh(undo ? last - i : i);
      begin(mesh, undo);
      for (int word = 0; word < words; word++) {
        taken[mesh * words + word] ^= resident.bits(word);
      }
    }
  }

  /** Takes a place, all of whose hosts are free, or undoes that. */
  void toggle(PlaceTable table, int mesh, int place, boolean undo) {
    begin(mesh, undo);
    for (int word = 0; word < words; word++) {
      taken[mesh * words + word] ^= table.mask(place, word);
    }
  }

  /** Takes a whole cube that is free, or undoes that. */
  void toggleCube(int cube, boolean undo) {
    begin(cube, undo);
    taken[cube] ^= HostBits.CUBE;
  }

  @SuppressWarnings("ReferenceEquality") // which array it is, not what it holds
  private void begin(int mesh, boolean undo) {
    if (taken == contents.occupied()) {
      taken = taken.clone();
    }
    if (!undo && changes[mesh]++ == 0) {
      changed[changedMeshes++] = mesh;
    } else if (undo && --changes[mesh] == 0) {
      changedMeshes--;
    }
  }

  /** {@return whether a slice that is a box has a free place} */
  boolean hasRoom(PlaceTable table) {
    BitSet before = roomBefore.get(table);
    if (before == null) {
      before = new BitSet();
      for (int mesh = 0; mesh < contents.meshes(); mesh++) {
        before.set(mesh, fits(table, contents.occupied(), mesh));
      }
      roomBefore.put(table, before);
    }
    int left = before.cardinality();
    for (int i = 0; i < changedMeshes; i++) {
      left -= before.get(changed[i]) ? 1 : 0;
    }
    for (int i = 0; i < changedMeshes && left == 0; i++) {
      left += fits(table, taken, changed[i]) ? 1 : 0;
    }
    return left > 0;
  }

  private boolean fits(PlaceTable table, long[] busy, int mesh) {
    return table.fits(contents.usable(table.shape()), busy, mesh * words, set, spare);
  }

  /** {@return the number of cubes that are free and healthy} */
  int wholeCubes() {
    if (wholeBefore < 0) {
      wholeBefore = 0;
      for (int cube = 0; cube < contents.meshes(); cube++) {
        wholeBefore += isWhole(contents.occupied(), cube) ? 1 : 0;
      }
    }
    int whole = wholeBefore;
    for (int i = 0; i < changedMeshes; i++) {
      whole -= isWhole(contents.occupied(), changed[i]) ? 1 : 0;
      whole += isWhole(taken, changed[i]) ? 1 : 0;
    }
    return whole;
  }

  private boolean isWhole(long[] busy, int cube) {
    return contents.usable(layout().pool().chips())[cube] == HostBits.CUBE && busy[cube] == 0;
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
    for (Resident resident : contents.residents(mesh)) {
      int common = 0;
      for (int word = 0; word < words; word++) {
        common += Long.bitCount(table.mask(place, word) & resident.bits(word));
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

  /**
   * {@return whether a cube could be taken whole with few slices in the way}; {@link #inTheWay()}
   * returns them until the next call
   */
  boolean isCandidateCube(long[] allowed, int cube, int most) {
    waySize = 0;
    int busy = Long.bitCount(taken[cube]);
    if (allowed[cube] != HostBits.CUBE) {
      return false;
    }
    for (Resident resident : contents.residents(cube)) {
      if (mayMove.test(resident)) {
        if (waySize == most) {
          return false;
        }
        inTheWay[waySize++] = resident;
        busy -= Long.bitCount(resident.bits(0));
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
    Resident[] here = contents.residents(one);
    Resident[] there = contents.residents(other);
    if (here.length != there.length
        || taken[one] != taken[other]
        || !contents.areAlike(one, other)) {
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
          || (!each.isWhole() && each.bits(0) == like.bits(0) && each.key().equals(like.key()));
      if (same && mayMove.test(each) == mayMove.test(like)) {
        return true;
      }
    }
    return false;
  }
}
