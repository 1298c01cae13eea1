package io.kueue4j.examples.controller.lease;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease whose times are those at which this process has observed it: an elector compares the time
 * of renewal with its clock, which need not agree with the clock of the holder.
 *
 * <p>A lease that was deleted counts until it would have expired, as its holder may not have
 * noticed. Thread-safe.
 */
final class ObservedLease extends LeaseLock {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedLease.class);

  private final LongSupplier nanoTime;

  /** The last record of another holder, and since when it is known; null if there was none. */
  private @Nullable LeaderElectionRecord seen;

  private long seenNanos;

  /** When the last write began that acquired or renewed it. */
  private volatile long renewedNanos;

  /** The failure of the last request, empty if it did not fail. */
  private String problem = "";

  private volatile boolean wasHeld;
  private volatile boolean isReleased;
  private volatile boolean isLost;

  /**
   * Creates a lease.
   *
   * @param identity the candidate; a random part is added, so that no two are equal
   * @param nanoTime a monotonic clock
   */
  ObservedLease(String namespace, String name, String identity, LongSupplier nanoTime) {
    super(namespace, name, identity + "_" + UUID.randomUUID());
    this.nanoTime = nanoTime;
  }

  /** {@return whether it was acquired or renewed so recently that nobody else can hold it} */
  boolean isHeld(Duration renewDeadline) {
    return wasHeld
        && !isReleased
        && !isLost
        && nanoTime.getAsLong() - renewedNanos < renewDeadline.toNanos();
  }

  /** {@return whether it was held, and another candidate has taken it} */
  boolean isLost() {
    return isLost;
  }

  @Override
  public synchronized @Nullable LeaderElectionRecord get(KubernetesClient client) {
    LeaderElectionRecord found = request(() -> super.get(client));
    if (found != null && identity().equals(found.getHolderIdentity())) {
      seen = null;
      return found;
    }
    long now = nanoTime.getAsLong();
    if (found != null && !found.equals(seen)) {
      seen = found;
      seenNanos = now;
      isLost |= wasHeld && !Strings.isNullOrEmpty(found.getHolderIdentity());
    }
    LeaderElectionRecord known = seen;
    Duration age = Duration.ofNanos(now - seenNanos);
    if (known == null || (found == null && age.compareTo(known.getLeaseDuration()) > 0)) {
      return null;
    }
    return new LeaderElectionRecord(
        known.getHolderIdentity(),
        known.getLeaseDuration(),
        known.getAcquireTime(),
        // A deleted lease is not taken, but created when it is gone.
        ZonedDateTime.now(ZoneOffset.UTC).minus(found == null ? Duration.ZERO : age),
        known.getLeaderTransitions());
  }

  @Override
  public synchronized void create(KubernetesClient client, LeaderElectionRecord changed) {
    write(changed, () -> super.create(client, changed));
  }

  @Override
  public synchronized void update(KubernetesClient client, LeaderElectionRecord changed) {
    write(changed, () -> super.update(client, changed));
  }

  private void write(LeaderElectionRecord changed, Runnable write) {
    long begin = nanoTime.getAsLong();
    var unused = request(() -> {
      write.run();
      return null;
    });
    renewedNanos = begin;
    isReleased = !identity().equals(changed.getHolderIdentity());
    wasHeld |= !isReleased;
  }

  /** Logs a failure once; an elector logs each, and ends for good after exceptions of others. */
  private <T> @Nullable T request(Supplier<@Nullable T> request) {
    try {
      T answer = request.get();
      problem = "";
      return answer;
    } catch (KubernetesClientException e) {
      // After a conflict, another candidate was faster.
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        warn(String.valueOf(e.getMessage()));
      }
      throw e;
    } catch (RuntimeException e) {
      warn("it cannot be read; delete it, and it is created again: " + e);
      throw new KubernetesClientException(problem, e);
    }
  }

  private void warn(String found) {
    if (!found.equals(problem)) {
      problem = found;
      LOG.warn(describe() + ": " + found);
    }
  }
}
