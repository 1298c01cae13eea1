package io.kueue4j.core.internal.attempt;

import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A preemption that limits or strict settings do not allow now.
 *
 * <p>Rules: PL-1, PL-2, PL-3, SP-1, SP-2.
 *
 * @param reason why, with figures; null if the preemption would not be possible without limits
 * @param retry when the limits may allow it, {@link Instant#MAX} if time alone does not help
 */
public record Refusal(@Nullable Reason reason, Instant retry) {
  /** {@return the beginning of a detail} */
  public static String wouldPreempt(long count) {
    return "would preempt " + count + (count == 1 ? " workload" : " workloads");
  }

  /**
   * {@return a refusal, whose reason also says until when}
   *
   * @param detail why in words, null if the preemption would not be possible without limits
   */
  public static Refusal of(@Nullable String detail, long retryMillis) {
    boolean isForEver = retryMillis == Long.MAX_VALUE;
    Instant retry = isForEver ? Instant.MAX : Instant.ofEpochMilli(retryMillis);
    if (detail == null) {
      return new Refusal(null, retry);
    }
    String until = isForEver ? "" : "; tried again at " + retry;
    return new Refusal(Reason.of(ReasonCode.PREEMPTION_LIMITED, detail + until), retry);
  }
}
