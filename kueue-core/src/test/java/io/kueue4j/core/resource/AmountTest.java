package io.kueue4j.core.resource;

import static io.kueue4j.core.resource.Amount.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule N-4. */
class AmountTest {
  private static final String MAX = "9223372036854775807";
  private static final String ALMOST_MAX = "9223372036854775806";
  private static final String MIN = "-9223372036854775808";

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE - 1, Long.MIN_VALUE})
  void everyAmountButTheGreatestIsLimited(long amount) {
    assertThat(Amount.isUnlimited(amount)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE - 1, Long.MIN_VALUE})
  void unlimitedIsGreaterThanEveryOtherAmount(long amount) {
    assertThat(Amount.isUnlimited(UNLIMITED)).isTrue();
    assertThat(UNLIMITED).isGreaterThan(amount);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "2, 3, 5",
    "-2, 3, 1",
    "-2, -3, -5",
    "0, " + ALMOST_MAX + ", " + ALMOST_MAX,
    "1, " + ALMOST_MAX + ", " + MAX,
    ALMOST_MAX + ", " + ALMOST_MAX + ", " + MAX,
    "-1, " + ALMOST_MAX + ", 9223372036854775805",
    "-1, " + MIN + ", " + MIN,
    MIN + ", " + MIN + ", " + MIN,
    "0, " + MIN + ", " + MIN,
    ALMOST_MAX + ", " + MIN + ", -2",
    "0, " + MAX + ", " + MAX,
    "-1, " + MAX + ", " + MAX,
    MIN + ", " + MAX + ", " + MAX,
    MAX + ", " + MAX + ", " + MAX,
  })
  void addsEitherWayRound(long a, long b, long sum) {
    assertThat(Amount.add(a, b)).isEqualTo(sum);
    assertThat(Amount.add(b, a)).isEqualTo(sum);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "5, 3, 2",
    "3, 5, -2",
    "-3, -5, 2",
    MAX + ", " + MAX + ", 0",
    MAX + ", 1, " + MAX,
    MAX + ", -1, " + MAX,
    MAX + ", " + MIN + ", " + MAX,
    "0, " + MAX + ", " + MIN,
    ALMOST_MAX + ", " + MAX + ", " + MIN,
    MIN + ", " + MAX + ", " + MIN,
    ALMOST_MAX + ", " + ALMOST_MAX + ", 0",
    ALMOST_MAX + ", -1, " + MAX,
    ALMOST_MAX + ", " + MIN + ", " + MAX,
    MIN + ", 1, " + MIN,
    MIN + ", " + MIN + ", 0",
    "-1, " + MIN + ", " + MAX,
    "-2, " + ALMOST_MAX + ", " + MIN,
    "-3, " + ALMOST_MAX + ", " + MIN,
  })
  void subtracts(long a, long b, long difference) {
    assertThat(Amount.subtract(a, b)).isEqualTo(difference);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 5, 0",
    "3, 4, 12",
    "-3, 4, -12",
    "-3, -4, 12",
    "4611686018427387904, 2, " + MAX,
    "-4611686018427387904, 2, " + MIN,
    "4611686018427387903, 2, " + ALMOST_MAX,
    "-4611686018427387905, 2, " + MIN,
    "4294967296, 2147483648, " + MAX,
    "4294967296, 4294967296, " + MAX,
    "-4294967296, 4294967296, " + MIN,
    MAX + ", 0, 0",
    MAX + ", 1, " + MAX,
    MAX + ", 2, " + MAX,
    MAX + ", " + MAX + ", " + MAX,
    MIN + ", 1, " + MIN,
    MIN + ", 2, " + MIN,
    MIN + ", " + MIN + ", " + MAX,
  })
  void multipliesEitherWayRound(long amount, long count, long product) {
    assertThat(Amount.multiply(amount, count)).isEqualTo(product);
    assertThat(Amount.multiply(count, amount)).isEqualTo(product);
  }
}
