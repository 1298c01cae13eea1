package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.simulation.EventLog;

/** What the log of a simulation records. The codes are part of the digest. */
final class EventKind {
  static final int SUBMITTED = 0;
  static final int REJECTED = 1;
  static final int RESERVED = 2;
  static final int ADMITTED = 3;
  static final int PREEMPTED = 4;
  static final int EVICTED = 5;
  static final int STOPPED = 6;
  static final int MOVED = 7;
  static final int FINISHED = 8;
  static final int CANCELLED = 9;
  static final int DELETED = 10;
  static final int REPLACED = 11;
  static final int DEACTIVATED = 12;
  static final int CLUSTER_CHANGED = 13;

  private static final ImmutableList<String> TEXTS = ImmutableList.of(
      "submitted to",
      "rejected",
      "assigned quota on",
      "admitted on",
      "preempted for",
      "evicted:",
      "stopped",
      "moved to other nodes",
      "finished",
      "cancelled",
      "deleted",
      "replaced",
      "deactivated",
      "changed by event");

  private EventKind() {}

  /** {@return the kind as a participle, with the preposition before its detail} */
  static String text(int kind) {
    return TEXTS.get(kind);
  }

  /** {@return the detail of an event in words; empty without one} */
  static String detail(EventLog log, int event, Trace trace) {
    int detail = log.detail(event);
    if (detail < 0) {
      return "";
    }
    return switch (log.kind(event)) {
      case PREEMPTED -> trace.job(detail).id().toString();
      case CLUSTER_CHANGED -> String.valueOf(detail);
      default -> log.name(detail);
    };
  }
}
