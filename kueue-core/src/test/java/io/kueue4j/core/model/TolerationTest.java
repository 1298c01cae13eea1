package io.kueue4j.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The toleration test of rule F-10. */
class TolerationTest {
  private static Toleration toleration(String key, Toleration.Operator operator, String value) {
    return Toleration.builder().key(key).operator(operator).value(value).build();
  }

  private static Taint taint(String key, String value) {
    return new Taint(key, value, Taint.Effect.NO_SCHEDULE);
  }

  @ParameterizedTest
  @CsvSource({
    "gpu, EXISTS, '', gpu, a100, true",
    "gpu, EXISTS, '', cpu, a100, false",
    "'', EXISTS, '', cpu, a100, true",
    "gpu, EQUAL, a100, gpu, a100, true",
    "gpu, EQUAL, a100, gpu, h100, false",
    "gpu, EQUAL, a100, cpu, a100, false",
    "gpu, EQUAL, '', gpu, '', true",
    "gpu, EQUAL, '', gpu, a100, false",
    "gpu, LESS_THAN, 5, gpu, 4, true",
    "gpu, LESS_THAN, 5, gpu, 5, false",
    "gpu, LESS_THAN, 5, gpu, x, false",
    "gpu, LESS_THAN, x, gpu, 4, false",
    "gpu, LESS_THAN, 5, cpu, 4, false",
    "gpu, GREATER_THAN, 5, gpu, 6, true",
    "gpu, GREATER_THAN, 5, gpu, 5, false",
    "gpu, GREATER_THAN, 5, gpu, '', false",
  })
  void comparesKeyAndValue(
      String key,
      Toleration.Operator operator,
      String value,
      String taintKey,
      String taintValue,
      boolean tolerates) {
    assertThat(toleration(key, operator, value).tolerates(taint(taintKey, taintValue)))
        .isEqualTo(tolerates);
  }

  @ParameterizedTest
  @EnumSource(Taint.Effect.class)
  void withoutEffectToleratesEveryEffect(Taint.Effect effect) {
    assertThat(Toleration.exists("k").tolerates(new Taint("k", "v", effect))).isTrue();
    assertThat(Toleration.equal("k", "v").tolerates(new Taint("k", "v", effect)))
        .isTrue();
  }

  @Test
  void withAnEffectToleratesThatOneOnly() {
    Toleration executing = Toleration.builder()
        .key("k")
        .operator(Toleration.Operator.EXISTS)
        .effect(Taint.Effect.NO_EXECUTE)
        .build();
    assertThat(executing.tolerates(new Taint("k", "", Taint.Effect.NO_EXECUTE))).isTrue();
    assertThat(executing.tolerates(new Taint("k", "", Taint.Effect.NO_SCHEDULE)))
        .isFalse();
  }

  @Test
  void onlyPreferNoScheduleExcludesNone() {
    assertThat(Taint.Effect.NO_SCHEDULE.excludes()).isTrue();
    assertThat(Taint.Effect.NO_EXECUTE.excludes()).isTrue();
    assertThat(Taint.Effect.PREFER_NO_SCHEDULE.excludes()).isFalse();
  }
}
