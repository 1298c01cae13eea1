package io.kueue4j.core.internal.usage;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.AdmissionFairSharing;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Amounts of resources in base units (cores, bytes), exact to nine decimals. Immutable; absent
 * amounts are 0, and amounts of 0 are absent.
 *
 * <p>Sums are exact, so adding and subtracting the same amounts leaves no residue. Products are
 * rounded down, so repeated decay ends at 0.
 *
 * <p>Rules: W-1, W-6.
 *
 * @param byResource the amounts, none of them 0
 */
public record FractionalAmounts(ImmutableSortedMap<String, BigDecimal> byResource) {
  /** No amounts. */
  public static final FractionalAmounts NONE = new FractionalAmounts(ImmutableSortedMap.of());

  private static final int SCALE = 9;
  private static final double UNIT = 1e-9;

  /** The number of decimal digits that every double can represent. */
  private static final int SURE_DIGITS = 15;

  private static final int MAX_DIGITS = 17;

  /** {@return the given amounts, truncated to nine decimals, without zeros} */
  public static FractionalAmounts of(Map<String, BigDecimal> amounts) {
    ImmutableSortedMap.Builder<String, BigDecimal> kept = ImmutableSortedMap.naturalOrder();
    amounts.forEach((resource, amount) -> {
      BigDecimal cut = amount.setScale(SCALE, RoundingMode.DOWN);
      if (cut.signum() != 0) {
        kept.put(resource, cut);
      }
    });
    ImmutableSortedMap<String, BigDecimal> all = kept.buildOrThrow();
    return all.isEmpty() ? NONE : new FractionalAmounts(all);
  }

  /** {@return whether all amounts are 0} */
  public boolean isEmpty() {
    return byResource.isEmpty();
  }

  /** {@return the sum} */
  public FractionalAmounts plus(FractionalAmounts other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    TreeMap<String, BigDecimal> sum = new TreeMap<>(byResource);
    other.byResource.forEach((resource, amount) -> sum.merge(resource, amount, BigDecimal::add));
    return of(sum);
  }

  /** {@return the difference} */
  public FractionalAmounts minus(FractionalAmounts other) {
    return plus(other.each(BigDecimal::negate));
  }

  /** {@return each amount times {@code factor}, rounded down to nine decimals} */
  public FractionalAmounts times(double factor) {
    return isEmpty() || factor == 1 ? this : times(shortest(factor));
  }

  /** {@return each amount times {@code factor}, rounded down to nine decimals} */
  FractionalAmounts times(BigDecimal factor) {
    return isEmpty() || factor.compareTo(BigDecimal.ONE) == 0
        ? this
        : each(amount -> amount.multiply(factor));
  }

  private FractionalAmounts each(UnaryOperator<BigDecimal> change) {
    TreeMap<String, BigDecimal> changed = new TreeMap<>(byResource);
    changed.replaceAll((resource, amount) -> change.apply(amount));
    return of(changed);
  }

  /** {@return the weighted sum of all amounts, added in the order of names} */
  public double weighted(AdmissionFairSharing settings) {
    double sum = 0;
    for (var entry : byResource.entrySet()) {
      double amount = entry.getValue().unscaledValue().doubleValue() * UNIT;
      sum += settings.resourceWeight(entry.getKey()) * amount;
    }
    return sum;
  }

  /**
   * {@return the shortest decimal that represents {@code value} uniquely} {@link Double#toString}
   * does not return the shortest one before JDK 19, and results must not depend on the JDK.
   */
  static BigDecimal shortest(double value) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = SURE_DIGITS; digits < MAX_DIGITS; digits++) {
      BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (nearest.doubleValue() == value) {
        return nearest;
      }
      // Doubles are closer together below a power of two, so rounding up may be unique as well.
      BigDecimal above = exact.round(new MathContext(digits, RoundingMode.CEILING));
      if (above.doubleValue() == value) {
        return above;
      }
    }
    return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN));
  }
}
