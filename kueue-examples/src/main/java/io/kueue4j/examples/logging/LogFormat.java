package io.kueue4j.examples.logging;

/** The form of a log; each record is one line. */
public enum LogFormat {
  /** Time, level, logger, message, and {@code key=value} pairs. */
  TEXT,
  /** An object with the fields time, level, logger, thread, message, and one per key. */
  JSON
}
