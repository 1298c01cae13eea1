package io.kueue4j.k8s.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  private static String question(String given) {
    return Suggestion.question(
        given, Stream.of("name", "spec", "cohortName", "resources", "nominalQuota", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "nmae, name",
    "names, name",
    "Spec, spec",
    "sepc, spec",
    "cohort, cohortName",
    "resorces, resources",
    "ressuorces, resources",
    "nominalquota, nominalQuota",
    "nominal, nominalQuota",
  })
  void asksForWhatIsClose(String given, String meant) {
    assertThat(question(given)).isEqualTo("; did you mean \"" + meant + "\"?");
  }

  @ParameterizedTest
  @CsvSource({"x", "kind", "status", "res", "''", "parallelism"})
  void asksForNothingElse(String given) {
    assertThat(question(given)).isEmpty();
  }

  @Test
  void doesNotCompareVeryLongWords() {
    assertThat(question("name".repeat(1_000_000))).isEmpty();
  }

  @Test
  void aMissingWordIsComparedWithThoseThatAreGiven() {
    assertThat(Suggestion.misspelling("nominalQuota", Stream.of("nominalQouta", "borrowingLimit")))
        .isEqualTo("; is \"nominalQouta\" a misspelling of it?");
    assertThat(Suggestion.misspelling("nominalQuota", Stream.of("name", "borrowingLimit")))
        .isEmpty();
  }

  @Test
  void theFirstByNameWinsAmongTheEquallyClose() {
    assertThat(Suggestion.question("aaaa", Stream.of("aaac", "aaab"))).contains("\"aaab\"");
  }
}
