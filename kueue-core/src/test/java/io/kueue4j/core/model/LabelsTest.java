package io.kueue4j.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.LabelRequirement.Operator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Label requirements and selectors; the operators of rules F-11 and F-12. */
class LabelsTest {
  private static LabelRequirement requirement(Operator operator, String values) {
    ImmutableList<String> list =
        values.isEmpty() ? ImmutableList.of() : ImmutableList.copyOf(values.split(" ", -1));
    return new LabelRequirement("k", operator, list);
  }

  @ParameterizedTest
  @CsvSource({
    "IN, a b, a, true",
    "IN, a b, c, false",
    "IN, a b, , false",
    "NOT_IN, a b, a, false",
    "NOT_IN, a b, c, true",
    "NOT_IN, a b, , true",
    "EXISTS, '', a, true",
    "EXISTS, '', '', true",
    "EXISTS, '', , false",
    "DOES_NOT_EXIST, '', a, false",
    "DOES_NOT_EXIST, '', , true",
    "GREATER_THAN, 5, 6, true",
    "GREATER_THAN, 5, 5, false",
    "GREATER_THAN, -5, -4, true",
    "GREATER_THAN, 5, x, false",
    "GREATER_THAN, 5, , false",
    "LESS_THAN, 5, 4, true",
    "LESS_THAN, 5, 5, false",
    "LESS_THAN, 5, '', false",
    "LESS_THAN, 5, , false",
  })
  void relatesTheLabelToTheValues(Operator operator, String values, String label, boolean matches) {
    Map<String, String> labels = label == null ? Map.of() : Map.of("k", label);
    assertThat(requirement(operator, values).matches(labels)).isEqualTo(matches);
    assertThat(requirement(operator, values).problem()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "IN, ''",
    "NOT_IN, ''",
    "EXISTS, a",
    "DOES_NOT_EXIST, a",
    "GREATER_THAN, ''",
    "GREATER_THAN, 1 2",
    "GREATER_THAN, x",
    "LESS_THAN, ''",
    "LESS_THAN, 1.5",
  })
  void aMalformedRequirementHasAProblemAndMatchesNothing(Operator operator, String values) {
    LabelRequirement malformed = requirement(operator, values);
    assertThat(malformed.problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains(operator.toString()));
    for (Map<String, String> labels : List.of(Map.<String, String>of(), Map.of("k", "1"))) {
      assertThat(malformed.matches(labels)).isFalse();
    }
  }

  @Test
  void aSelectorWithoutConditionsMatchesEverything() {
    assertThat(LabelSelector.everything().matches(Map.of())).isTrue();
    assertThat(LabelSelector.everything().matches(Map.of("a", "b"))).isTrue();
  }

  @Test
  void aSelectorMatchesWhenAllItsConditionsHold() {
    LabelSelector selector = new LabelSelector(
        ImmutableSortedMap.of("team", "a"),
        ImmutableList.of(requirement(Operator.IN, "x y"), requirement(Operator.NOT_IN, "y")));
    assertThat(selector.matches(Map.of("team", "a", "k", "x", "other", "z"))).isTrue();
    assertThat(selector.matches(Map.of("team", "b", "k", "x"))).isFalse();
    assertThat(selector.matches(Map.of("k", "x"))).isFalse();
    assertThat(selector.matches(Map.of("team", "a", "k", "y"))).isFalse();
  }

  @Test
  void aSelectorOfLabelsAsksForExactlyTheseValues() {
    LabelSelector selector = LabelSelector.labels(Map.of("team", "a"));
    assertThat(selector.matches(Map.of("team", "a", "more", "b"))).isTrue();
    assertThat(selector.matches(Map.of("team", "A"))).isFalse();
  }
}
