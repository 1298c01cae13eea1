package io.kueue4j.k8s.manifest;

import java.util.Map;
import java.util.Optional;

/**
 * One Kubernetes object, from a text or from a client; immutable.
 *
 * <p>Objects inside a {@code List} are manifests of their own; their paths begin at the object.
 *
 * <p>A live object is read when the manifest is created; later changes of it have no effect, except
 * that {@link #as} returns the object itself.
 *
 * <p>{@link io.kueue4j.k8s.ManifestReader} creates all manifests; users do not implement this
 * interface.
 *
 * @since 0.1.0
 */
public interface Manifest {
  /**
   * {@return the name of the text, such as a file; of a live object its kind, namespace and name,
   * such as {@code Job team-a/train}}
   */
  String source();

  /** {@return the document in the text, from 1; 0 for a live object} */
  int document();

  /** {@return the line where the object starts, from 1; 0 for a live object} */
  int line();

  /** {@return the API version, such as {@code batch/v1}} */
  String apiVersion();

  /** {@return the group of the API version, empty for the core group} */
  String group();

  /** {@return the API version without the group, such as {@code v1}} */
  String version();

  /** {@return the kind} */
  String kind();

  /** {@return whether this is an object of {@code kind} in {@code group}, whatever its version} */
  boolean is(String group, String kind);

  /**
   * {@return the namespace; if none is specified, the default one for a kind with namespaces, and
   * empty for others}
   */
  Optional<String> namespace();

  /** {@return the name, which may be absent if there is a {@link #generateName()}} */
  Optional<String> name();

  /** {@return the prefix of a name to be generated} */
  Optional<String> generateName();

  /** {@return the labels} */
  Map<String, String> labels();

  /** {@return the annotations} */
  Map<String, String> annotations();

  /** {@return an issue with a field of this object, with its position} */
  ManifestIssue issue(String field, String message);

  /**
   * {@return whether this is a live object, which has no position in a text}
   *
   * @since 0.1.0
   */
  boolean isLive();

  /**
   * Reads the object as an object of a class: a model class of fabric8, or any other with Jackson
   * annotations. Quantities keep their text; unknown fields are kept where the class has room.
   *
   * @return a live object of exactly that class itself, else a new object, which the caller may
   *     change
   * @throws ManifestException if a field has a value of another type than the class wants
   */
  <T> T as(Class<T> type);

  /**
   * {@return for example {@code ClusterQueue research (cluster.yaml, line 12)}, or
   * {@code ClusterQueue research} for a live object}
   */
  @Override
  String toString();
}
