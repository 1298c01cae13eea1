package io.kueue4j.examples.logging;

/** The least severe records that are logged. Names are the same as in SLF4J. */
public enum LogLevel {
  /** Failures only. */
  ERROR,
  /** What an operator should look at, too. */
  WARN,
  /** What happens to jobs, too. */
  INFO,
  /** Details for developers, too. */
  DEBUG
}
