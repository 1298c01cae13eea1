package io.kueue4j.k8s.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldPathTest {
  private static final String TEXT = """
      metadata:
        labels:
          a.b/c: x
      spec:
        list:
        - name: one
        - name: two
          empty:
      """;

  @Test
  void writesPathsAsKubernetesDoes() {
    assertThat(FieldPath.field("", "spec")).isEqualTo("spec");
    assertThat(FieldPath.field("spec", "a-b_c")).isEqualTo("spec.a-b_c");
    assertThat(FieldPath.field("metadata.labels", "a.b/c")).isEqualTo("metadata.labels[a.b/c]");
    assertThat(FieldPath.item("spec.list", 3)).isEqualTo("spec.list[3]");
  }

  @Test
  void joinsPaths() {
    assertThat(FieldPath.join("spec", "a.b")).isEqualTo("spec.a.b");
    assertThat(FieldPath.join("spec", "[0].b")).isEqualTo("spec[0].b");
    assertThat(FieldPath.join("spec", ".b")).isEqualTo("spec.b");
    assertThat(FieldPath.join("spec", "")).isEqualTo("spec");
    assertThat(FieldPath.join("", "a")).isEqualTo("a");
  }

  @Test
  void splitsPaths() {
    assertThat(FieldPath.segments("spec.list[1].name"))
        .containsExactly("spec", "list", "1", "name");
    assertThat(FieldPath.segments("metadata.labels[a.b/c]"))
        .containsExactly("metadata", "labels", "a.b/c");
    assertThat(FieldPath.segments("a[unfinished")).containsExactly("a", "unfinished");
    assertThat(FieldPath.segments("")).isEmpty();
    assertThat(FieldPath.last("spec.list[1].name")).isEqualTo("name");
    assertThat(FieldPath.last("")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1, 1",
    "metadata.labels[a.b/c], 3, 12",
    "metadata.labels, 2, 3",
    "spec.list[1].name, 7, 11",
    "spec.list[1].empty, 8, 5",
    "spec.list[1].missing, 7, 5",
    "spec.list[7].name, 5, 3",
    "spec.list[-1], 5, 3",
    "spec.list.name, 5, 3",
    "nothing.at.all, 1, 1",
  })
  void findsTheFieldOrTheNearestAroundIt(String path, int line, int column) {
    YamlNode root = YamlReader.read("test.yaml", TEXT).get(0).root();

    YamlPosition place = FieldPath.locate(root, path);

    assertThat(place.line()).isEqualTo(line);
    assertThat(place.column()).isEqualTo(column);
  }
}
