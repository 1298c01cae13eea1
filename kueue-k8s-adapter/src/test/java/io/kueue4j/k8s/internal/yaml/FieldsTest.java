package io.kueue4j.k8s.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldsTest {
  private final Issues issues = new Issues("test.yaml", 1);

  private Fields fields(String text) {
    return Fields.of(
        (YamlMapping) YamlReader.read("test.yaml", text).get(0).root(), "spec", issues);
  }

  @Test
  void readsValuesAsTheirTypes() {
    Fields fields = fields("""
        text: a
        flag: true
        integer: -7
        whole: 9223372036854775807
        quantity: 1e3
        texts: [a, "1"]
        map: {a.b/c: x}
        quantities: {cpu: 1.50, memory: "010"}
        object: {inner: z}
        objects: [{n: a}, {n: b}]
        """);

    assertThat(fields.text("text")).hasValue("a");
    assertThat(fields.requiredText("text")).isEqualTo("a");
    assertThat(fields.flag("flag")).hasValue(true);
    assertThat(fields.integer("integer")).hasValue(-7);
    assertThat(fields.wholeNumber("whole")).hasValue(Long.MAX_VALUE);
    assertThat(fields.quantity("quantity")).hasValue("1e3");
    assertThat(fields.texts("texts")).containsExactly("a", "1");
    assertThat(fields.textMap("map")).containsEntry("a.b/c", "x").hasSize(1);
    assertThat(fields.quantities("quantities"))
        .containsEntry("cpu", "1.50")
        .containsEntry("memory", "010");
    assertThat(fields.object("object").text("inner")).hasValue("z");
    assertThat(fields.objects("objects"))
        .extracting(Fields::path)
        .containsExactly("spec.objects[0]", "spec.objects[1]");
    assertThat(issues.hasProblems()).isFalse();
  }

  @Test
  void whatIsAbsentOrNullIsNoProblemUnlessRequired() {
    Fields fields = fields("a: null\nb: ~\nc:\n");

    assertThat(fields.text("a")).isEmpty();
    assertThat(fields.flag("b")).isEmpty();
    assertThat(fields.integer("c")).isEmpty();
    assertThat(fields.wholeNumber("d")).isEmpty();
    assertThat(fields.quantity("a")).isEmpty();
    assertThat(fields.texts("a")).isEmpty();
    assertThat(fields.textMap("a")).isEmpty();
    assertThat(fields.objects("a")).isEmpty();
    assertThat(fields.object("a").isPresent()).isFalse();
    assertThat(fields.object("a").object("b").has("c")).isFalse();
    assertThat(issues.hasProblems()).isFalse();

    assertThat(fields.requiredText("a")).isEmpty();
    assertThat(issues.problems())
        .extracting(ManifestIssue::toString)
        .containsExactly("test.yaml: document 1, line 1, column 1: spec.a: missing; expected text");
  }

  @Test
  void aProblemInAnAbsentObjectPointsToWhatHoldsIt() {
    fields("a: 1\nb: {c: 2}").object("b").object("missing").requiredText("name");

    assertThat(issues.problems())
        .extracting(ManifestIssue::toString)
        .containsExactly("test.yaml: document 1, line 2, column 1: spec.b.missing.name: "
            + "missing; expected text");
  }

  @Test
  void issuesComeInTheOrderOfTheSource() {
    Fields fields = fields("a: [x]\nb: [y]\nc: [z]\n");
    for (String name : List.of("c", "a", "b")) {
      assertThat(fields.text(name)).isEmpty();
    }
    assertThat(issues.problems()).extracting(ManifestIssue::line).containsExactly(1, 2, 3);
  }

  @Test
  void onlyFieldsThatWereAskedForAreKnown() {
    Fields fields =
        fields("asked: 1\nignored: 2\nother: 3\nchild: {known: 4, odd: 5}\nfree: {a: 1}");
    assertThat(fields.value("asked")).isPresent();
    fields.ignore("ignored");
    assertThat(fields.object("child").value("known")).isPresent();
    fields.object("free").ignoreAll();
    fields.noteUnknown();

    assertThat(issues.notes())
        .extracting(ManifestIssue::field)
        .containsExactly("spec.other", "spec.child.odd");
  }

  @Test
  void messagesStayInOneLineAndShort() {
    fields("\"a\\nb\": 1\nt: [\"" + "x".repeat(1000) + "\\n\"]").noteUnknown();
    Fields fields = fields("flag: \"line\\n" + "x".repeat(1000) + "\"");
    assertThat(fields.flag("flag")).isEmpty();

    assertThat(issues.notes()).first().asString().doesNotContain("\n").contains("spec[a b]");
    assertThat(issues.problems())
        .singleElement()
        .asString()
        .hasSizeLessThan(200)
        .doesNotContain("\n");
  }
}
