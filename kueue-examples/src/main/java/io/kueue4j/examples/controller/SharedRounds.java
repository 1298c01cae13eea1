package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.lease.LeaseException;
import io.kueue4j.examples.controller.shard.WorkSharing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the rounds of a replica that shares the work, and survives their failures. */
final class SharedRounds {
  private static final Logger LOG = LoggerFactory.getLogger(SharedRounds.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final WorkSharing sharing;
  private final WorkSharing.Work work;
  private final InstantSource clock;
  private Instant next = Instant.MIN;
  private String lastProblem = "";
  private int lastHeld = -1;

  SharedRounds(WorkSharing sharing, WorkSharing.Work work, InstantSource clock) {
    this.sharing = sharing;
    this.work = work;
    this.clock = clock;
  }

  /** Runs a round if the last one was long enough ago. */
  void runIfDue() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(INTERVAL);
    String problem = "";
    try {
      sharing.round(work);
    } catch (LeaseException | KubernetesClientException e) {
      problem = String.valueOf(e.getMessage());
    }
    if (!problem.equals(lastProblem) && !problem.isEmpty()) {
      LOG.warn("the work is not shared anew: " + problem);
    }
    lastProblem = problem;
    if (sharing.held().size() != lastHeld) {
      lastHeld = sharing.held().size();
      LOG.info("decides on " + lastHeld + " quota nodes, of " + sharing.replicas() + " replicas");
    }
  }

  /** Gives up all work, so that other replicas can take it at once. */
  void leave() {
    try {
      sharing.leave(work);
    } catch (LeaseException e) {
      LOG.warn("the lease expires: " + e.getMessage());
    }
  }
}
