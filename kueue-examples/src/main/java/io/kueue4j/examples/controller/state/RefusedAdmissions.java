package io.kueue4j.examples.controller.state;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.controller.object.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;

/** Reports refused admissions by an event, which is logged, and in the view. */
public final class RefusedAdmissions {
  /** The reason for stopping a job that runs without a valid record, in one word. */
  public static final String REFUSED = "AdmissionRefused";

  private static final int MAX = 100;

  /**
   * An admission that the controller refused.
   *
   * @param time when it was seen
   * @param job its job
   * @param reason why it was refused
   */
  public record RefusedAdmission(Instant time, ObjectKey job, String reason) {}

  private final JobEventRecorder events;
  private final InstantSource clock;
  private final EvictingQueue<RefusedAdmission> latest = EvictingQueue.create(MAX);

  public RefusedAdmissions(JobEventRecorder events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
  }

  /** Reports why an admission is refused, unless that was the last report about its job. */
  public void report(JobRecord record, String reason) {
    if (record.memory().isNews(reason)) {
      latest.add(new RefusedAdmission(clock.instant(), record.key(), reason));
      events.warning(record.job(), REFUSED, reason);
    }
  }

  /** {@return the latest, newest first} */
  public ImmutableList<RefusedAdmission> latest() {
    return ImmutableList.copyOf(latest).reverse();
  }
}
