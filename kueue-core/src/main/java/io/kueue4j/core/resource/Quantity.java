package io.kueue4j.core.resource;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableMap;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Converts Kubernetes quantities such as {@code 1500m}, {@code 10Gi} or {@code 2e3} to amounts and
 * back, exactly.
 *
 * <pre>{@code
 * Quantity.amount("cpu", "1500m");     // 1500, milli-units
 * Quantity.amount("memory", "10Gi");   // 10737418240, bytes
 * Quantity.format("memory", 1L << 30); // "1Gi"
 * }</pre>
 *
 * <p>The grammar is the same as in {@code k8s.io/apimachinery}: a sign, decimal digits with an
 * optional point, and one suffix of {@code n u m k M G T P E}, {@code Ki Mi Gi Ti Pi Ei}, or an
 * exponent after {@code e} or {@code E}. Values finer than one billionth are rounded away from zero
 * and values beyond {@code 2^63 - 1} are clamped to it, as in the API server.
 *
 * <p>Rules: N-2, N-3.
 *
 * @since 0.1.0
 */
public final class Quantity {
  private static final BigDecimal MAX_VALUE = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal MILLI_UNITS = BigDecimal.valueOf(1000);
  private static final long UNLIMITED_CPU_UNITS = Long.MAX_VALUE / 1000;
  private static final int FINEST_SCALE = 9;

  /**
   * A value with a larger exponent is clamped to the maximum or rounded to one billionth anyway.
   */
  private static final int MAX_EXPONENT = 64;

  /**
   * The grammar sets no bound; no real quantity comes near this length, and longer text is costly
   * to parse.
   */
  private static final int MAX_LENGTH = 256;

  private static final CharMatcher DIGIT = CharMatcher.inRange('0', '9');
  private static final ImmutableMap<String, BigDecimal> SUFFIXES = suffixes();
  private static final String[] DECIMAL_SUFFIXES = {"", "k", "M", "G", "T", "P", "E"};
  private static final String[] BINARY_SUFFIXES = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

  private Quantity() {}

  /**
   * Parses a quantity.
   *
   * @param text the quantity, for example {@code 100m}
   * @return its exact value
   * @throws IllegalArgumentException if {@code text} is not a quantity
   */
  public static BigDecimal parse(String text) {
    BigDecimal magnitude = limit(magnitude(text));
    return text.startsWith("-") ? magnitude.negate() : magnitude;
  }

