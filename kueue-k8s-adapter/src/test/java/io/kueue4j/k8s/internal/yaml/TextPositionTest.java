package io.kueue4j.k8s.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextPositionTest {
  @ParameterizedTest
  @CsvSource({
    "'', 1, 1",
    "abc, 1, 4",
    "a|, 2, 1",
    "a||b, 3, 2",
    "a^|b, 2, 2",
    "a^b, 2, 2",
    "^^, 3, 1",
  })
  void countsLinesAndColumns(String text, int line, int column) {
    String written = text.replace('|', '\n').replace('^', '\r');

    assertThat(TextPosition.after(written)).isEqualTo(new TextPosition(line, column));
  }

  @Test
  void aCharacterOutsideOfTheBasicPlaneIsOneColumn() {
    assertThat(TextPosition.after("\uD83D\uDE00")).isEqualTo(new TextPosition(1, 2));
  }
}
