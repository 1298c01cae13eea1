package io.kueue4j.examples.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.examples.tpu.PoolSheet.Cell;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How hosts become squares, and squares rectangles. */
final class CellBoxTest {
  private static final TpuPool CUBES = TpuPool.cubes("block", TpuGeneration.V7X, 3);

  private static ImmutableList<CellBox> boxes(TpuPool pool, IntStream hosts) {
    PoolSheet sheet = PoolSheet.of(pool, 1);
    return CellBox.cover(hosts.mapToObj(sheet::cell).toList());
  }

  @Test
  void aBoxOfAGridIsOneRectangle() {
    TpuPool pod = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(16, 16), 4);
    assertThat(boxes(pod, IntStream.of(18, 19, 26, 27, 34, 35)))
        .containsExactly(new CellBox(0, 2, 2, 2, 3));
  }

  @Test
  void anAlignedPartOfACubeIsOneRectangle() {
    assertThat(boxes(CUBES, IntStream.of(16, 20, 24, 28)))
        .containsExactly(new CellBox(1, 0, 0, 4, 1));
    assertThat(boxes(CUBES, IntStream.of(16, 20))).containsExactly(new CellBox(1, 0, 0, 2, 1));
    assertThat(boxes(CUBES, IntStream.of(17, 19, 21, 23, 25, 27, 29, 31)))
        .containsExactly(new CellBox(1, 0, 2, 4, 2));
    assertThat(boxes(CUBES, IntStream.range(32, 48))).containsExactly(new CellBox(2, 0, 0, 4, 4));
  }

  @Test
  void aSliceAcrossTheSeamOfATorusIsSeveral() {
    TpuPool torus = TpuPool.torus("torus", TpuGeneration.V4, SliceShape.of(8, 8, 8));
    assertThat(boxes(torus, IntStream.of(3, 0, 7, 4)))
        .containsExactly(new CellBox(0, 0, 0, 1, 2), new CellBox(0, 3, 0, 1, 2));
    assertThat(boxes(torus, IntStream.of(16 * 5))).containsExactly(new CellBox(5, 0, 0, 1, 1));
  }

  @Test
  void eachHostHasASquareOfItsOwn() {
    Stream.of(CUBES, TpuPool.torus("torus", TpuGeneration.V4, SliceShape.of(8, 8, 8)))
        .forEach(pool -> {
          PoolSheet sheet = PoolSheet.of(pool, 1);
          Set<Cell> cells = new HashSet<>();
          for (int host = 0; host < pool.hosts(); host++) {
            Cell cell = sheet.cell(host);
            assertThat(cells.add(cell)).isTrue();
            assertThat(cell.mesh()).isBetween(0, sheet.meshes() - 1);
            assertThat(cell.column()).isBetween(0, sheet.columns() - 1);
            assertThat(cell.row()).isBetween(0, sheet.rows() - 1);
          }
        });
  }

  @Test
  void rectanglesCoverWhatTheyShallAndNothingTwice() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      Set<Cell> cells = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        cells.add(new Cell(random.nextInt(2), random.nextInt(5), random.nextInt(5)));
      }
      List<Cell> covered = new ArrayList<>();
      for (CellBox box : CellBox.cover(cells)) {
        for (int x = 0; x < box.columns(); x++) {
          for (int y = 0; y < box.rows(); y++) {
            covered.add(new Cell(box.mesh(), box.column() + x, box.row() + y));
          }
        }
      }
      assertThat(covered).containsExactlyInAnyOrderElementsOf(cells);
    }
  }
}
