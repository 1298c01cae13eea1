package io.kueue4j.core.simulation;

import io.kueue4j.core.simulation.JobResult.Outcome;

/** What the log of a simulation records. The order of the constants is part of the digest. */
enum EventKind {
  SUBMITTED("submitted to"),
  REJECTED("rejected"),
  RESERVED("assigned quota on"),
  ADMITTED("admitted on"),
  PREEMPTED("preempted for"),
  EVICTED("evicted:"),
  STOPPED("stopped"),
  MOVED("moved to other nodes"),
  FINISHED("finished"),
  CANCELLED("cancelled"),
  DELETED("deleted"),
  REPLACED("replaced"),
  DEACTIVATED("deactivated"),
  CLUSTER_CHANGED("changed by event");

  private final String text;

  EventKind(String text) {
    this.text = text;
  }

  /** {@return the kind of the end of a job, which has the name of the outcome} */
  static EventKind of(Outcome end) {
    return valueOf(end.name());
  }

  /** {@return whether an event of this kind ends the present run of a job, if there is one} */
  boolean endsRun() {
    return switch (this) {
      case PREEMPTED, EVICTED, FINISHED, CANCELLED, DELETED, REPLACED, DEACTIVATED -> true;
      default -> false;
    };
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

  /** {@return the kind as a participle, with the preposition before its detail} */
  @Override
  public String toString() {
    return text;
  }
}
