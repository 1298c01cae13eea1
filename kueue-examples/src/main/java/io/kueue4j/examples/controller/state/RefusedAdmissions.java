package io.kueue4j.examples.controller.state;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.controller.object.ObjectKey;
import java.time.InstantSource;

/** Reports refused admissions by an event, which is logged, and in the view. */
public final class RefusedAdmissions {
  /** The reason for stopping a job that runs without a valid record, in one word. */
  public static final String REFUSED = "AdmissionRefused";

  private static final int MAX = 100;

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
      ObjectKey key = record.key();
      latest.add(
          new RefusedAdmission(clock.instant(), key.kind(), key.namespace(), key.name(), reason));
      events.warning(record.job(), REFUSED, reason);
    }
  }

  /** {@return the latest, newest first} */
  public ImmutableList<RefusedAdmission> latest() {
    return ImmutableList.copyOf(latest).reverse();
  }
}
