package io.kueue4j.examples.controller.lease;

import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acquires and renews one lease, in a separate thread, until it is closed. */
public final class LeaseKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private final LeaseCandidate candidate;
  private final String name;
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
      new ThreadFactoryBuilder().setNameFormat("lease").setDaemon(true).build());
  private String lastHolder = "";
  private String lastProblem = "";

  private LeaseKeeper(LeaseCandidate candidate, String name) {
    this.candidate = candidate;
    this.name = name;
  }

  /**
   * {@return a keeper that works from now on}
   *
   * @param name the name of the lease, for the log
   * @param retry the time between two attempts
   */
  public static LeaseKeeper start(LeaseCandidate candidate, String name, Duration retry) {
    LeaseKeeper keeper = new LeaseKeeper(candidate, name);
    Future<?> unused = keeper.executor.scheduleWithFixedDelay(
        keeper::attempt, 0, retry.toMillis(), TimeUnit.MILLISECONDS);
    return keeper;
  }

  private void attempt() {
    try {
      candidate.attempt();
      report();
    } catch (RuntimeException e) {
      // The next attempt may succeed; without one the lease expires.
      LOG.error("lease " + name, e);
    }
  }

  private void report() {
    String holder = candidate.holder();
    if (!holder.equals(lastHolder)) {
      LOG.info("lease " + name + (holder.isEmpty() ? " has no holder" : " is held by " + holder));
      lastHolder = holder;
    }
    String problem = candidate.problem().orElse("");
    if (!problem.equals(lastProblem)) {
      if (!problem.isEmpty()) {
        LOG.warn("lease " + name + ": " + problem);
      }
      lastProblem = problem;
    }
  }

  /** {@return the candidate whose lease this is} */
  public LeaseCandidate candidate() {
    return candidate;
  }

  /** Ends the attempts, and waits at most 20 s for one that runs; the lease is not released. */
  @Override
  public void close() {
    // After half of the time, it interrupts an attempt.
    boolean unused = MoreExecutors.shutdownAndAwaitTermination(executor, MAX_WAIT.multipliedBy(2));
  }
}
