package io.kueue4j.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of Kubernetes quantities; rules N-1, N-2 and N-3. */
class QuantityTest {
  private static final String MAX = "9223372036854775807";

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "+7, 7",
    "-7, -7",
    "007, 7",
    "1.5, 1.5",
    "5., 5",
    ".5, 0.5",
    "+.5, 0.5",
    "-0, 0",
    "3n, 0.000000003",
    "3u, 0.000003",
    "3m, 0.003",
    "3k, 3000",
    "3M, 3000000",
    "3G, 3000000000",
    "3T, 3000000000000",
    "3P, 3000000000000000",
    "3E, 3000000000000000000",
    "3Ki, 3072",
    "3Mi, 3145728",
    "3Gi, 3221225472",
    "3Ti, 3298534883328",
    "3Pi, 3377699720527872",
    "3Ei, 3458764513820540928",
    "1Ei, 1152921504606846976",
    "7Ei, 8070450532247928832",
    "9007199254740991Ki, 9223372036854774784",
    "1.5Gi, 1610612736",
    "0.5Ki, 512",
    "1e3, 1000",
    "1E3, 1000",
    "1e+3, 1000",
    "1e-3, 0.001",
    "1.5E2, 150",
    "1E, 1000000000000000000",
    "-1.5k, -1500",
  })
  void readsEverySuffixAndExponentExactly(String text, BigDecimal value) {
    assertThat(Quantity.parse(text)).isEqualByComparingTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", " 1", "1 ", "1 Gi", "+", "-", ".", "+-1", "--1", "1..2", "1.2.3", "1,5", "abc",
        "1K", "1ki", "1KI", "1mi", "1g", "1t", "1Gb", "5Gb", "1GiB", "1kk", "1mk", "m", "Gi", "e3",
        "1e", "1e+", "1e1.5", "1e3k", "1Ee3", "1e 3", "0x10", "1_000", "NaN", "Infinity", "１",
            "1\n",
      })
  void refusesWhatIsNotAQuantity(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantity.parse(text))
        .withMessageContaining("not a quantity");
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, false",
    "9223372036854775808, true",
    "-9223372036854775808, true",
    "9223372036854775.807k, false",
    "8Ei, true",
    "1e64, true",
    "1, false"
  })
  void knowsWhichValuesAreCut(String text, boolean cut) {
    assertThat(Quantity.isBeyondRange(text)).isEqualTo(cut);
  }

  @Test
  void refusesAnAbsurdlyLongTextWithoutRepeatingIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantity.parse("1".repeat(10_000)))
        .withMessageContaining("10000");
  }

  @ParameterizedTest
  @CsvSource({"0.1n, 1n", "1.1n, 2n", "0.0000000001, 1n", "1e-30, 1n", "0.9u, 900n", "1e-999999, 1n"
  })
  void roundsWhatIsFinerThanABillionthUp(String text, String rounded) {
    assertThat(Quantity.parse(text)).isEqualByComparingTo(Quantity.parse(rounded));
  }

  @ParameterizedTest
  @ValueSource(strings = {"8Ei", "9223372036854775808", "1e19", "10E", "1e999999999999", "9000Pi"})
  void cutsWhatIsBeyondTheRange(String text) {
    assertThat(Quantity.parse(text)).isEqualByComparingTo(MAX);
    assertThat(Quantity.parse("-" + text)).isEqualByComparingTo("-" + MAX);
  }

  @Test
  void zeroStaysZeroWhateverItsExponent() {
    assertThat(Quantity.parse("0e999999")).isEqualByComparingTo("0");
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 1, 1000",
    "cpu, 100m, 100",
    "cpu, 0.1m, 1",
    "cpu, 1.0001, 1001",
    "cpu, 2e3, 2000000",
    "memory, 100m, 1",
    "memory, 1.5, 2",
    "memory, 10Gi, 10737418240",
    "nvidia.com/gpu, 4, 4",
    "nvidia.com/gpu, 0.5, 1",
    "CPU, 1, 1",
    "cpu, 9223372036854775, 9223372036854775000",
    "cpu, 9223372036854776, " + MAX,
    "cpu, 1E, " + MAX,
    "memory, 16Ei, " + MAX,
    "cpu, -1E, -9223372036854775808",
  })
  void countsCpuInMilliUnitsAndRoundsUp(String resource, String text, long amount) {
    assertThat(Quantity.amount(resource, text)).isEqualTo(amount);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 10, 10000",
    "cpu, 9223372036854774, 9223372036854774000",
    "cpu, 9223372036854774.9999, 9223372036854775000",
    "cpu, 9223372036854775, " + MAX,
    "cpu, 1E, " + MAX,
    "memory, 9223372036854775806, 9223372036854775806",
    "memory, " + MAX + ", " + MAX,
    "memory, 8Ei, " + MAX,
    "memory, 9223372036854775, 9223372036854775",
    "cpu, 0, 0",
    "cpu, -1, -1000",
  })
  void readsQuotasBeyondTheRangeAsUnlimited(String resource, String text, long quota) {
    assertThat(Quantity.quota(resource, text)).isEqualTo(quota);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 0, 0",
    "cpu, 4500, 4500m",
    "cpu, 4000, 4",
    "cpu, 4000000, 4k",
    "cpu, 1, 1m",
    "cpu, -1500, -1500m",
    "memory, 4831838208, 4608Mi",
    "memory, 1073741824, 1Gi",
    "memory, 1000, 1000",
    "memory, -1024, -1Ki",
    "ephemeral-storage, 2048, 2Ki",
    "hugepages-2Mi, 4194304, 4Mi",
    "nvidia.com/gpu, 24, 24",
    "nvidia.com/gpu, 2000, 2k",
    "nvidia.com/gpu, 1024, 1024",
    "nvidia.com/gpu, 1000000000000000000, 1E",
    "memory, 1152921504606846976, 1Ei",
    "cpu, " + MAX + ", unlimited",
    "memory, " + MAX + ", unlimited",
  })
  void writesTheLargestSuffixThatLeavesNoFraction(String resource, long amount, String text) {
    assertThat(Quantity.format(resource, amount)).isEqualTo(text);
  }
}
