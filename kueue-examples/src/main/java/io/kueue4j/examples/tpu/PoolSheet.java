package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.TpuPool;

/**
 * The layout of the hosts of a pool on paper: meshes in rows from left to right, each a grid of
 * squares. A grid is drawn as it is. A torus is drawn layer by layer. A cube is four squares wide,
 * along z, and four high, (x, y) in the order (0, 0), (0, 1), (1, 0), (1, 1): so each aligned part
 * of a cube is a rectangle.
 *
 * @param pool the pool
 * @param cell the edge of a square in pixels
 * @param columns the squares of a mesh from left to right
 * @param rows the squares of a mesh from top to bottom
 * @param meshes the number of grids, layers or cubes
 * @param perRow the number of them side by side
 */
record PoolSheet(TpuPool pool, int cell, int columns, int rows, int meshes, int perRow) {
  /** The space above a mesh for its number. */
  static final int LABEL = 13;

  private static final int GAP = 12;
  private static final int WIDEST = 1_100;

  /**
   * A square.
   *
   * @param mesh the grid, layer or cube
   * @param column from the left
   * @param row from the top
   */
  record Cell(int mesh, int column, int row) {}

  /** {@return the sheet of a pool; squares are smaller if there are many} */
  static PoolSheet of(TpuPool pool, int pools) {
    int width = pool.hostExtent(0);
    int height = pool.hostExtent(1);
    int depth = pool.hostExtent(2);
    return switch (pool.kind()) {
      case GRID_2D -> {
        int edge = Math.max(width, height);
        int cell = Math.max(8, Math.min(30, (pools <= 2 ? 300 : 224) / edge));
        yield new PoolSheet(pool, cell, width, height, 1, 1);
      }
      case GRID_3D_FIXED -> {
        int cell = Math.max(7, Math.min(18, 128 / Math.max(width, height)));
        yield of(pool, cell, width, height, depth);
      }
      case CUBES_OCS -> {
        int cell = pool.cubes() <= 16 ? 22 : pool.cubes() <= 64 ? 16 : 13;
        yield of(pool, cell, depth, width * height, pool.cubes());
      }
    };
  }

  private static PoolSheet of(TpuPool pool, int cell, int columns, int rows, int meshes) {
    int fitting = Math.max(1, WIDEST / (columns * cell + GAP));
    int perRow = Math.min(meshes, fitting >= 16 ? 16 : fitting >= 12 ? 12 : Math.min(fitting, 8));
    return new PoolSheet(pool, cell, columns, rows, meshes, perRow);
  }

  int width() {
    return perRow * (meshWidth() + GAP) - GAP;
  }

  int height() {
    return (meshes + perRow - 1) / perRow * (meshHeight() + GAP + label()) - GAP;
  }

  int meshWidth() {
    return columns * cell;
  }

  int meshHeight() {
    return rows * cell;
  }

  private int label() {
    return meshes > 1 ? LABEL : 0;
  }

  /** {@return the left edge of a mesh, from the left edge of the sheet} */
  int left(int mesh) {
    return mesh % perRow * (meshWidth() + GAP);
  }

  /** {@return the upper edge of a mesh, below its number} */
  int top(int mesh) {
    return mesh / perRow * (meshHeight() + GAP + label()) + label();
  }

  /** {@return the square of a host} */
  Cell cell(int host) {
    int width = pool.hostExtent(0);
    int height = pool.hostExtent(1);
    int depth = pool.hostExtent(2);
    int inside = host % (width * height * depth);
    int x = inside % width;
    int y = inside / width % height;
    int z = inside / width / height;
    return switch (pool.kind()) {
      case GRID_2D -> new Cell(0, x, y);
      case GRID_3D_FIXED -> new Cell(z, x, y);
      case CUBES_OCS -> new Cell(host / (width * height * depth), z, x * height + y);
    };
  }

  /** {@return an explanation of the squares, in lines} */
  ImmutableList<String> explanation() {
    String square = "a square is a host of " + pool.hostBox() + " chips";
    return switch (pool.kind()) {
      case GRID_2D -> ImmutableList.of(square + "; x to the right, y down");
      case GRID_3D_FIXED ->
        ImmutableList.of(square + "; x to the right, y down, a layer for each z");
      case CUBES_OCS ->
        ImmutableList.of(
            square + ", a block of 4 by 4 a cube",
            "z to the right; from the top the hosts at (x, y) = (0, 0), (0, 1), (1, 0), (1, 1)");
    };
  }
}
