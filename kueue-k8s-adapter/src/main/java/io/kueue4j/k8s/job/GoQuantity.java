package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes quantities like the API server: in the given format (powers of 1000, powers of 1024, or an
 * exponent), with the largest suffix that leaves an integer. A text that already looks canonical is
 * kept as it is.
 */
final class GoQuantity {
  /** The digits before and after the decimal point, and the suffix. */
  private static final Pattern TEXT = Pattern.compile("[+-]?0*(\\d*)(?:\\.(\\d*))?(\\D.*)?");

  private static final ImmutableMap<String, Integer> DECIMAL =
      ImmutableMap.<String, Integer>builder()
          .put("n", -9)
          .put("u", -6)
          .put("m", -3)
          .put("", 0)
          .put("k", 3)
          .put("M", 6)
          .put("G", 9)
          .put("T", 12)
          .put("P", 15)
          .put("E", 18)
          .buildOrThrow();
  private static final ImmutableMap<Integer, String> SUFFIXES =
      ImmutableMap.copyOf(DECIMAL.entrySet().stream()
          .collect(
              ImmutableMap.toImmutableMap(entry -> entry.getValue(), entry -> entry.getKey())));
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  private static final BigInteger STEP = BigInteger.valueOf(1024);
  private static final BigDecimal SMALL = BigDecimal.valueOf(1024);
  private static final int GROUP = 3;
  private static final int FINEST = -9;

  /** The maximum number of digits that upstream parses at once; longer texts are never kept. */
  private static final int MAX_DIGITS = 18;

  private static final int MAX_BINARY_DIGITS = 14;

  private GoQuantity() {}

  /** {@return the canonical text of a quantity; an invalid quantity is returned as it is} */
  static String canonical(Quantity quantity) {
    String text = quantity.getAmount() + (quantity.getFormat() == null ? "" : quantity.getFormat());
    Matcher matcher = TEXT.matcher(text);
    BigDecimal value;
    try {
      value = io.kueue4j.core.resource.Quantity.parse(text);
    } catch (IllegalArgumentException e) {
      return text;
    }
    if (!matcher.matches() || value.signum() == 0) {
      return value.signum() == 0 ? "0" : text;
    }
    String whole = matcher.group(1).isEmpty() ? "0" : matcher.group(1);
    String fraction = matcher.group(2) == null ? "" : matcher.group(2);
    String suffix = matcher.group(3) == null ? "" : matcher.group(3);
    if (suffix.endsWith("i")) {
      if (looksBinary(whole, fraction, suffix)) {
        return text;
      }
      boolean exact = value.stripTrailingZeros().scale() <= 0;
      return exact && value.abs().compareTo(SMALL) >= 0
          ? binary(value.toBigIntegerExact())
          : decimal(value, false);
    }
    Integer known = DECIMAL.get(suffix);
    int exponent = known == null ? Integer.valueOf(suffix.substring(1)) : known;
    return looksDecimal(whole, fraction, exponent) ? text : decimal(value, known == null);
  }

  private static boolean looksDecimal(String whole, String fraction, int exponent) {
    int scale = exponent - fraction.length();
    String digits = whole + fraction;
    return digits.length() <= MAX_DIGITS
        && scale >= FINEST
        && scale % GROUP == 0
        && !digits.endsWith("000")
        && digits.charAt(0) != '0';
  }

  private static boolean looksBinary(String whole, String fraction, String suffix) {
    int step = 0;
    while (!BINARY[step].equals(suffix)) {
      step++;
    }
    return fraction.isEmpty()
        && whole.length() + GROUP * step <= MAX_BINARY_DIGITS
        && Long.parseLong(whole) % 8 != 0;
  }

  private static String binary(BigInteger value) {
    BigInteger rest = value;
    int step = 0;
    while (step < BINARY.length - 1 && rest.mod(STEP).signum() == 0) {
      rest = rest.divide(STEP);
      step++;
    }
    return rest + BINARY[step];
  }

  private static String decimal(BigDecimal value, boolean asExponent) {
    BigDecimal shortest = value.stripTrailingZeros();
    int exponent = Math.floorDiv(-shortest.scale(), GROUP) * GROUP;
    String number = shortest.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
    if (asExponent) {
      return exponent == 0 ? number : number + "e" + exponent;
    }
    return number + SUFFIXES.getOrDefault(exponent, "");
  }
}
