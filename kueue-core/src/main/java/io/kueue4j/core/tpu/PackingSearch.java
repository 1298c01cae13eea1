package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the maximum number of slices of one shape that fit a pool together. Tries all combinations,
 * corner by corner, and skips those that cannot beat the best one.
 *
 * <p>Rules: TPU-F-12, TPU-F-13.
 */
final class PackingSearch {
  private final SliceShape shape;
  private long nodesLeft;
  private boolean complete = true;

  PackingSearch(SliceShape shape, long nodes) {
    this.shape = shape;
    this.nodesLeft = nodes;
  }

  /** {@return whether all relevant combinations were tried so far} */
  boolean isComplete() {
    return complete;
  }

  /** {@return up to {@code wanted} places that do not overlap, as many as possible} */
  List<SlicePlacement> most(PoolView view, int wanted) {
    TpuPool pool = view.layout().pool();
    if (pool.takesWholeCubes(shape)) {
      return view.onWholeCubes(shape, wanted);
    }
    PoolLayout layout = view.layout();
    if (layout.isAligned()) {
      // Aligned places of one shape do not overlap, so all of them fit together.
      return layout
          .places(PlaceTable.Key.of(shape, view.request()))
          .inside(view.free(shape))
          .limit(wanted)
          .toList();
    }
    List<SlicePlacement> places = new ArrayList<>();
    for (int mesh = 0; mesh < pool.cubes() && places.size() < wanted; mesh++) {
      places.addAll(new Mesh(view, mesh, wanted - places.size()).most());
    }
    return places;
  }

  /** The search in one grid, torus or cube. */
  private final class Mesh {
    private final PoolLayout layout;
    private final HostGrid grid;
    private final int mesh;
    private final int wanted;
    private final long[] all;
    private final ImmutableList<Way> ways;
    private final int size;
    private ImmutableList<SlicePlacement> best = ImmutableList.of();
    private final ArrayList<SlicePlacement> current = new ArrayList<>();

    Mesh(PoolView view, int mesh, int wanted) {
      this.layout = view.layout();
      this.grid = layout.mesh();
      this.mesh = mesh;
      this.wanted = wanted;
      this.all = layout.hostsOf(view.free(shape), mesh);
      this.size = shape.chips() / layout.pool().hostBox().chips();
      this.ways = layout.ways(PlaceTable.Key.of(shape, view.request()));
    }

    ImmutableList<SlicePlacement> most() {
      if (ways.isEmpty()) {
        return ImmutableList.of();
      }
      search(all, 0);
      return best;
    }

    private SlicePlacement place(Way way, int host) {
      int base = mesh * grid.hosts();
      return SlicePlacement.ofBox(layout.pool(), shape, way.order(), base + host);
    }

    /** Tries places with corners at {@code from} or later. */
    private void search(long[] free, int from) {
      if (current.size() > best.size()) {
        best = ImmutableList.copyOf(current);
      }
      if (best.size() >= wanted || nodesLeft <= 0) {
        complete &= best.size() >= wanted || isHopeless(free, from);
        return;
      }
      nodesLeft--;
      if (isHopeless(free, from)) {
        return;
      }
      long[][] corners = corners(free);
      for (int host = nextCorner(corners, from); host >= 0; host = nextCorner(corners, host + 1)) {
        if (isHopeless(free, host)) {
          return;
        }
        for (int way = 0; way < ways.size(); way++) {
          if (HostBits.contains(corners[way], host)) {
            searchWith(free, host, ways.get(way));
            if (best.size() >= wanted) {
              return;
            }
          }
        }
      }
    }

    /** Without seams the corner is the lowest host of a slice, so hosts below it are lost. */
    private boolean isHopeless(long[] free, int from) {
      int left = 0;
      for (int word = grid.seams() ? 0 : from >> 6; word < free.length; word++) {
        long lost = grid.seams() || word > from >> 6 ? 0 : (1L << from) - 1;
        left += Long.bitCount(free[word] & ~lost);
      }
      return current.size() + left / size <= best.size();
    }

    private long[][] corners(long[] free) {
      long[][] corners = new long[ways.size()][];
      long[] spare = new long[free.length];
      for (int way = 0; way < ways.size(); way++) {
        corners[way] = free.clone();
        grid.corners(corners[way], ways.get(way).extents(), false, spare);
      }
      return corners;
    }

    private int nextCorner(long[][] corners, int from) {
      for (int word = from >> 6; word < grid.words(); word++) {
        long found = 0;
        for (long[] set : corners) {
          found |= set[word];
        }
        found &= word == from >> 6 ? -1L << from : -1L;
        if (found != 0) {
          return word * Long.SIZE + Long.numberOfTrailingZeros(found);
        }
      }
      return -1;
    }

    private void searchWith(long[] free, int host, Way way) {
      long[] rest = free.clone();
      int[] corner = grid.coordinatesOf(host);
      for (int word = 0; word < rest.length; word++) {
        rest[word] &= ~grid.box(word, corner, way.extents());
      }
      current.add(place(way, host));
      search(rest, host);
      current.remove(current.size() - 1);
    }
  }
}
