package io.kueue4j.examples.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Adds up what stretches of work of one thread cost. Used by that thread only. */
public final class Stopwatch {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Cost total = Cost.NONE;
  private Cost begin = Cost.NONE;

  /** Creates a stopwatch that stands. */
  public Stopwatch() {}

  /** Begins a stretch. */
  public void start() {
    begin = read();
  }

  /** Ends the stretch. */
  public void stop() {
    total = total.plus(read().minus(begin));
  }

  /** {@return what all stretches cost} */
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
