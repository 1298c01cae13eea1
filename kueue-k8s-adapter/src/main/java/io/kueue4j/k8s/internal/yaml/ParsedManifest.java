package io.kueue4j.k8s.internal.yaml;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A manifest with its content, which readers of fields need. */
public final class ParsedManifest implements Manifest {
  private final String source;
  private final int document;
  private final YamlMapping content;
  private final @Nullable HasMetadata object;
  private final String apiVersion;
  private final String group;
  private final String kind;
  private final Optional<String> namespace;
  private final Optional<String> name;
  private final Optional<String> generateName;
  private final Map<String, String> labels;
  private final Map<String, String> annotations;

  ParsedManifest(
      String source,
      int document,
      YamlMapping content,
      @Nullable HasMetadata object,
      String apiVersion,
      String kind,
      Optional<String> namespace,
      Fields metadata) {
    this.document = document;
    this.content = content;
    this.object = object;
    this.apiVersion = apiVersion;
    this.group = apiVersion.substring(0, Math.max(apiVersion.indexOf('/'), 0));
    this.kind = kind;
    this.namespace = namespace;
    name = metadata.text("name");
    generateName = metadata.text("generateName");
    labels = metadata.textMap("labels");
    annotations = metadata.textMap("annotations");
    this.source = isLive() ? describe(kind, namespace, name.or(() -> generateName)) : source;
  }

  /**
   * {@return the manifest itself}
   *
   * @throws IllegalArgumentException if it was not created by a reader of this library
   */
  public static ParsedManifest of(Manifest manifest) {
    if (manifest instanceof ParsedManifest parsed) {
      return parsed;
    }
    throw new IllegalArgumentException(manifest + " is a " + manifest.getClass().getName()
        + "; expected a manifest that" + " ManifestReader has read");
  }

  /** {@return kind, namespace and name, such as {@code Job team-a/train}} */
  static String describe(String kind, Optional<String> namespace, Optional<String> name) {
    return kind + " " + namespace.map(value -> value + "/").orElse("")
        + name.orElse("without a name");
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public int document() {
    return document;
  }

  @Override
  public int line() {
    return content.line();
  }

  @Override
  public String apiVersion() {
    return apiVersion;
  }

  @Override
  public String group() {
    return group;
  }

  @Override
  public String version() {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public boolean is(String group, String kind) {
    return this.kind.equals(kind) && this.group.equals(group);
  }

  @Override
  public Optional<String> namespace() {
    return namespace;
  }

  @Override
  public Optional<String> name() {
    return name;
  }

  @Override
  public Optional<String> generateName() {
    return generateName;
  }

  @Override
  public Map<String, String> labels() {
    return labels;
  }

  @Override
  public Map<String, String> annotations() {
    return annotations;
  }

  /** {@return the whole object} */
  public YamlMapping content() {
    return content;
  }

  /**
   * {@return the position of a field}
   *
   * @param field its path, such as {@code spec.template.spec.containers[0].image}; if there is no
   *     such field, returns the position of the nearest enclosing one
   */
  public YamlPosition locate(String field) {
    return FieldPath.locate(content, field);
  }

  @Override
  public ManifestIssue issue(String field, String message) {
    YamlPosition place = locate(field);
    return new ManifestIssue(source, document, place.line(), place.column(), field, message);
  }

  @Override
  public boolean isLive() {
    return document == 0;
  }

  @Override
  public <T> T as(Class<T> type) {
    if (object != null && object.getClass().equals(type)) {
      return type.cast(object);
    }
    Issues issues = Issues.of(this);
    Optional<T> object = ObjectBinder.bind(content, type, "", issues);
    issues.throwProblems();
    return object.orElseThrow();
  }

  @Override
  public String toString() {
    return isLive()
        ? source
        : describe(kind, namespace, name.or(() -> generateName)) + " (" + source + ", line "
            + line() + ")";
  }
}
