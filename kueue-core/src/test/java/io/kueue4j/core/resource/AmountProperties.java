package io.kueue4j.core.resource;

import static io.kueue4j.core.resource.Amount.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Rule N-4 against arithmetic without bounds. */
class AmountProperties {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  @Property
  void sumsOfBoundedAmountsAreExactOrSaturated(@ForAll long a, @ForAll long b) {
    long expected = a == UNLIMITED || b == UNLIMITED ? UNLIMITED : clamp(big(a).add(big(b)));
    assertThat(Amount.add(a, b)).isEqualTo(expected);
  }

  @Property
  void differencesOfBoundedAmountsAreExactOrSaturated(@ForAll long a, @ForAll long b) {
    long expected = clamp(big(a).subtract(big(b)));
    if (a == UNLIMITED || b == UNLIMITED) {
      expected = a == b ? 0 : a == UNLIMITED ? UNLIMITED : Long.MIN_VALUE;
    }
    assertThat(Amount.subtract(a, b)).isEqualTo(expected);
  }

  @Property
  void productsAreExactOrSaturated(@ForAll long amount, @ForAll long count) {
    assertThat(Amount.multiply(amount, count)).isEqualTo(clamp(big(amount).multiply(big(count))));
  }

  @Property
  void whatWasAddedCanBeTakenAwayUnlessTheSumSaturated(@ForAll int a, @ForAll int b) {
    assertThat(Amount.subtract(Amount.add(a, b), b)).isEqualTo(a);
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static long clamp(BigInteger value) {
    return value.max(MIN).min(MAX).longValueExact();
  }
}
