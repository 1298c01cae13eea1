package io.kueue4j.examples.controller;

import io.kueue4j.examples.controller.seal.Sealing;

/**
 * Where a controller records which jobs hold quota.
 *
 * @param inWorkloads whether in the status of Workload objects, otherwise in notes on the jobs
 * @param sealing how notes on jobs are treated; no seals if there are none
 */
public record Recording(boolean inWorkloads, Sealing sealing) {

  /** {@return in Workload objects, which the cluster must serve as v1beta2} */
  public static Recording inWorkloadObjects() {
    return new Recording(true, Sealing.none());
  }

  /** {@return in notes on the jobs} */
  public static Recording inNotes(Sealing sealing) {
    return new Recording(false, sealing);
  }
}
