package io.kueue4j.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users want and get, and how fair that is. */
class DemandSeriesTest {
  private static SimulationJob job(String user, long submit, long seconds, int cores) {
    return SimulationJob.builder()
        .workload(Workload.builder()
            .namespace("ns")
            .name(user + submit)
            .queueName("queue")
            .addPodSets(
                PodSet.builder().count(1).request("cpu", String.valueOf(cores)).build())
            .build())
        .submitTime(Instant.ofEpochSecond(submit))
        .duration(Duration.ofSeconds(seconds))
        .user(user)
        .build();
  }

  private static Simulation twoUsers() {
    return Simulation.builder()
        .configuration(
            ResourceFlavor.of("default"),
            ClusterQueue.builder()
                .name("queue")
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(
                    ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.of("cpu", "4"))))
                .build(),
            LocalQueue.of("ns", "queue", "queue"))
        .trace(List.of(job("a", 0, 10, 4), job("b", 5, 10, 2)))
        .build();
  }

  @Test
  void theReportSaysHowMuchOfTheSimulationItHasRepeated() {
    SimulationResult result = twoUsers().run();
    About about = new About("title", ImmutableList.of(), "command", "version");
    List<Double> parts = new ArrayList<>();
    assertThat(SimulationReport.write(result, about, parts::add)).isNotEmpty();
    assertThat(parts)
        .isSorted()
        .hasSizeGreaterThanOrEqualTo(100)
        .startsWith(0.0)
        .last()
        .satisfies(last -> assertThat(last).isBetween(0.98, 1.0));

    parts.clear();
    assertThat(ComparisonReport.write(Comparison.of(result, result), about, parts::add))
        .isNotEmpty();
    assertThat(parts).isSorted().hasSizeGreaterThanOrEqualTo(200).startsWith(0.0);
    assertThat(parts.get(parts.size() - 1)).isBetween(0.98, 1.0);
  }

  @Test
  void aUserWantsWhatRunsAndWhatWaits() {
    ImmutableSortedMap<String, DemandSeries> demands = DemandSeries.by(
        twoUsers().run(), new Intervals(0, 20_000, 4), job -> job.job().user());
    assertThat(demands)
        .hasEntrySatisfying("a", of -> {
          assertThat(of.used().asList()).containsExactly(1.0, 1.0, 0.0, 0.0);
          assertThat(of.wanted().asList()).containsExactly(1.0, 1.0, 0.0, 0.0);
        })
        .hasEntrySatisfying("b", of -> {
          assertThat(of.used().asList()).containsExactly(0.0, 0.0, 0.5, 0.5);
          assertThat(of.wanted().asList()).containsExactly(0.0, 0.5, 0.5, 0.5);
          assertThat(of.meanUsed()).isEqualTo(0.25);
        });
    assertThat(DemandSeries.fairness(demands.values(), 4)).containsExactly(1, 0.5, 1, 1);
  }

  @Test
  void partsOfTheDemandAreCompared() {
    DemandSeries small = demand(0.1, 0.1);
    DemandSeries large = demand(0.9, 0.9);
    DemandSeries half = demand(0.2, 0.4);
    DemandSeries idle = demand(0, 0);
    assertThat(DemandSeries.fairness(List.of(small, large, idle), 1)).containsExactly(1);
    // (1 + 0.5)² / (2 (1² + 0.5²))
    assertThat(DemandSeries.fairness(List.of(small, half), 1)[0]).isEqualTo(0.9, offset(1e-9));
    assertThat(DemandSeries.fairness(List.of(demand(0, 1), demand(0, 1)), 1))
        .containsExactly(Double.NaN);
    assertThat(DemandSeries.fairness(ImmutableList.of(idle), 1)).containsExactly(Double.NaN);
  }

  private static DemandSeries demand(double used, double wanted) {
    return new DemandSeries(ImmutableDoubleArray.of(used), ImmutableDoubleArray.of(wanted));
  }

  @Test
  void amountsAreSpreadOverIntervals() {
    Intervals samples = new Intervals(100, 400, 3);
    double[] means = new double[3];
    samples.addTo(means, 150, 350, 2);
    assertThat(means).containsExactly(1, 2, 1);
    samples.addTo(means, 100, 100, 5);
    samples.addTo(means, 399, 400, 100);
    assertThat(means).containsExactly(1, 2, 2);
    assertThat(samples.seconds().asList()).containsExactly(0.1, 0.2, 0.3, 0.4);
  }
}
