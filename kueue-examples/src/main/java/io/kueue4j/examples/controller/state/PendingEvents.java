package io.kueue4j.examples.controller.state;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.AdmissionResult.Pending;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.event.EventText;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Records why jobs wait: an event when the reason of a job changes, at most one per minute and job.
 *
 * <p>Decisions come first: while the controller has anything else to do, a job gets the event only
 * if it has waited for long. So a job that starts soon needs none.
 *
 * <p>Amounts alone are no other reason: they change whenever another job starts or ends.
 *
 * <p>Kueue: the event about a pending workload, and its condition {@code QuotaReserved}.
 */
public final class PendingEvents {
  /**
   * The minimum time between two events of a job; also how long a job waits at most until it is
   * said, however busy the controller is.
   */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final EngineBook book;
  private final JobEventRecorder events;
  private final Map<JobRecord, Said> said = new WeakHashMap<>();

  /** Why workloads wait of which that was not said yet, the longest waiting first. */
  private final Map<WorkloadId, Unsaid> unsaid = new LinkedHashMap<>();

  /** The newest unsaid reason of a workload, and since when it has had an unsaid reason. */
  private record Unsaid(Pending pending, Instant since) {}

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

  public PendingEvents(EngineBook book, JobEventRecorder events) {
    this.book = book;
    this.events = events;
  }

  /** Receives why workloads wait. */
  public void hear(Iterable<Pending> results) {
    results.forEach(pending -> unsaid.merge(
        pending.workload(),
        new Unsaid(pending, book.now()),
        (before, now) -> new Unsaid(pending, before.since())));
  }

  /**
   * Records why jobs wait, unless the last event of a job says the same; if that is too recent, the
   * next one waits.
   *
   * @param isIdle whether there is nothing else to do
   */
  public void report(boolean isIdle) {
    Instant due = isIdle ? Instant.MAX : book.now().minus(PAUSE);
    Iterator<Unsaid> all = unsaid.values().iterator();
    while (all.hasNext()) {
      Unsaid next = all.next();
      if (next.since().isAfter(due)) {
        return;
      }
      WorkloadId id = next.pending().workload();
      if (book.record(id)
          .filter(record -> book.admission(id).isEmpty() && !isSaid(record, next.pending()))
          .isEmpty()) {
        all.remove();
      }
    }
  }

  /** {@return whether nothing is left to say; says it if it may} */
  private boolean isSaid(JobRecord record, Pending pending) {
    ImmutableSet<Topic> topics = pending.reasons().stream()
        .filter(reason -> reason.code() != ReasonCode.NOT_TRIED_YET)
        .map(Topic::of)
        .collect(ImmutableSet.toImmutableSet());
    Instant now = book.now();
    Said last = said.get(record);
    if (topics.isEmpty()
        || (last != null && last.cause() == pending.cause() && last.topics().equals(topics))) {
      return true;
    }
    if (last != null && now.isBefore(last.time().plus(PAUSE))) {
      return false;
    }
    said.put(record, new Said(pending.cause(), topics, now));
    events.pending(
        record.job(),
        pending.cause().toString(),
        EventText.join(pending.reasons().stream().map(Reason::message).toList()));
    return true;
  }

  /** Forgets the last events of jobs that have quota now. */
  public void forget(Iterable<Admission> admissions) {
    admissions.forEach(admission -> book.record(admission.workload()).ifPresent(said::remove));
  }
}
