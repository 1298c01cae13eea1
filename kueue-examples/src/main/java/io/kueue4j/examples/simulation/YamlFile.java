package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.YamlDocument;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlReader;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import java.util.function.Function;

/**
 * What was read from a file of one YAML document that is no Kubernetes object.
 *
 * @param <T> the type of the content
 * @param content the content
 * @param notes unknown fields, which have no effect
 */
public record YamlFile<T>(T content, List<ManifestIssue> notes) {
  /**
   * Reads a file.
   *
   * @param source the name of the file
   * @param text the text of the file
   * @param expected what the document has
   * @param reading reads the content
   * @throws InputException if the file is malformed; names every position
   */
  public static <T> YamlFile<T> read(
      String source, String text, String expected, Function<Fields, T> reading) {
    try {
      ImmutableList<YamlDocument> documents = YamlReader.read(source, text).stream()
          .filter(document -> document.root() instanceof YamlMapping)
          .collect(toImmutableList());
      if (documents.size() != 1) {
        throw new InputException(source + ": " + documents.size()
            + " documents with fields; expected one, with " + expected);
      }
      Issues issues = new Issues(source, 1);
      Fields root = Fields.of((YamlMapping) documents.get(0).root(), "", issues);
      T content = reading.apply(root);
      root.noteUnknown();
      issues.throwProblems();
      return new YamlFile<>(content, issues.notes());
    } catch (ManifestException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * {@return the content}
   *
   * @throws InputException if there are unknown fields
   */
  public T withoutNotes() {
    if (!notes.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(notes));
    }
    return content;
  }
}
