package io.kueue4j.k8s.internal.yaml;

/**
 * A position in a source; lines and columns count from 1.
 *
 * @since 0.1.0
 */
public interface YamlPosition {
  /** {@return the line} */
  int line();

  /** {@return the column} */
  int column();
}
