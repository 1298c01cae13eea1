package io.kueue4j.examples.controller.state;

import com.google.common.base.CaseFormat;

/** The state of a job in the controller. */
public enum JobState {
  /** The controller does not manage it. */
  UNMANAGED,
  /** It violates rules, so that it cannot be converted to a workload. */
  INVALID,
  /** It is not queued: a policy, the engine or the server rejects it. */
  REFUSED,
  /** It waits for quota. */
  PENDING,
  /** It holds quota and waits for admission checks. */
  RESERVED,
  /** It holds quota and may run. */
  ADMITTED,
  /** It was evicted, and holds its quota until its pods are gone. */
  STOPPING,
  /** It has finished, successfully or not. */
  FINISHED;

  /** {@return the state in one word} */
  @Override
  public String toString() {
    return CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, name());
  }
}
