package io.kueue4j.examples.controller;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import java.time.InstantSource;

/** Reports refused notes by an event, which is logged, and in the view. */
final class RefusedNotes {
  private static final int MAX = 100;

  private final JobEvents events;
  private final InstantSource clock;
  private final EvictingQueue<RefusedNote> latest = EvictingQueue.create(MAX);

  RefusedNotes(JobEvents events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
  }

  /** Reports a note, unless that was the last report about its job. */
  void report(JobRecord record, String reason) {
    if (record.notes().isNews(reason)) {
      ObjectKey key = record.key();
      latest.add(new RefusedNote(clock.instant(), key.kind(), key.namespace(), key.name(), reason));
      events.warning(record.job(), NoteReading.Refusal.REASON, reason);
    }
  }

  /** {@return the latest, newest first} */
  ImmutableList<RefusedNote> latest() {
    return ImmutableList.copyOf(latest).reverse();
  }
}
