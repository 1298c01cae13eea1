package io.kueue4j.core.internal.topology;

/**
 * A topology request in terms of the levels of a topology.
 *
 * <p>Rules: T-16, T-17.
 *
 * @param level the level where the search starts
 * @param mode what happens if no single domain of that level suffices
 * @param slices the layers of topology slices
 */
record LevelRequest(int level, Mode mode, SliceLayers slices) {
  /** What happens if no single domain suffices. */
  enum Mode {
    /** The pods do not fit. */
    REQUIRED,
    /** A coarser level is tried, at last several domains of the top level. */
    PREFERRED,
    /** Several domains are taken. */
    UNCONSTRAINED
  }

  /** {@return this request with other slices} */
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
