package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexRangesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "10 | 0-3,5 | -       | 5",
        "10 | 0-3   | 2-5     | 6",
        "4  | 0-9   | -       | 4",
        "4  | 5,6   | 4       | 0",
        "10 | 3-1,x,4-y,,7 | - | 1",
        "0  | 0-3   | 1       | 0",
        "10 | -     | -       | 0",
        "10 | 0,1,2 | 0-2     | 3"
      })
  void countsEachIndexOnce(int completions, String completed, String failed, int expected) {
    assertThat(IndexRanges.countBelow(completions, completed, failed)).isEqualTo(expected);
  }

  @Test
  void hugeRangesAreNoProblem() {
    assertThat(IndexRanges.countBelow(Integer.MAX_VALUE, "0-2147483647"))
        .isEqualTo(Integer.MAX_VALUE);
  }
}
