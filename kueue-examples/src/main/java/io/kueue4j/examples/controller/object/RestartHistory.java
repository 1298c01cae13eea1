package io.kueue4j.examples.controller.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The number of preemptions shortly after the start, written to the job when it has stopped.
 *
 * @param shortRuns the number of consecutive short runs
 * @param waitUntil when it is queued again, empty if at once
 */
public record RestartHistory(int shortRuns, Optional<Instant> waitUntil) {
  private static final RestartHistory NONE = new RestartHistory(0, Optional.empty());

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
  public RestartHistory withRun(RestartBackoff backoff, Instant start, Instant end, Instant now) {
    if (Duration.between(start, end).compareTo(backoff.shortRun()) >= 0) {
      return NONE;
    }
    int runs = Math.min(shortRuns, Integer.MAX_VALUE - 1) + 1;
    Duration delay = backoff.delay(runs);
    return new RestartHistory(
        runs, delay.isZero() ? Optional.empty() : Optional.of(now.plus(delay)));
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
