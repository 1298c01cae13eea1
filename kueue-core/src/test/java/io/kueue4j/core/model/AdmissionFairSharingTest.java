package io.kueue4j.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionFairSharingTest {
  private final AdmissionFairSharing weekly = AdmissionFairSharing.of(Duration.ofDays(7));

  @Test
  void defaultsAreThoseOfKueue() {
    assertThat(weekly.usageSamplingInterval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(weekly.resourceWeight("cpu")).isEqualTo(1);
  }

  @Test
  void changesMakeAnotherValue() {
    AdmissionFairSharing changed = weekly
        .withResourceWeight("cpu", 2)
        .withResourceWeight("memory", 0)
        .withResourceWeight("cpu", 3)
        .withUsageSamplingInterval(Duration.ofMinutes(1));
    assertThat(changed.resourceWeights()).containsOnlyKeys("cpu", "memory");
    assertThat(changed.resourceWeight("cpu")).isEqualTo(3);
    assertThat(changed.resourceWeight("memory")).isZero();
    assertThat(changed.usageSamplingInterval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(changed.usageHalfLifeTime()).isEqualTo(Duration.ofDays(7));
    assertThat(weekly.resourceWeights()).isEmpty();
  }

  @Test
  void aHalfLifeOfZeroIsAllowed() {
    assertThat(AdmissionFairSharing.of(Duration.ZERO).usageHalfLifeTime()).isZero();
  }

  @Test
  void whatKueueRefusesIsRefused() {
    assertThatThrownBy(() -> AdmissionFairSharing.of(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("usageHalfLifeTime is PT-1S; expected 0 or more");
    assertThatThrownBy(() -> weekly.withUsageSamplingInterval(Duration.ZERO))
        .hasMessage("usageSamplingInterval is PT0S; expected more than 0");
    assertThatThrownBy(() -> weekly.withUsageSamplingInterval(Duration.ofSeconds(-1)))
        .hasMessageContaining("expected more than 0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
  void weightsAreNumbersOfZeroOrMore(double weight) {
    assertThatThrownBy(() -> weekly.withResourceWeight("cpu", weight))
        .hasMessage("the weight of resource cpu is " + weight + "; expected 0 or more");
  }
}
