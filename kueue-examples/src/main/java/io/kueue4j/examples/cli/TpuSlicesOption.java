package io.kueue4j.examples.cli;

import picocli.CommandLine.Option;

/** The option that gives TPU chips as slices. */
final class TpuSlicesOption {
  @Option(
      names = "--tpu-slices",
      description = "Give TPU chips as slices: nodes with GKE's labels make up pools, for flavors"
          + " whose node labels name cloud.google.com/gke-tpu-accelerator, and jobs ask for the"
          + " slices that their node selectors or annotations name.")
  private boolean set;

  TpuSlicesOption() {}

  /** {@return whether it is set} */
  boolean isSet() {
    return set;
  }
}
