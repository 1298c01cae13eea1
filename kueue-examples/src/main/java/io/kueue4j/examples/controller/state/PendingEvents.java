package io.kueue4j.examples.controller.state;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.AdmissionResult.Pending;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.examples.controller.event.EventText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Records why jobs wait: an event when the reason of a job changes, at most one per minute and job.
 *
 * <p>Amounts alone are no other reason: they change whenever another job starts or ends.
 *
 * <p>Kueue: the event about a pending workload, and its condition {@code QuotaReserved}.
 */
public final class PendingEvents {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final EngineBook book;
  private final JobEventRecorder events;
  private final InstantSource clock;
  private final Map<JobRecord, Said> said = new WeakHashMap<>();

  /** What the last event of a job was about. */
  private record Said(PendingCause cause, ImmutableSet<Topic> topics, Instant time) {}

  /** A reason without its amounts. */
  private record Topic(
      ReasonCode code,
      Optional<String> podSet,
      Optional<String> flavor,
      Optional<String> resource) {
    static Topic of(Reason reason) {
      return new Topic(reason.code(), reason.podSet(), reason.flavor(), reason.resource());
    }
  }

  public PendingEvents(EngineBook book, JobEventRecorder events, InstantSource clock) {
    this.book = book;
    this.events = events;
    this.clock = clock;
  }

  /** Records why jobs wait, unless the last event of a job says the same or is too recent. */
  public void report(Iterable<Pending> results) {
    results.forEach(
        pending -> book.record(pending.workload()).ifPresent(record -> report(record, pending)));
  }

  private void report(JobRecord record, Pending pending) {
    ImmutableSet<Topic> topics = pending.reasons().stream()
        .filter(reason -> reason.code() != ReasonCode.NOT_TRIED_YET)
        .map(Topic::of)
        .collect(ImmutableSet.toImmutableSet());
    Instant now = clock.instant();
    Said last = said.get(record);
    if (topics.isEmpty()
        || (last != null
            && ((last.cause() == pending.cause() && last.topics().equals(topics))
                || now.isBefore(last.time().plus(PAUSE))))) {
      return;
    }
    said.put(record, new Said(pending.cause(), topics, now));
    events.pending(
        record.job(),
        pending.cause().toString(),
        EventText.join(pending.reasons().stream().map(Reason::message).toList()));
  }

  /** Forgets the last events of jobs that have quota now. */
  public void forget(Iterable<Admission> admissions) {
    admissions.forEach(admission -> book.record(admission.workload()).ifPresent(said::remove));
  }
}
