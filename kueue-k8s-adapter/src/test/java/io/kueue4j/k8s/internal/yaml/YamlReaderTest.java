package io.kueue4j.k8s.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.k8s.manifest.ManifestException;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {
  private static YamlNode root(String text) {
    return YamlReader.read("test.yaml", text).get(0).root();
  }

  private static YamlNode value(String text, String field) {
    return ((YamlMapping) root(text)).field(field).orElseThrow().value();
  }

  private static AbstractThrowableAssert<?, ?> assertFailure(String text) {
    return assertThatThrownBy(() -> YamlReader.read("test.yaml", text))
        .isInstanceOf(ManifestException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "24, INTEGER",
    "-3, INTEGER",
    "0, INTEGER",
    "123456789012345678901234567890, INTEGER",
    "1e3, FLOAT",
    "1E+2, FLOAT",
    "0.50, FLOAT",
    ".5, TEXT",
    "08, TEXT",
    "0o8, TEXT",
    "0x, TEXT",
    "_1, TEXT",
    "+, TEXT",
    "1e9999, TEXT",
    "10Gi, TEXT",
    "yES, TEXT",
    "2026-01-01, TEXT",
    "true, BOOLEAN",
    "False, BOOLEAN",
    "yes, BOOLEAN",
    "N, BOOLEAN",
    "Off, BOOLEAN",
    "\"on\", TEXT",
    "null, NULL",
    "~, NULL",
    "\"24\", TEXT",
    "'''true''', TEXT",
    "!!str 24, TEXT",
    "!!int \"24\", INTEGER",
    "\"0400\", TEXT",
  })
  void keepsTheTextOfEveryScalar(String written, YamlScalar.Type type) {
    String text = written.replaceAll("^!!\\w+ |[\"']", "");

    assertThat(value("a: " + written, "a")).isEqualTo(new YamlScalar(text, type, 1, 4));
  }

  @ParameterizedTest
  @CsvSource({
    "0400, 256, INTEGER",
    "-010, -8, INTEGER",
    "00, 0, INTEGER",
    "0o17, 15, INTEGER",
    "0x1F, 31, INTEGER",
    "0b101, 5, INTEGER",
    "+5, 5, INTEGER",
    "1_000, 1000, INTEGER",
    "1_0.5, 10.5, FLOAT",
  })
  void readsNumbersAsKubectlDoes(String written, String text, YamlScalar.Type type) {
    assertThat(value("a: " + written, "a")).isEqualTo(new YamlScalar(text, type, 1, 4));
  }

  @ParameterizedTest
  @CsvSource({"y, true", "Yes, true", "ON, true", "True, true", "n, false", "no, false"})
  void readsBooleansAsKubectlDoes(String written, boolean value) {
    Fields fields = Fields.of((YamlMapping) root("a: " + written), "", new Issues("test.yaml", 1));

    assertThat(fields.flag("a")).contains(value);
  }

  @Test
  void anEmptyValueIsNull() {
    assertThat(value("a:\nb: 1", "a").isNull()).isTrue();
  }

  @Test
  void knowsLineAndColumnOfEveryNode() {
    YamlMapping root = (YamlMapping) root("# comment\na:\n  - x\n  -   b: {c: 1}\n");
    YamlField a = root.field("a").orElseThrow();
    YamlSequence list = (YamlSequence) a.value();

    assertThat(a.line()).isEqualTo(2);
    assertThat(list.items().get(0)).isEqualTo(new YamlScalar("x", YamlScalar.Type.TEXT, 3, 5));
    assertThat(list.items().get(1).line()).isEqualTo(4);
    assertThat(list.items().get(1).column()).isEqualTo(7);
  }

  @Test
  void countsDocumentsAlsoEmptyOnes() {
    List<YamlDocument> documents = YamlReader.read(
        "test.yaml", "# only a comment\n---\na: 1\n---\n# nothing\n---\nb: 2\n...\n");

    assertThat(documents).extracting(YamlDocument::index).containsExactly(1, 2, 3);
    assertThat(documents.get(1).root().isNull()).isTrue();
    assertThat(documents.get(2).root().line()).isEqualTo(7);
  }

  @Test
  void aTextOfCommentsHasNoDocument() {
    assertThat(YamlReader.read("test.yaml", "# nothing\n# at all\n")).isEmpty();
  }

  @Test
  void readsJson() {
    String json = "{\n\t\"a\": {\"b\": [1, 2.50, true, null, \"x\\/\\u00e9\"]},\n\t\"c\":\"d\"}";

    YamlMapping a = (YamlMapping) value(json, "a");

    YamlSequence list = (YamlSequence) a.field("b").orElseThrow().value();
    assertThat(list.items())
        .extracting(item -> ((YamlScalar) item).text())
        .containsExactly("1", "2.50", "true", "null", "x/é");
    assertThat(value(json, "c")).isEqualTo(new YamlScalar("d", YamlScalar.Type.TEXT, 3, 6));
  }

  @Test
  void anAliasIsTheNodeOfItsAnchor() {
    String text = "a: &x {b: 1}\nc: *x\n";

    assertThat(value(text, "c")).isEqualTo(value(text, "a")).isInstanceOf(YamlMapping.class);
  }

  @Test
  void mergesMappingsWithoutOverridingWhatIsGiven() {
    YamlMapping merged =
        (YamlMapping) value("x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz: {<<: [*x, *y], c: 3}", "z");

    assertThat(merged.fields().values())
        .extracting(field -> field.name() + ((YamlScalar) field.value()).text())
        .containsExactlyInAnyOrder("a1", "b1", "c3");
  }

  @Test
  void aQuotedMergeKeyIsAnOrdinaryField() {
    assertThat(value("\"<<\": 1", "<<").line()).isEqualTo(1);
  }

  @Test
  void refusesToMergeAScalar() {
    assertFailure("<<: 1").hasMessageContaining("expected a mapping or a list of mappings");
  }

  @Test
  void refusesAFieldGivenTwice() {
    assertFailure("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n")
        .hasMessage(
            "test.yaml: document 1, line 5, column 3: \"c\" is given twice, first in line 3");
  }

  @Test
  void refusesAFieldGivenTwiceInJson() {
    assertFailure("{\"a\": 1, \"a\": 2}").hasMessageContaining("\"a\" is given twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*x", "a: *x", "a: &x [*x]", "a: &x 1\n---\nb: *x"})
  void refusesAliasesWithoutACompleteAnchor(String text) {
    assertFailure(text).hasMessageContaining("anchor");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: !custom 1", "a: !!binary aGk=", "a: !!set {b}", "a: !x [1]"})
  void refusesTags(String text) {
    assertFailure(text).hasMessageContaining("is not supported; remove it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"? [a]\n: 1", "{a: 1}: 2", "a: {{ .Values.a }}"})
  void refusesFieldsWithoutAName(String text) {
    assertFailure(text)
        .hasMessageContaining("name of a field; expected text, or render the template first");
  }

  @Test
  void namesDocumentLineAndColumnOfBrokenYaml() {
    assertFailure("a: 1\n---\nspec:\n  a: 1\n b: 2\n")
        .hasMessageStartingWith("test.yaml: document 2, line 5, column 2: not YAML: ")
        .hasMessageContaining("that begins in line 3");
  }

  @Test
  void namesTheLineOfACharacterThatIsNotAllowed() {
    assertFailure("a: 1\nb: \u0000\n")
        .hasMessageStartingWith("test.yaml: document 1, line 2, column 4: not YAML: ")
        .hasMessageContaining("U+0000");
  }

  @Test
  void namesTheFieldBeforeAnEscapeThatIsNoCharacter() {
    assertFailure("a: 1\nb: \"\\UFFFFFFFF\"\n")
        .hasMessageStartingWith(
            "test.yaml: document 1, line 2, column 1: not YAML: an escape behind this place");
  }

  @Test
  void refusesAVersionOfYamlThatIsUnknown() {
    assertFailure("%YAML 9.9\n---\na: 1\n").hasMessageContaining("not YAML");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- ", "? "})
  void refusesDeepNesting(String opening) {
    assertFailure(opening.repeat(200_000)).hasMessageContaining("nested more than 100 levels deep");
  }

  @Test
  void acceptsTheDepthOfHonestObjects() {
    assertThat(root("[".repeat(99) + "]".repeat(99))).isInstanceOf(YamlSequence.class);
  }

  @Test
  void refusesDepthMadeOfAliases() {
    StringBuilder text = new StringBuilder("a0: &a0 [1]\n");
    for (int i = 1; i < 100; i++) {
      text.append("a%d: &a%d [*a%d]\n".formatted(i, i, i - 1));
    }

    assertFailure(text.toString()).hasMessageContaining("nested more than 100 levels deep");
  }

  @Test
  void refusesABillionLaughs() {
    StringBuilder text = new StringBuilder("a0: &a0 [lol]\n");
    for (int i = 1; i < 12; i++) {
      text.append("a%d: &a%d [%s]\n"
          .formatted(i, i, String.join(", ", Collections.nCopies(9, "*a" + (i - 1)))));
    }

    assertFailure(text.toString()).hasMessageContaining("aliases expand to more than");
  }

  @Test
  void refusesTooManyValues() {
    assertFailure("-\n".repeat(YamlComposer.MAX_NODES))
        .hasMessageContaining("more than 2000000 values; split the file");
  }

  @Test
  void refusesATextThatIsTooLong() {
    assertFailure(" ".repeat(YamlReader.MAX_CHARACTERS + 1)).hasMessageContaining("split the file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a", "a\n", "\"", "'x\n", ":", "&a ", "|\n x", "a: b: ", "\t", "-\n", "%%", "\u0001"
      })
  void endsQuicklyWithTenMegabytesOfJunk(String junk) {
    String text = junk.repeat(10_000_000 / junk.length());

    try {
      assertThat(YamlReader.read("junk", text)).isNotNull();
    } catch (ManifestException e) {
      assertThat(e.getMessage()).startsWith("junk: document 1, line ").hasSizeLessThan(400);
    }
  }
}
