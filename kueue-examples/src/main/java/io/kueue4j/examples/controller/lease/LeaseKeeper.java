package io.kueue4j.examples.controller.lease;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires and renews one lease with electors of the client, until it is closed.
 *
 * <p>An elector gives up when it cannot renew the lease in time. The lease is not held then until a
 * renewal succeeds; it is lost only when another holder has taken it. Thread-safe.
 */
public final class LeaseKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  private final KubernetesClient client;
  private final ObservedLease lease;
  private final LeaseTimes times;
  private final LeaderElectionConfig config;
  private @Nullable LeaderElector elector;
  private @Nullable CompletableFuture<?> election;
  private boolean isClosed;

  private LeaseKeeper(KubernetesClient client, LeaseName name, LeaseTimes times) {
    this.client = client;
    this.times = times;
    lease = new ObservedLease(name.namespace(), name.name(), name.identity(), System::nanoTime);
    config = new LeaderElectionConfig(
        lease,
        times.lease(),
        times.renewDeadline(),
        times.retry(),
        new LeaderCallbacks(() -> {}, () -> {}, holder -> report(name.name(), holder)),
        // An elector that gives up must not let another begin while a write is on its way.
        false,
        name.name());
  }

  /** {@return a keeper that works from now on} */
  public static LeaseKeeper start(KubernetesClient client, LeaseName name, LeaseTimes times) {
    LeaseKeeper keeper = new LeaseKeeper(client, name, times);
    keeper.elect();
    return keeper;
  }

  private synchronized void elect() {
    if (!isClosed && !lease.isLost()) {
      elector = client.leaderElector().withConfig(config).build();
      election = elector.start();
      var unused = election.whenComplete((ended, failure) -> elect());
    }
  }

  private static void report(String name, String holder) {
    LOG.info("lease " + name
        + (Strings.isNullOrEmpty(holder) ? " has no holder" : " is held by " + holder));
  }

  /** {@return whether the lease is held now, and its holder may work} */
  public boolean isHeld() {
    return lease.isHeld(times.renewDeadline());
  }

  /** {@return whether the lease was held, and is held no more for certain} */
  public boolean isLost() {
    return lease.isLost();
  }

  /**
   * Ends the attempts, and gives the lease back so that another candidate can take it soon; call it
   * when all work has ended.
   */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    Objects.requireNonNull(election).cancel(true);
    try {
      boolean unused = Objects.requireNonNull(elector).release();
    } catch (KubernetesClientException e) {
      LOG.warn("the lease is not released, and expires: " + e.getMessage());
    }
  }
}
