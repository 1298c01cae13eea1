package io.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobNamesTest {
  @ParameterizedTest
  @CsvSource({
    "train, train",
    "train-17, train",
    "train-17-x4kzq, train",
    "job-train-bcdfg, job-train",
    "train-large, train-large",
    "backup-28391230, backup",
    "train17, train",
    "a-b-c, a-b-c",
    "17, ''",
    "20260101-train, 20260101-train",
  })
  void namesOfOneTemplateHaveOneStem(String name, String stem) {
    assertThat(JobNames.stem(name)).isEqualTo(stem);
  }
}
