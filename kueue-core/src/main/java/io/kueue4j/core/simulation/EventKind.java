package io.kueue4j.core.simulation;

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

  private EventKind() {}
}
