package io.kueue4j.k8s.yaml;

/** A place in a source; lines and columns count from 1. */
public interface YamlPosition {
  /** {@return the line} */
  int line();

  /** {@return the column} */
  int column();
}
