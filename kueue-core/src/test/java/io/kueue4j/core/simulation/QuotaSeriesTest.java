package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.simulation.SimulationResult.QuotaSeries;
import org.junit.jupiter.api.Test;

class QuotaSeriesTest {
  /** Queues a, b and c below one root; alone is below none. Job by job, a borrows from b and c. */
  private final SimulationResult result = Simulation.builder()
      .configuration(
          ResourceFlavor.of("default"),
          Cohort.builder().name("left").parent("root").build(),
          Jobs.clusterQueue("a", 2).cohort("left").build(),
          Jobs.clusterQueue("b", 2).cohort("left").build(),
          Jobs.clusterQueue("c", 4)
              .cohort("root")
              .resourceGroups(ImmutableList.of(ResourceGroup.of(FlavorQuotas.of(
                  "default", ResourceQuota.of("cpu", "4"), ResourceQuota.of("gpu", "9")))))
              .build(),
          Jobs.clusterQueue("alone", 9).build(),
          Jobs.localQueue("a"),
          Jobs.localQueue("c"),
          Jobs.localQueue("alone"))
      .trace(ImmutableList.of(
          job("one", "a", 2, 0, 100).build(),
          job("two", "a", 3, 10, 50).build(),
          job("three", "c", 1, 20, 10).build(),
          job("four", "alone", 9, 0, 10).build()))
      .build()
      .run();

  private QuotaSeries series(String queue) {
    return result.quotas().stream()
        .filter(each -> each.clusterQueue().equals(queue))
        .findFirst()
        .orElseThrow();
  }

  private static String steps(StepFunction function) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < function.size(); i++) {
      text.append(i == 0 ? "" : " ")
          .append((function.timeMillis(i) - Jobs.START.toEpochMilli()) / 1000)
          .append(':')
          .append(function.value(i));
    }
    return text.toString();
  }

  @Test
  void functionsWithTheSameStepsAreEqual() {
    StepFunction borrowed = series("a").borrowed();
    assertThat(series("a").borrowed()).isEqualTo(borrowed).hasSameHashCodeAs(borrowed);
    assertThat(series("a").used()).isNotEqualTo(borrowed);
    assertThat(series("b").lent()).isNotEqualTo(series("c").lent());
  }

  @Test
  void whatIsBorrowedIsLentInProportionToWhatIsUnused() {
    assertThat(steps(series("a").used())).isEqualTo("0:2000 10:5000 60:2000 100:0");
    assertThat(steps(series("a").borrowed())).isEqualTo("10:3000 60:0");
    assertThat(steps(series("a").lent())).isEmpty();
    // Of 2 + 4 unused cores, and of 2 + 3 while job three runs.
    assertThat(steps(series("b").lent())).isEqualTo("10:1000 20:1200 30:1000 60:0");
    assertThat(steps(series("c").lent())).isEqualTo("10:2000 20:1800 30:2000 60:0");
    assertThat(steps(series("alone").lent())).isEmpty();
    assertThat(steps(series("alone").used())).isEqualTo("0:9000 10:0");
  }

  @Test
  void functionsCanBeAddedAndAveraged() {
    StepFunction all = StepFunction.sum(
        ImmutableList.of(series("a").used(), series("c").used(), series("alone").used()));

    assertThat(steps(all)).isEqualTo("0:11000 10:5000 20:6000 30:5000 60:2000 100:0");
    assertThat(all.max()).isEqualTo(11_000);
    assertThat(all.mean(at(0).toEpochMilli(), at(20).toEpochMilli())).isEqualTo(8_000);
    assertThat(all.mean(at(15).toEpochMilli(), at(25).toEpochMilli())).isEqualTo(5_500);
    assertThat(all.mean(at(-10).toEpochMilli(), at(10).toEpochMilli())).isEqualTo(5_500);
    assertThat(all.mean(at(5).toEpochMilli(), at(5).toEpochMilli())).isZero();
    assertThat(all.at(at(-1).toEpochMilli())).isZero();
    assertThat(all.at(at(29).toEpochMilli())).isEqualTo(6_000);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> all.value(6));
    assertThat(steps(StepFunction.sum(ImmutableList.of()))).isEmpty();
  }
}
