package io.kueue4j.core.topology;

/**
 * What pods ask of a topology, in terms of its levels.
 *
 * <p>Rules: T-16, T-17.
 *
 * @param level the level where the search starts
 * @param mode what may be done if no single domain of that level suffices
 * @param slices how pods are kept together
 */
record LevelRequest(int level, Mode mode, SliceLayers slices) {
  /** What may be done if no single domain suffices. */
  enum Mode {
    /** Nothing. */
    REQUIRED,
    /** A coarser level is tried, at last several domains of the top level. */
    PREFERRED,
    /** Several domains are taken. */
    UNCONSTRAINED
  }

  /** {@return the same with other slices} */
  LevelRequest withSlices(SliceLayers newSlices) {
    return new LevelRequest(level, mode, newSlices);
  }

  boolean isRequired() {
    return mode == Mode.REQUIRED;
  }

  boolean isUnconstrained() {
    return mode == Mode.UNCONSTRAINED;
  }
}
