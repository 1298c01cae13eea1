package io.kueue4j.k8s.yaml;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One Kubernetes object, from a text or from a client; immutable.
 *
 * <p>Objects inside a {@code List} are manifests of their own; their paths begin at the object.
 *
 * <p>A live object is read when the manifest is created; later changes of it have no effect, except
 * that {@link #as} returns the object itself.
 *
 * @since 0.1.0
 */
public final class Manifest {
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

  Manifest(
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

  /** {@return kind, namespace and name, such as {@code Job team-a/train}} */
  static String describe(String kind, Optional<String> namespace, Optional<String> name) {
    return kind + " " + namespace.map(value -> value + "/").orElse("")
        + name.orElse("without a name");
  }

  /**
   * {@return the name of the text, such as a file; of a live object its kind, namespace and name,
   * such as {@code Job team-a/train}}
   */
  public String source() {
    return source;
  }

  /** {@return the document in the text, from 1; 0 for a live object} */
  public int document() {
    return document;
  }

  /** {@return the line where the object starts, from 1; 0 for a live object} */
  public int line() {
    return content.line();
  }

  /** {@return the API version, such as {@code batch/v1}} */
  public String apiVersion() {
    return apiVersion;
  }

  /** {@return the group of the API version, empty for the core group} */
  public String group() {
    return group;
  }

  /** {@return the API version without the group, such as {@code v1}} */
  public String version() {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  /** {@return the kind} */
  public String kind() {
    return kind;
  }

  /** {@return whether this is an object of {@code kind} in {@code group}, whatever its version} */
  public boolean is(String group, String kind) {
    return this.kind.equals(kind) && this.group.equals(group);
  }

  /**
   * {@return the namespace; if none is specified, the default one for a kind with namespaces, and
   * empty for others}
   */
  public Optional<String> namespace() {
    return namespace;
  }

  /** {@return the name, which may be absent if there is a {@link #generateName()}} */
  public Optional<String> name() {
    return name;
  }

  /** {@return the prefix of a name to be generated} */
  public Optional<String> generateName() {
    return generateName;
  }

  /** {@return the labels} */
  public Map<String, String> labels() {
    return labels;
  }

  /** {@return the annotations} */
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

  /** {@return an issue with a field of this object, with its position} */
  public ManifestIssue issue(String field, String message) {
    YamlPosition place = locate(field);
    return new ManifestIssue(source, document, place.line(), place.column(), field, message);
  }

  /**
   * {@return whether this is a live object, which has no position in a text}
   *
   * @since 0.1.0
   */
  public boolean isLive() {
    return document == 0;
  }

  /**
   * Reads the object as an object of a class: a model class of fabric8, or any other with Jackson
   * annotations. Quantities keep their text; unknown fields are kept where the class has room.
   *
   * @return a live object of exactly that class itself, else a new object, which the caller may
   *     change
   * @throws ManifestException if a field has a value of another type than the class wants
   */
  public <T> T as(Class<T> type) {
    if (object != null && object.getClass().equals(type)) {
      return type.cast(object);
    }
    Issues issues = newIssues();
    Optional<T> object = ObjectBinder.bind(content, type, "", issues);
    issues.throwProblems();
    return object.orElseThrow();
  }

  /** {@return a collector of issues of this object's document} */
  public Issues newIssues() {
    return new Issues(source, document);
  }

  /**
   * {@return for example {@code ClusterQueue research (cluster.yaml, line 12)}, or
   * {@code ClusterQueue research} for a live object}
   */
  @Override
  public String toString() {
    return isLive()
        ? source
        : describe(kind, namespace, name.or(() -> generateName)) + " (" + source + ", line "
            + line() + ")";
  }
}
