package io.kueue4j.examples.controller.lease;

import com.google.common.base.Strings;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One candidate for a lease, without a thread of its own: {@link #attempt} acquires or renews it.
 *
 * <p>A candidate that cannot renew its lease in time does not hold it until a renewal succeeds; it
 * has lost it only when another holder has taken it, or it was deleted. Thread-safe.
 */
public final class LeaseCandidate {
  private final LeaseStore store;
  private final String name;
  private final String identity;
  private final LeaseTimes times;
  private final LongSupplier nanoTime;
  private final InstantSource clock;

  /** The last version that this candidate has stored, or has found to be its own. */
  private volatile @Nullable Lease own;

  /** When this candidate acquired the lease, or tried to, as it stands in the lease. */
  private @Nullable ZonedDateTime acquired;

  /** The last version observed of another holder; null if there was no lease. */
  private @Nullable Lease observed;

  private boolean hasObserved;
  private long observedNanos;
  private boolean lost;
  private volatile long renewedNanos;

  /** The problem of the last attempt, empty if there was none. */
  private volatile String problem = "";

  /**
   * Creates a candidate for a lease.
   *
   * @param identity the candidate, different for each
   * @param nanoTime a monotonic clock
   * @param clock the clock for the times in the lease, which are for humans only
   */
  public LeaseCandidate(
      LeaseStore store,
      String name,
      String identity,
      LeaseTimes times,
      LongSupplier nanoTime,
      InstantSource clock) {
    this.store = store;
    this.name = name;
    this.identity = identity;
    this.times = times;
    this.nanoTime = nanoTime;
    this.clock = clock;
  }

  /** {@return whether this candidate holds the lease now, and may work} */
  public boolean holds() {
    return own != null
        && nanoTime.getAsLong() - renewedNanos < times.renewDeadline().toNanos();
  }

  /** {@return whether this candidate held the lease, and holds it no more for certain} */
  public synchronized boolean isLost() {
    return lost;
  }

  /** {@return why the last attempt failed, empty if it did not fail} */
  public Optional<String> problem() {
    return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
  }

  /** {@return the holder of the lease that was observed last, empty if there is none} */
  public synchronized String holder() {
    return own != null ? identity : holder(observed);
  }

  /**
   * Acquires or renews the lease if that is possible now; does nothing after the lease was lost.
   *
   * @return whether that succeeded
   */
  @CanIgnoreReturnValue
  public synchronized boolean attempt() {
    if (lost) {
      return false;
    }
    long begin = nanoTime.getAsLong();
    try {
      Lease known = own;
      boolean done = known == null ? look(begin) : renewKnown(known, begin);
      problem = "";
      return done;
    } catch (KubernetesClientException e) {
      // After a conflict, another candidate was faster.
      problem = isConflict(e) ? "" : String.valueOf(e.getMessage());
      return false;
    }
  }

  /** {@return whether the lease exists already, was changed or deleted} */
  private static boolean isConflict(KubernetesClientException e) {
    return e.getCode() == HttpURLConnection.HTTP_CONFLICT
        || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
  }

  /** Renews without reading first, as long as nothing else writes the lease. */
  private boolean renewKnown(Lease known, long begin) {
    try {
      return store(store.replace(renewed(known)), begin);
    } catch (KubernetesClientException e) {
      if (!isConflict(e)) {
        throw e;
      }
      return look(begin);
    }
  }

  private boolean look(long begin) {
    Optional<Lease> present = store.get(name);
    if (present.isPresent() && isOwn(present.get())) {
      return store(store.replace(renewed(present.get())), begin);
    }
    if (own != null) {
      lost = true;
      own = null;
      observe(present.orElse(null), begin);
      return false;
    }
    boolean isFirst = !hasObserved;
    observe(present.orElse(null), begin);
    boolean isFree = present.isEmpty() ? isFirst : holder(present.get()).isEmpty();
    if (!isFree && begin - observedNanos < duration(present.orElse(null)).toNanos()) {
      return false;
    }
    acquired = time();
    return store(
        present.isEmpty()
            ? store.create(taken(new LeaseBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withLeaseTransitions(-1)
                .endSpec()
                .build()))
            : store.replace(taken(present.get())),
        begin);
  }

  private boolean store(Lease stored, long begin) {
    renewedNanos = begin;
    own = stored;
    return true;
  }

  private void observe(@Nullable Lease seen, long now) {
    if (!hasObserved || !isSame(observed, seen)) {
      observedNanos = now;
    }
    hasObserved = true;
    observed = seen;
  }

  private static boolean isSame(@Nullable Lease one, @Nullable Lease other) {
    if (one == null || other == null) {
      return one == null && other == null;
    }
    return Objects.equals(one.getSpec(), other.getSpec())
        && Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
  }

  /** The holder may have another configuration: the longer duration applies. */
  private Duration duration(@Nullable Lease lease) {
    Integer seconds =
        lease == null || lease.getSpec() == null ? null : lease.getSpec().getLeaseDurationSeconds();
    Duration ofHolder = seconds == null ? Duration.ZERO : Duration.ofSeconds(seconds);
    return ofHolder.compareTo(times.lease()) > 0 ? ofHolder : times.lease();
  }

  /**
   * {@return whether this candidate has stored the lease} Another process with the same identity
   * has acquired it at another time.
   */
  private boolean isOwn(Lease lease) {
    return holder(lease).equals(identity)
        && acquired != null
        && isSameTime(acquired, lease.getSpec().getAcquireTime());
  }

  private static boolean isSameTime(ZonedDateTime one, @Nullable ZonedDateTime other) {
    return other != null && one.toInstant().equals(other.toInstant());
  }

  private static String holder(@Nullable Lease lease) {
    return lease == null || lease.getSpec() == null
        ? ""
        : Strings.nullToEmpty(lease.getSpec().getHolderIdentity());
  }

  private Lease taken(Lease lease) {
    LeaseSpec before = Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
    Integer transitions = before.getLeaseTransitions();
    return renewed(new LeaseBuilder(lease)
        .editOrNewSpec()
        .withHolderIdentity(identity)
        .withAcquireTime(acquired)
        .withLeaseTransitions(transitions == null ? 1 : transitions + 1)
        .endSpec()
        .build());
  }

  private Lease renewed(Lease lease) {
    return new LeaseBuilder(lease)
        .editSpec()
        .withLeaseDurationSeconds((int) times.lease().toSeconds())
        .withRenewTime(time())
        .endSpec()
        .build();
  }

  private ZonedDateTime time() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    return now.atZone(ZoneOffset.UTC);
  }

  /**
   * Gives the lease back, so that another candidate can take it at once; call it when all work has
   * ended. Has no effect on a lease that is not held.
   */
  public synchronized void release() {
    Lease known = own;
    own = null;
    if (known == null) {
      return;
    }
    try {
      Lease unused = store.replace(new LeaseBuilder(known)
          .editSpec()
          .withHolderIdentity("")
          .withRenewTime(time())
          .endSpec()
          .build());
    } catch (KubernetesClientException e) {
      // It expires.
      problem = String.valueOf(e.getMessage());
    }
  }
}
