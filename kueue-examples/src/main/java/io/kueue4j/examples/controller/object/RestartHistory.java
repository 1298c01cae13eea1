package io.kueue4j.examples.controller.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.math.IntMath;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The number of preemptions shortly after the start, written to the job when it has stopped, and
 * the delay before the job is queued again.
 *
 * <p>The decisions of Kueue can form a cycle: a job that was preempted so that another could
 * reclaim its quota is queued before that one, and takes its place again, to be preempted again.
 * Neither makes progress. The first three preemptions within a minute cause no delay, as in Kueue;
 * after that each short run doubles the delay, from ten seconds to ten minutes. A long enough run
 * resets the history, and so does the removal of the annotation {@link JobAnnotations#RESTARTS}.
 *
 * @param shortRuns the number of consecutive short runs
 * @param waitUntil when it is queued again, empty if at once
 */
public record RestartHistory(int shortRuns, Optional<Instant> waitUntil) {
  private static final RestartHistory NONE = new RestartHistory(0, Optional.empty());

  private static final int FREE_RESTARTS = 3;
  private static final Duration SHORT_RUN = Duration.ofMinutes(1);
  private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
  private static final Duration MAX_DELAY = Duration.ofMinutes(10);

  /** {@return the history written to a job; empty if it cannot be read} */
  public static RestartHistory of(HasMetadata job) {
    String text = JobAnnotations.get(job, JobAnnotations.RESTARTS);
    if (text.isEmpty()) {
      return NONE;
    }
    try {
      JsonNode json = Json.parse(text);
      return new RestartHistory(
          Math.max(0, Json.number(json, "shortRuns")),
          json.has("waitUntil") ? Optional.of(Json.time(json, "waitUntil")) : Optional.empty());
    } catch (IllegalArgumentException e) {
      // It only causes a delay, so a corrupt value is ignored.
      return NONE;
    }
  }

  /** {@return the history with one more preempted run} */
  public RestartHistory withRun(Instant start, Instant end, Instant now) {
    if (Duration.between(start, end).compareTo(SHORT_RUN) >= 0) {
      return NONE;
    }
    int runs = IntMath.saturatedAdd(shortRuns, 1);
    return new RestartHistory(
        runs,
        runs <= FREE_RESTARTS
            ? Optional.empty()
            : Optional.of(
                now.plus(RetryDelays.after(runs - FREE_RESTARTS, FIRST_DELAY, MAX_DELAY))));
  }

  /** {@return the text of the annotation, empty for an empty history} */
  public Optional<String> text() {
    if (shortRuns == 0) {
      return Optional.empty();
    }
    ObjectNode json = Json.object().put("shortRuns", shortRuns);
    waitUntil.ifPresent(time -> json.put("waitUntil", time.toString()));
    return Optional.of(Json.text(json));
  }

  /** {@return why and until when a job is not queued, empty if it is} */
  public Optional<PutOff> putOff() {
    return waitUntil.map(time ->
        new PutOff(time, "preempted " + shortRuns + " times in a row as soon as it had started"));
  }

  /** Until when a job is not queued, and why. */
  public record PutOff(Instant until, String why) {
    /** {@return the message for humans} */
    public String message() {
      return why + "; queued again at " + until;
    }
  }
}
