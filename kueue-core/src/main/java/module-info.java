/**
 * The admission engine. Start with {@link io.kueue4j.core.AdmissionEngine}.
 *
 * <p>What is exported is the API; every other package is marked {@code @Internal}.
 */
@SuppressWarnings("requires-automatic") // the annotations of Immutables
module io.kueue4j.core {
  exports io.kueue4j.core;
  exports io.kueue4j.core.decision;
  exports io.kueue4j.core.lint;
  exports io.kueue4j.core.model;
  exports io.kueue4j.core.resource;
  exports io.kueue4j.core.simulation;
  exports io.kueue4j.core.tpu;

  // The API says what may be null.
  requires com.google.common;
  requires transitive org.jspecify;

  // Annotations for compilers. Those of Error Prone come with Guava, whose classes show them to
  // users too.
  requires static transitive com.google.errorprone.annotations;
  requires static org.immutables.value.annotations;
}
