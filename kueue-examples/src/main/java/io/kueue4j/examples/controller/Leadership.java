package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One candidacy for a lease: waits for it, holds it, and loses or releases it. */
final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

  private final CountDownLatch elected = new CountDownLatch(1);
  private final CompletableFuture<?> candidacy;
  private volatile boolean leads;

  Leadership(KubernetesClient client, LeaseName lease) {
    candidacy = client
        .leaderElector()
        .withConfig(new LeaderElectionConfigBuilder()
            .withName(lease.name())
            .withLeaseDuration(LEASE)
            .withRenewDeadline(RENEW_DEADLINE)
            .withRetryPeriod(RETRY_PERIOD)
            .withReleaseOnCancel(true)
            .withLock(new LeaseLock(lease.namespace(), lease.name(), lease.identity()))
            .withLeaderCallbacks(
                new LeaderCallbacks(this::started, this::stopped, Leadership::isLed))
            .build())
        .build()
        .start();
  }

  private void started() {
    leads = true;
    elected.countDown();
  }

  private void stopped() {
    leads = false;
    elected.countDown();
  }

  /** The identity is null while there is no leader. */
  private static void isLed(@Nullable String identity) {
    if (!Strings.isNullOrEmpty(identity)) {
      LOG.info("the leader is " + identity);
    }
  }

  /** {@return whether this candidate becomes the leader within that time} */
  boolean await(Duration time) throws InterruptedException {
    return elected.await(time.toMillis(), TimeUnit.MILLISECONDS) && leads;
  }

  boolean leads() {
    return leads;
  }

  /** {@return whether this candidacy has ended} */
  boolean isOver() {
    return candidacy.isDone() || (elected.getCount() == 0 && !leads);
  }

  /** Releases the lease, if it is held. */
  @Override
  public void close() {
    leads = false;
    candidacy.cancel(true);
  }
}
