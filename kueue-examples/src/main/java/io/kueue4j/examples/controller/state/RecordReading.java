package io.kueue4j.examples.controller.state;

import java.util.Optional;

/**
 * What the Workload of a job says about its admission.
 *
 * @param recorded the recorded admission, empty if there is none
 * @param refusal why a job that runs must stop since its record cannot be read; empty if there is
 *     no such problem
 */
public record RecordReading(Optional<RecordedAdmission> recorded, Optional<String> refusal) {
  /** The reason for stopping a job that runs without a valid record, in one word. */
  public static final String REFUSED = "AdmissionRefused";
}
