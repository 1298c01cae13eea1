package io.kueue4j.core.internal.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.AdmissionFairSharing;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FractionalAmountsTest {
  private static final AdmissionFairSharing EQUAL = AdmissionFairSharing.of(Duration.ofDays(1));

  static FractionalAmounts cpu(String amount) {
    return FractionalAmounts.of(Map.of("cpu", new BigDecimal(amount)));
  }

  @Test
  void nothingIsThereOfWhatIsZero() {
    assertThat(FractionalAmounts.of(Map.of("cpu", BigDecimal.ZERO)))
        .isEqualTo(FractionalAmounts.NONE);
    assertThat(cpu("0.0000000009").isEmpty()).isTrue();
    assertThat(cpu("0.000000001").isEmpty()).isFalse();
  }

  @Test
  void whatIsAddedAndTakenOffLeavesNothing() {
    FractionalAmounts some = cpu("1.171572875");
    FractionalAmounts other =
        FractionalAmounts.of(Map.of("memory", new BigDecimal("4294967296.5")));
    assertThat(some.plus(other).minus(some)).isEqualTo(other);
    assertThat(some.plus(other).minus(other).minus(some)).isEqualTo(FractionalAmounts.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 0.5",
    "0.000000001, 0.5, 0",
    "0.000000003, 0.5, 0.000000001",
    "0.000000003, 0.999999999, 0.000000002",
    "2, 0, 0",
    "0.123456789, 1, 0.123456789",
    "0.1, 0.1, 0.01",
    "9223372036854775807, 0.1, 922337203685477580.7"
  })
  void productsAreExactAndCutToNineDecimals(String amount, double factor, String product) {
    assertThat(cpu(amount).times(factor)).isEqualTo(cpu(product));
  }

  @Test
  void scalingDownEndsAtNothing() {
    FractionalAmounts amount = cpu("1000000");
    int steps = 0;
    while (!amount.isEmpty() && steps < 1_000_000) {
      amount = amount.times(0.999);
      steps++;
    }
    assertThat(amount).isEqualTo(FractionalAmounts.NONE);
  }

  @Test
  void weightsMultiplyAndResourcesAdd() {
    FractionalAmounts amounts = FractionalAmounts.of(Map.of(
        "cpu", new BigDecimal("2.5"), "memory", new BigDecimal("1000"), "gpu", BigDecimal.ONE));
    assertThat(amounts.weighted(EQUAL)).isCloseTo(1003.5, within(1e-12));
    assertThat(
            amounts.weighted(EQUAL.withResourceWeight("memory", 0).withResourceWeight("gpu", 10)))
        .isEqualTo(12.5);
    assertThat(FractionalAmounts.NONE.weighted(EQUAL)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0.5,
        0.1,
        0.2928932188134524,
        0.7071067811865476,
        1e-9,
        0x1p-44,
        0.30000000000000004,
        2e-3,
        0.9999999999999999
      })
  void theShortestDecimalStandsForItsDoubleOnly(double value) {
    BigDecimal shortest = FractionalAmounts.shortest(value);
    assertThat(shortest.doubleValue()).isEqualTo(value);
    BigDecimal stripped = shortest.stripTrailingZeros();
    BigDecimal shorter = stripped.round(new MathContext(Math.max(1, stripped.precision() - 1)));
    assertThat(stripped.precision() == 1 || shorter.doubleValue() != value).isTrue();
  }

  @Test
  void factorsAreTakenAsTheirShortestDecimal() {
    // 0.1 as the double that it is would be a little more and give 922337203685477581.2 and so on.
    assertThat(cpu("1000000000000000000").times(0.1)).isEqualTo(cpu("100000000000000000"));
  }

  @Test
  void amountsAreByNameInOrder() {
    assertThat(FractionalAmounts.of(Map.of("b", BigDecimal.ONE, "a", BigDecimal.TEN))
            .byResource())
        .isEqualTo(ImmutableSortedMap.of(
            "a", new BigDecimal("10.000000000"), "b", new BigDecimal("1.000000000")));
  }
}