  private static BigDecimal parse(String resource, String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(resource + ": " + e.getMessage(), e);
    }
  }

  /**
   * {@return whether {@link #parse} clamps {@code text} because its value does not fit in 64 bits}
   *
   * @throws IllegalArgumentException if {@code text} is not a quantity
   */
  public static boolean isBeyondRange(String text) {
    return magnitude(text).compareTo(MAX_VALUE) > 0;
  }

  /** {@return the exact absolute value of {@code text}, neither clamped nor rounded} */
  private static BigDecimal magnitude(String text) {
    checkArgument(
        text.length() <= MAX_LENGTH,
        "quantity of %s characters, expected at most %s",
        text.length(),
        MAX_LENGTH);
    int start = text.startsWith("+") || text.startsWith("-") ? 1 : 0;
    int end = start;
    while (end < text.length() && (DIGIT.matches(text.charAt(end)) || text.charAt(end) == '.')) {
      end++;
    }
    String number = text.substring(start, end);
    checkQuantity(DIGIT.matchesAnyOf(number) && CharMatcher.is('.').countIn(number) <= 1, text);
    BigDecimal mantissa = new BigDecimal(number.endsWith(".") ? number + "0" : number);
    return scaled(mantissa, text.substring(end), text);
  }

  /**
   * Parses a requested quantity.
   *
   * @param resource the resource, which decides the unit
   * @param text the quantity
   * @return the amount, rounded away from zero and clamped to the 64-bit range
   * @throws IllegalArgumentException if {@code text} is not a quantity
   */
  public static long amount(String resource, String text) {
    return amount(resource, parse(resource, text));
  }

  /**
   * {@return {@code value} units of {@code resource} as an amount, rounded away from zero and
   * clamped to 64 bits}
   */
  public static long amount(String resource, BigDecimal value) {
    BigDecimal units =
        ResourceNames.isCountedInMilliUnits(resource) ? value.multiply(MILLI_UNITS) : value;
    BigInteger rounded = units.setScale(0, RoundingMode.UP).toBigInteger();
    if (rounded.bitLength() > 63) {
      return rounded.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return rounded.longValue();
  }

  /**
   * Parses the quantity of a quota or limit.
   *
   * @param resource the resource, which decides the unit
   * @param text the quantity
   * @return the amount; {@link Amount#UNLIMITED} where Kueue reads the value as unlimited
   * @throws IllegalArgumentException if {@code text} is not a quantity
   */
  public static long quota(String resource, String text) {
    BigDecimal value = parse(resource, text);
    boolean milli = ResourceNames.isCountedInMilliUnits(resource);
    BigDecimal bound = milli ? BigDecimal.valueOf(UNLIMITED_CPU_UNITS) : MAX_VALUE;
    return value.compareTo(bound) >= 0 ? Amount.UNLIMITED : amount(resource, value);
  }

  /**
   * Formats an amount in the canonical form of Kubernetes: with the largest suffix that leaves no
   * fraction.
   *
   * @param resource the resource, which decides the unit and the kind of suffix
   * @param amount the amount
   * @return for example {@code 4500m}, {@code 4608Mi} or {@code 24}; {@code unlimited} for
   *     {@link Amount#UNLIMITED}
   */
  public static String format(String resource, long amount) {
    if (amount == Amount.UNLIMITED) {
      return "unlimited";
    }
    if (ResourceNames.isCountedInMilliUnits(resource)) {
      return amount % 1000 == 0 ? format(amount / 1000, 1000, DECIMAL_SUFFIXES) : amount + "m";
    }
    return ResourceNames.isCountedInBytes(resource)
        ? format(amount, 1024, BINARY_SUFFIXES)
        : format(amount, 1000, DECIMAL_SUFFIXES);
  }

  private static String format(long amount, long step, String[] suffixes) {
    long rest = amount;
    int suffix = 0;
    while (rest != 0 && rest % step == 0 && suffix < suffixes.length - 1) {
      rest /= step;
      suffix++;
    }
    return rest + suffixes[suffix];
  }

  private static BigDecimal scaled(BigDecimal mantissa, String suffix, String text) {
    BigDecimal factor = SUFFIXES.get(suffix);
    if (factor != null) {
      return mantissa.multiply(factor);
    }
    checkQuantity(suffix.startsWith("e") || suffix.startsWith("E"), text);
    String exponent = suffix.substring(1);
    String digits =
        exponent.startsWith("+") || exponent.startsWith("-") ? exponent.substring(1) : exponent;
    checkQuantity(!digits.isEmpty() && DIGIT.matchesAllOf(digits), text);
    BigInteger wanted = new BigInteger(digits);
    int power = wanted.min(BigInteger.valueOf(MAX_EXPONENT + (long) MAX_LENGTH)).intValue();
    return mantissa.scaleByPowerOfTen(exponent.startsWith("-") ? -power : power);
  }

  private static BigDecimal limit(BigDecimal magnitude) {
    if (magnitude.compareTo(MAX_VALUE) > 0) {
      return MAX_VALUE;
    }
    return magnitude.scale() > FINEST_SCALE
        ? magnitude.setScale(FINEST_SCALE, RoundingMode.UP)
        : magnitude;
  }

  private static void checkQuantity(boolean valid, String text) {
    checkArgument(
        valid, "\"%s\" is not a quantity, expected for example 2, 500m, 1.5, 10Gi or 2e3", text);
  }

  private static ImmutableMap<String, BigDecimal> suffixes() {
    ImmutableMap.Builder<String, BigDecimal> suffixes = ImmutableMap.builder();
    suffixes.put("", BigDecimal.ONE).put("n", BigDecimal.ONE.movePointLeft(9));
    suffixes.put("u", BigDecimal.ONE.movePointLeft(6)).put("m", BigDecimal.ONE.movePointLeft(3));
    String letters = "kMGTPE";
    for (int i = 0; i < letters.length(); i++) {
      suffixes.put(letters.substring(i, i + 1), BigDecimal.ONE.scaleByPowerOfTen(3 * (i + 1)));
      String binary = (i == 0 ? "K" : letters.substring(i, i + 1)) + "i";
      suffixes.put(binary, new BigDecimal(BigInteger.ONE.shiftLeft(10 * (i + 1))));
    }
    return suffixes.buildOrThrow();
  }
}
