package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All places of a slice in an empty grid, torus or cube, as bit masks. Built once, so that a search
 * only compares words. Places are ordered by orientation, then host.
 *
 * <p>Rules: TPU-F-8, TPU-F-9.
 */
final class PlaceTable {
  private final PoolLayout layout;
  private final SliceShape shape;
  private final HostGrid grid;
  private final boolean aligned;
  private final int words;
  private final List<Way> ways;
  private final AxisOrder[] orders;
  private final int[] corners;

  /** The masks of the places, one after another, each with as many words as the mesh. */
  private final long[] masks;

  /**
   * What the places of a table depend on.
   *
   * @param shape the slice
   * @param turn whether it may be turned
   * @param rings whether all its axes must close rings
   */
  record Key(SliceShape shape, boolean turn, boolean rings) {
    static Key of(SliceShape shape, SliceRequest request) {
      boolean rings = request.rings() == SliceRequest.Rings.REQUIRED;
      return new Key(shape, request.mayTurn(), rings);
    }
  }

  private record Place(Way way, int corner) {}

  PlaceTable(PoolLayout layout, Key key) {
    this.shape = key.shape();
    this.grid = layout.mesh();
    this.aligned = layout.isAligned();
    this.words = grid.words();
    this.ways = layout.ways(key);
    this.layout = layout;
    List<Place> places = new ArrayList<>();
    for (Way way : ways) {
      long[] all = new long[words];
      for (int host = 0; host < grid.hosts(); host++) {
        all[host >> 6] |= 1L << host;
      }
      grid.corners(all, way.extents(), aligned, new long[words]);
      for (int host = 0; host < grid.hosts(); host++) {
        if (HostBits.contains(all, host)) {
          places.add(new Place(way, host));
        }
      }
    }
    this.orders = places.stream().map(place -> place.way().order()).toArray(AxisOrder[]::new);
    this.corners = places.stream().mapToInt(Place::corner).toArray();
    this.masks = masks(places);
  }

  private long[] masks(List<Place> places) {
    long[] all = new long[places.size() * words];
    for (int i = 0; i < places.size(); i++) {
      int[] corner = grid.coordinatesOf(places.get(i).corner());
      int[] length = places.get(i).way().extents();
      for (int word = 0; word < words; word++) {
        all[i * words + word] = grid.box(word, corner, length);
      }
    }
    return all;
  }

  SliceShape shape() {
    return shape;
  }

  int size() {
    return corners.length;
  }

  /** {@return a word of the hosts of a place} */
  long mask(int place, int word) {
    return masks[place * words + word];
  }

  /** {@return whether all hosts of a place in a mesh are in a set of hosts of the pool} */
  boolean isInside(int mesh, int place, long[] set) {
    for (int word = 0; word < words; word++) {
      if ((mask(place, word) & ~set[mesh * words + word]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** {@return whether a place has one of some hosts in its mesh} */
  boolean overlaps(int place, HostMask hosts) {
    for (int word = 0; word < words; word++) {
      if ((mask(place, word) & hosts.word(word)) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return all places in a set of hosts of the pool by mesh, orientation and host; they may
   * overlap each other}
   */
  Stream<SlicePlacement> inside(long[] set) {
    return IntStream.range(0, layout.pool().cubes())
        .boxed()
        .flatMap(mesh -> IntStream.range(0, size())
            .filter(place -> isInside(mesh, place, set))
            .mapToObj(place -> placement(mesh, place)));
  }

  AxisOrder order(int place) {
    return orders[place];
  }

  /** {@return the host of the pool that is the lowest corner of a place in a mesh} */
  int origin(int mesh, int place) {
    return mesh * grid.hosts() + corners[place];
  }

  SlicePlacement placement(int mesh, int place) {
    return SlicePlacement.ofBox(layout.pool(), shape, orders[place], origin(mesh, place));
  }

  /** {@return the hosts of a place in a mesh} */
  HostMask hosts(int mesh, int place) {
    return HostMask.inMesh(mesh, Arrays.copyOfRange(masks, place * words, (place + 1) * words));
  }

  /**
   * {@return whether a place is free}
   *
   * @param usable the hosts that may be used, in all meshes of a pool
   * @param taken the hosts that are taken, in all meshes of a pool
   * @param from the index where the mesh begins in both
   * @param set an array as long as a mesh; overwritten, as is {@code spare}
   */
  boolean fits(long[] usable, long[] taken, int from, long[] set, long[] spare) {
    for (int way = 0; way < ways.size(); way++) {
      for (int word = 0; word < words; word++) {
        set[word] = usable[from + word] & ~taken[from + word];
      }
      grid.corners(set, ways.get(way).extents(), aligned, spare);
      for (int word = 0; word < words; word++) {
        if (set[word] != 0) {
          return true;
        }
      }
    }
    return false;
  }
}
