package io.kueue4j.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

/** Quantities against computation with decimals without bounds; rules N-2 and N-3. */
class QuantityProperties {
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal BILLIONTH = new BigDecimal("1e-9");
  private static final Map<String, BigDecimal> FACTORS = Map.ofEntries(
      Map.entry("", BigDecimal.ONE),
      Map.entry("n", new BigDecimal("1e-9")),
      Map.entry("u", new BigDecimal("1e-6")),
      Map.entry("m", new BigDecimal("1e-3")),
      Map.entry("k", new BigDecimal("1e3")),
      Map.entry("M", new BigDecimal("1e6")),
      Map.entry("G", new BigDecimal("1e9")),
      Map.entry("T", new BigDecimal("1e12")),
      Map.entry("P", new BigDecimal("1e15")),
      Map.entry("E", new BigDecimal("1e18")),
      Map.entry("Ki", new BigDecimal(2).pow(10)),
      Map.entry("Mi", new BigDecimal(2).pow(20)),
      Map.entry("Gi", new BigDecimal(2).pow(30)),
      Map.entry("Ti", new BigDecimal(2).pow(40)),
      Map.entry("Pi", new BigDecimal(2).pow(50)),
      Map.entry("Ei", new BigDecimal(2).pow(60)),
      Map.entry("e-12", new BigDecimal("1e-12")),
      Map.entry("e7", new BigDecimal("1e7")),
      Map.entry("E+25", new BigDecimal("1e25")));

  /** A quantity as text, and its value before Kubernetes' limits. */
  record Written(String text, BigDecimal value) {}

  @Property
  void parsesWhatIndependentArithmeticGives(@ForAll @From("quantities") Written quantity) {
    BigDecimal magnitude = quantity.value().abs().min(MAX);
    BigDecimal expected =
        magnitude.divide(BILLIONTH, 0, RoundingMode.CEILING).multiply(BILLIONTH).min(MAX);
    assertThat(Quantity.parse(quantity.text()).abs()).isEqualByComparingTo(expected);
    assertThat(Quantity.parse(quantity.text()).signum())
        .isEqualTo(quantity.value().signum());
  }

  @Property
  void requestsAreNeverRoundedDown(@ForAll @From("quantities") Written quantity) {
    BigDecimal cores = quantity.value().abs();
    long amount = Quantity.amount("cpu", quantity.text().replace("-", ""));
    if (amount < Long.MAX_VALUE) {
      assertThat(BigDecimal.valueOf(amount)).isGreaterThanOrEqualTo(cores.movePointRight(3));
    }
  }

  @Property
  void formattedAmountsReadBackAsThemselves(
      @ForAll @From("resources") String resource,
      @ForAll @LongRange(min = -Long.MAX_VALUE, max = Long.MAX_VALUE - 1) long amount) {
    String text = Quantity.format(resource, amount);
    assertThat(Quantity.amount(resource, text)).as(text).isEqualTo(amount);
  }

  @Property
  void roundAmountsReadBackAsThemselves(
      @ForAll @From("resources") String resource,
      @ForAll @LongRange(min = -1000, max = 1000) long mantissa,
      @ForAll @From("roundFactors") long factor) {
    String text = Quantity.format(resource, mantissa * factor);
    assertThat(Quantity.amount(resource, text)).as(text).isEqualTo(mantissa * factor);
  }

  @Property
  void junkIsRefusedInOneWayOnly(@ForAll @StringLength(max = 12) String junk) {
    assertParsesOrRefuses(junk);
  }

  @Property
  void nearQuantitiesAreReadOrRefused(@ForAll @From("almostQuantities") String text) {
    assertParsesOrRefuses(text);
  }

  private static void assertParsesOrRefuses(String text) {
    boolean wellFormed = text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)"
        + "(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]+)?");
    boolean parsed;
    try {
      BigDecimal unused = Quantity.parse(text);
      parsed = true;
    } catch (IllegalArgumentException expected) {
      assertThat(expected).isExactlyInstanceOf(IllegalArgumentException.class);
      parsed = false;
    }
    assertThat(parsed).as(text).isEqualTo(wellFormed);
  }

  @Provide
  Arbitrary<Written> quantities() {
    Arbitrary<String> sign = Arbitraries.of("", "+", "-");
    Arbitrary<String> whole = Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(19);
    Arbitrary<String> fraction =
        Arbitraries.strings().numeric().ofMaxLength(14).map(digits -> "." + digits);
    Arbitrary<String> suffix = Arbitraries.of(FACTORS.keySet().stream().sorted().toList());
    return Combinators.combine(
            sign, whole, Arbitraries.oneOf(Arbitraries.just(""), fraction), suffix)
        .as((s, w, f, x) -> {
          String number = w + f;
          BigDecimal value = new BigDecimal(number.endsWith(".") ? number + "0" : number)
              .multiply(FACTORS.getOrDefault(x, BigDecimal.ONE));
          return new Written(s + number + x, s.equals("-") ? value.negate() : value);
        });
  }

  @Provide
  Arbitrary<String> resources() {
    return Arbitraries.of("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "hugepages-2Mi");
  }

  @Provide
  Arbitrary<Long> roundFactors() {
    return Arbitraries.of(
        1L, 1000L, 1_000_000L, 1_000_000_000_000_000L, 1L << 10, 1L << 20, 1L << 30, 1L << 50);
  }

  @Provide
  Arbitrary<String> almostQuantities() {
    return Arbitraries.strings().withChars("0123456789.+-eEnumkKMGTPi").ofMaxLength(7);
  }
}
