package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.support.SingletonStyle;
import java.time.Duration;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * What happens to admitted workloads whose pods do not run. The defaults are Kueue's.
 *
 * <pre>{@code
 * PodsReadyPolicy.builder().timeout(Duration.ofMinutes(5)).backoffLimitCount(3).build();
 * }</pre>
 *
 * <p>Kueue: {@code waitForPodsReady} of its {@code Configuration}. Rules: L-14 … L-19, L-23.
 */
@Value.Immutable
@SingletonStyle
public abstract class PodsReadyPolicy {
  /** How much longer than reckoned Kueue lets workloads wait at most, as a fraction. */
  public static final double MAX_JITTER = 0.0001;

  PodsReadyPolicy() {}

  /** By what time a workload is ordered that was told to stop because its pods were not ready. */
  public enum RequeuingTimestamp {
    /** When it was told to stop: behind those that came before that. */
    EVICTION("Eviction"),
    /** When it was created: where it was before. */
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

  /** Makes workloads that wait equally long come back one after another. */
  @FunctionalInterface
  public interface Jitter {
    /** None: every delay is as long as reckoned. */
    Jitter NONE = (workload, requeueCount) -> 0;

    /**
     * {@return by which fraction the delay is longer than reckoned, 0 to {@link #MAX_JITTER}}
     *
     * <p>Must depend on its arguments alone: an engine and its studies ask each for itself. Must
     * not call the engine. If it throws, or returns anything else, the delay has no jitter and the
     * failure is reported to {@code onJitterFailure} of the engine's builder, so that one workload
     * cannot keep the engine from deciding on all others; only a {@link VirtualMachineError}
     * reaches the caller of the engine, which then is as it was before the call.
     *
     * @param workload the workload
     * @param requeueCount how often its pods were not ready in time
     */
    double of(WorkloadId workload, int requeueCount);
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return ImmutablePodsReadyPolicy.builder();
  }

  /** {@return the policy of Kueue as installed} */
  public static PodsReadyPolicy defaults() {
    return ImmutablePodsReadyPolicy.of();
  }

  /** {@return how long after its admission the pods of a workload may take to be ready} */
  @Value.Default
  public Duration timeout() {
    return Duration.ofMinutes(30);
  }

  /**
   * {@return how long pods may take to be ready again that have been; 0 for as long as they like}
   */
  @Value.Default
  public Duration recoveryTimeout() {
    return timeout();
  }

  /** {@return whether nothing is admitted while pods of something admitted are not ready} */
  @Value.Default
  public boolean blockAdmission() {
    return false;
  }

  /** {@return by what time workloads are ordered whose pods were not ready in time} */
  @Value.Default
  public RequeuingTimestamp requeuingTimestamp() {
    return RequeuingTimestamp.EVICTION;
  }

  /**
   * {@return how often pods may be not ready in time before the workload is deactivated, absent for
   * any number}
   */
  public abstract OptionalInt backoffLimitCount();

  /** {@return how long a workload waits after the first time; each time doubles it} */
  @Value.Default
  public Duration backoffBase() {
    return Duration.ofMinutes(1);
  }

  /** {@return how long a workload waits at most after later times, 0 for any time} */
  @Value.Default
  public Duration backoffMax() {
    return Duration.ofHours(1);
  }

  /** {@return by how much delays differ from those reckoned, not at all unless set} */
  @Value.Default
  public Jitter jitter() {
    return Jitter.NONE;
  }

  /** Refuses what is negative. */
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

  /** Builds {@link PodsReadyPolicy}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets how long pods may take to be ready. */
    @CanIgnoreReturnValue
    public abstract Builder timeout(Duration timeout);

    /** Sets how long pods may take to be ready again, the timeout unless set. */
    @CanIgnoreReturnValue
    public abstract Builder recoveryTimeout(Duration timeout);

    /** Sets whether nothing is admitted while pods are not ready. */
    @CanIgnoreReturnValue
    public abstract Builder blockAdmission(boolean blockAdmission);

    /** Sets by what time workloads are ordered whose pods were not ready in time. */
    @CanIgnoreReturnValue
    public abstract Builder requeuingTimestamp(RequeuingTimestamp timestamp);

    /** Sets how often pods may be not ready in time. */
    @CanIgnoreReturnValue
    public abstract Builder backoffLimitCount(int count);

    /** Sets how long a workload waits after the first time. */
    @CanIgnoreReturnValue
    public abstract Builder backoffBase(Duration delay);

    /** Sets how long a workload waits at most. */
    @CanIgnoreReturnValue
    public abstract Builder backoffMax(Duration delay);

    /** Sets by how much delays differ from those reckoned. */
    @CanIgnoreReturnValue
    public abstract Builder jitter(Jitter jitter);

    /** {@return the policy} */
    public abstract PodsReadyPolicy build();
  }
}
