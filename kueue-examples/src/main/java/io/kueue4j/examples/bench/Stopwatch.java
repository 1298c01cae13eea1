package io.kueue4j.examples.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Adds up the cost of intervals of work of one thread. Must be used by that thread only. */
public final class Stopwatch {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Cost total = Cost.NONE;
  private Cost begin = Cost.NONE;

  /** Creates a stopped stopwatch. */
  public Stopwatch() {}

  /** Starts an interval. */
  public void start() {
    begin = read();
  }

  /** Ends the interval. */
  public void stop() {
    total = total.plus(read().minus(begin));
  }

  /** {@return the cost of all intervals} */
  public Cost total() {
    return total;
  }

  private static Cost read() {
    return new Cost(
        System.nanoTime(),
        THREADS.getCurrentThreadCpuTime(),
        THREADS.getCurrentThreadAllocatedBytes());
  }
}
