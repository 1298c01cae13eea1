package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.internal.support.SingletonStyle;
import java.time.Duration;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * What happens to admitted workloads whose pods do not become ready. The defaults are Kueue's.
 *
 * <pre>{@code
 * PodsReadyPolicy.builder().timeout(Duration.ofMinutes(5)).backoffLimitCount(3).build();
 * }</pre>
 *
 * <p>Kueue: {@code waitForPodsReady} of its {@code Configuration}. Rules: L-14, L-15, L-16, L-17,
 * L-18, L-19, L-23.
 *
 * @since 0.1.0
 */
@Value.Immutable
@SingletonStyle
public abstract class PodsReadyPolicy {
  /** The maximum jitter that Kueue adds to a backoff delay, as a fraction of it. */
  public static final double MAX_JITTER = 0.0001;

  PodsReadyPolicy() {}

  /**
   * The time that orders a workload in its queue after an eviction because its pods were not ready.
   */
  public enum RequeuingTimestamp {
    /** The time of the eviction: the workload goes behind those created before the eviction. */
    EVICTION("Eviction"),
    /** The creation time: the workload keeps its place. */
    CREATION("Creation");

    private final String text;

    RequeuingTimestamp(String text) {
      this.text = text;
    }

    /** {@return the name in Kueue's configuration} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Lengthens backoff delays a little, so that workloads with equal delays return one after
   * another.
   */
  @FunctionalInterface
  public interface Jitter {
    /** No jitter. */
    Jitter NONE = (workload, requeueCount) -> 0;

    /**
     * {@return the jitter as a fraction of the delay, 0 to {@link #MAX_JITTER}}
     *
     * <p>Must depend on its arguments alone, because an engine and its forks call it separately,
     * and must not call the engine. If it throws or returns a value out of range, the delay has no
     * jitter and the failure is reported to {@code onJitterFailure} of the engine's builder. Only a
     * {@link VirtualMachineError} propagates to the caller of the engine, whose state is then
     * unchanged.
     *
     * @param workload the workload
     * @param requeueCount how often the pods of the workload were not ready in time
     */
    double of(WorkloadId workload, int requeueCount);
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the policy with Kueue's defaults} */
  public static PodsReadyPolicy defaults() {
    return ImmutablePodsReadyPolicy.of();
  }

  /**
   * {@return the time after admission within which all pods must be ready; 30 minutes by default}
   */
  @Value.Default
  public Duration timeout() {
    return Duration.ofMinutes(30);
  }

  /**
   * {@return the time within which pods that were ready must be ready again; 0 for no limit,
   * {@link #timeout()} by default}
   */
  @Value.Default
  public Duration recoveryTimeout() {
    return timeout();
  }

  /**
   * {@return whether admission waits while pods of an admitted workload are not ready; false by
   * default}
   */
  @Value.Default
  public boolean blockAdmission() {
    return false;
  }

  /**
   * {@return the time that orders a workload in its queue after an eviction because its pods were
   * not ready}
   */
  @Value.Default
  public RequeuingTimestamp requeuingTimestamp() {
    return RequeuingTimestamp.EVICTION;
  }

  /**
   * {@return how often a workload is requeued after its pods were not ready in time, before it is
   * deactivated; absent for no limit}
   */
  public abstract OptionalInt backoffLimitCount();

  /**
   * {@return the delay before the first retry; it doubles with each retry. 60 seconds by default}
   */
  @Value.Default
  public Duration backoffBase() {
    return Duration.ofMinutes(1);
  }

  /** {@return the maximum delay of later retries, 0 for no limit; one hour by default} */
  @Value.Default
  public Duration backoffMax() {
    return Duration.ofHours(1);
  }

  /** {@return the jitter added to delays; none by default} */
  @Value.Default
  public Jitter jitter() {
    return Jitter.NONE;
  }

  /** Rejects negative values. */
  @Value.Check
  void check() {
    checkNotNegative("timeout", timeout());
    checkNotNegative("recoveryTimeout", recoveryTimeout());
    checkNotNegative("backoffBase", backoffBase());
    checkNotNegative("backoffMax", backoffMax());
    checkArgument(
        backoffLimitCount().orElse(0) >= 0,
        "backoffLimitCount is %s; expected 0 or more",
        backoffLimitCount());
  }

  private static void checkNotNegative(String what, Duration duration) {
    checkArgument(!duration.isNegative(), "%s is %s; expected 0 or more", what, duration);
  }

  /**
   * Builds {@link PodsReadyPolicy}s; reusable, not thread-safe.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if a duration or the limit of
   * backoffs is negative.
   */
  public static final class Builder extends ImmutablePodsReadyPolicy.Builder {
    Builder() {}
  }
}
