package io.kueue4j.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kueue4j.core.decision.ClusterQueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrowthTest {
  @ParameterizedTest
  @EnumSource
  void everyRoundFindsTheClusterAsLargeAsTheOneBefore(GrowthSeries series) {
    int size = series.sizes().get(0);
    GrowingCluster cluster = series.prepare(size);
    series.round(cluster, size);
    List<Integer> before = sizes(cluster);

    for (int i = 0; i < 5; i++) {
      long spent = cluster.measured().nanos();
      series.round(cluster, size);

      assertThat(sizes(cluster)).isEqualTo(before);
      assertThat(cluster.measured().nanos()).isGreaterThan(spent);
    }
    assertThat(before.get(0)).as("running").isPositive();
  }

  private static List<Integer> sizes(GrowingCluster cluster) {
    List<ClusterQueueView> queues = cluster.engine().view().clusterQueues();
    return List.of(
        queues.stream().mapToInt(queue -> queue.admitted().size()).sum(),
        queues.stream().mapToInt(ClusterQueueView::waitingCount).sum());
  }

  @Test
  void fitsThePowerThatTimeGrowsWith() {
    assertThat(Growth.power(points(10, 100, 1_000))).isEqualTo(1, within(1e-6));
    assertThat(Growth.power(points(10, 1_000, 100_000))).isEqualTo(2, within(1e-6));
    assertThat(Growth.power(points(7, 7, 7))).isEqualTo(0, within(1e-6));
  }

  /** Of sizes 1, 10 and 100. */
  private static List<Growth.Point> points(long... nanos) {
    return Stream.iterate(0, i -> i + 1)
        .limit(nanos.length)
        .map(i -> new Growth.Point((int) Math.pow(10, i), new Cost(0, nanos[i], 0)))
        .toList();
  }

  @Test
  void reportsHowLongSingleCallsTake() {
    List<String> lines = new ArrayList<>();

    Latency.print(1_000, 1_000, lines::add);

    assertThat(lines).hasSize(7);
    assertThat(lines.get(0)).startsWith("1,000 pending workloads in 1,000 ClusterQueues");
    assertThat(lines.subList(1, 7)).allMatch(line -> line.matches(".*p50 .*, p99 .*, p99.9 .*"));
  }

  @Test
  void aPercentileIsNoLessThanItsPartOfTheValues() {
    long[] values = {40, 10, 30, 20};

    assertThat(Latency.percentile(values, 0.5)).isEqualTo(20);
    assertThat(Latency.percentile(values, 0.51)).isEqualTo(30);
    assertThat(Latency.percentile(values, 0.999)).isEqualTo(40);
    assertThat(Latency.percentile(values, 0)).isEqualTo(10);
  }

  @Test
  void tellsTheFootprintOfPendingWorkloads() {
    List<String> lines = new ArrayList<>();

    PendingHeap.print(2_000, 30, lines::add);

    assertThat(lines).singleElement().asString().startsWith("2,000 pending workloads of 30 shapes");
  }
}
