package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Evicts workloads whose pods are not ready in time, and deactivates those that have run too long.
 *
 * <p>Rules: L-15, L-16, L-18, L-20, L-21.
 */
final class Timeouts {
  private final State state;
  private final Instant now;

  Timeouts(State state, Instant now) {
    this.state = state;
    this.now = now;
  }

  void actOnAll() {
    for (Job job : List.copyOf(state.jobs())) {
      deadline(job)
          .filter(deadline -> !now.isBefore(deadline.time()))
          .ifPresent(deadline -> act(job, deadline.cause()));
    }
  }

  private Optional<Readiness.Deadline> deadline(Job job) {
    if (!job.workload().active()) {
      return Optional.empty();
    }
    return job.readiness.deadline(
        job.workload().maximumExecutionTime(),
        job.wasEvicted() ? Optional.empty() : state.specs.podsReady());
  }

  private void act(Job job, EvictionCause cause) {
    Lives lives = new Lives(state, now);
    if (cause == EvictionCause.MAXIMUM_EXECUTION_TIME_EXCEEDED) {
      job.readiness.forgetTime();
      lives.end(job);
      return;
    }
    PodsReadyPolicy policy = state.specs.podsReady().orElseThrow();
    if (job.readiness.isLimitReached(policy)) {
      lives.end(job);
    } else {
      job.delayUntil(now.plus(job.readiness.nextDelay(policy)));
      job.evict(EvictionReason.PODS_READY_TIMEOUT, now);
    }
  }
}
