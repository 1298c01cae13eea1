package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.tpu.PoolSheet.Cell;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * A rectangle of squares in one mesh.
 *
 * @param mesh the mesh
 * @param column its left column
 * @param row its upper row
 * @param columns how many columns it has
 * @param rows how many rows it has
 */
record CellBox(int mesh, int column, int row, int columns, int rows) {
  /** {@return rectangles that cover exactly these squares, from the upper left on} */
  static ImmutableList<CellBox> cover(Collection<Cell> cells) {
    Set<Cell> left = new HashSet<>(cells);
    ImmutableList.Builder<CellBox> boxes = ImmutableList.builder();
    for (Cell cell : cells.stream()
        .sorted(Comparator.comparingInt(Cell::mesh)
            .thenComparingInt(Cell::row)
            .thenComparingInt(Cell::column))
        .toList()) {
      if (left.contains(cell)) {
        CellBox box = largestAt(cell, left);
        boxes.add(box);
        box.cells().forEach(left::remove);
      }
    }
    return boxes.build();
  }

  /**
   * {@return the rectangle at {@code cell} that is as wide as possible, then as high as possible}
   */
  private static CellBox largestAt(Cell cell, Set<Cell> cells) {
    CellBox box = new CellBox(cell.mesh(), cell.column(), cell.row(), 1, 1);
    CellBox wider = box;
    while (cells.containsAll(wider.cells())) {
      box = wider;
      wider = new CellBox(box.mesh, box.column, box.row, box.columns + 1, 1);
    }
    CellBox higher = box;
    while (cells.containsAll(higher.cells())) {
      box = higher;
      higher = new CellBox(box.mesh, box.column, box.row, box.columns, box.rows + 1);
    }
    return box;
  }

  private ImmutableList<Cell> cells() {
    ImmutableList.Builder<Cell> cells = ImmutableList.builder();
    for (int y = 0; y < rows; y++) {
      for (int x = 0; x < columns; x++) {
        cells.add(new Cell(mesh, column + x, row + y));
      }
    }
    return cells.build();
  }
}
