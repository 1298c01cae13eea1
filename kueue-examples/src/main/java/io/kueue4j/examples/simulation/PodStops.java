package io.kueue4j.examples.simulation;

/** When the pods of a job stop that was evicted. */
public enum PodStops {
  /** In the moment of the eviction. */
  AT_ONCE("at once"),
  /** When {@link ManifestPlayer#stopped} says so; until then the job holds its quota. */
  BY_STEP("by step");

  private final String text;

  PodStops(String text) {
    this.text = text;
  }

  /** {@return the name for humans} */
  @Override
  public String toString() {
    return text;
  }
}
