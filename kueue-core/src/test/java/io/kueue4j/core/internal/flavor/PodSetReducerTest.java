package io.kueue4j.core.internal.flavor;

import static io.kueue4j.core.internal.flavor.FlavorFixture.gpus;
import static io.kueue4j.core.internal.flavor.FlavorFixture.pods;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.model.PodSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodSetReducerTest {
  private final FlavorFixture fixture = new FlavorFixture();
  private final List<List<Integer>> probes = new ArrayList<>();

  private static PodSet elastic(String name, int count, int minCount) {
    return pods(name, count).minCount(minCount).requestAmount("gpu", 1).build();
  }

  /** The counts found, null if none. */
  private @Nullable List<Integer> search(
      CompiledWorkload workload, Predicate<List<Integer>> succeeds) {
    return PodSetReducer.search(workload, counts -> {
      List<Integer> probe = List.copyOf(Ints.asList(counts));
      probes.add(probe);
      return succeeds.test(probe) ? probe : null;
    });
  }

  private List<Integer> probesOf(int podSet) {
    return probes.stream().map(counts -> counts.get(podSet)).toList();
  }

  private static int sum(List<Integer> counts) {
    return counts.stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void shrinksSeveralPodSetsInProportion() {
    CompiledWorkload workload =
        fixture.workload(gpus("fixed", 20), elastic("large", 30, 10), elastic("small", 15, 5));

    assertThat(search(workload, counts -> sum(counts) <= 50)).containsExactly(20, 20, 10);
    assertThat(probes)
        .as("steps 15, 7, 11, 13, 14 of 30")
        .containsExactly(
            List.of(20, 20, 10),
            List.of(20, 26, 13),
            List.of(20, 23, 12),
            List.of(20, 22, 11),
            List.of(20, 21, 11));
  }

  @Test
  void findsTheLargestCountThatDoes() {
    CompiledWorkload workload = fixture.workload(elastic("main", 10, 1));

    assertThat(search(workload, counts -> sum(counts) <= 7)).containsExactly(7);
  }

  @Test
  void findsTheFullCountIfItDoes() {
    assertThat(search(fixture.workload(elastic("main", 10, 1)), counts -> true))
        .containsExactly(10);
  }

  @Test
  void goesDownToTheMinimum() {
    assertThat(search(fixture.workload(elastic("main", 10, 1)), counts -> sum(counts) <= 1))
        .containsExactly(1);
  }

  @Test
  void neverGoesBelowTheMinimum() {
    assertThat(search(fixture.workload(elastic("main", 10, 4)), counts -> sum(counts) < 4))
        .isNull();
    assertThat(probesOf(0)).allMatch(count -> count >= 4);
  }

  @Test
  void probesByHalvesWhereSuccessIsMonotone() {
    search(fixture.workload(elastic("main", 11, 1)), counts -> sum(counts) <= 4);

    assertThat(probesOf(0)).as("steps 5, 8, 7, 6 of 10").containsExactly(6, 3, 4, 5);
  }

  @Test
  void missesALargerCountThatDoesWhereSuccessIsNotMonotone() {
    CompiledWorkload workload = fixture.workload(elastic("main", 31, 1));

    assertThat(search(workload, counts -> counts.get(0) == 16 || counts.get(0) == 28))
        .containsExactly(16);
    assertThat(probesOf(0)).as("steps 15, 7, 11, 13, 14").containsExactly(16, 24, 20, 18, 17);
  }

  @Test
  void findsNothingIfItNeverProbesWhatWouldDo() {
    CompiledWorkload workload = fixture.workload(elastic("main", 31, 1));

    assertThat(search(workload, counts -> counts.get(0) == 11)).isNull();
    assertThat(probesOf(0)).as("steps 15, 23, 27, 29, 30").containsExactly(16, 8, 4, 2, 1);
  }

  @Test
  void startsFromAllPodsThoughSomeAreReclaimed() {
    CompiledWorkload workload = fixture.compile(elastic("main", 10, 1), 6);

    assertThat(search(workload, counts -> sum(counts) <= 8)).containsExactly(8);
  }

  @Test
  void countsDoNotOverflow() {
    CompiledWorkload workload = fixture.workload(elastic("main", Integer.MAX_VALUE - 1, 1));

    assertThat(search(workload, counts -> sum(counts) <= 5)).containsExactly(5);
    assertThat(probesOf(0)).first().isEqualTo((1 << 30) - 1);
  }

  @Test
  void triesNothingIfThereIsNothingToShrink() {
    assertThat(search(fixture.workload(gpus("fixed", 3)), counts -> true)).isNull();
    assertThat(probes).isEmpty();
  }
}
