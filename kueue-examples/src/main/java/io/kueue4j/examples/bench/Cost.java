package io.kueue4j.examples.bench;

/**
 * The cost of some work.
 *
 * @param nanos the elapsed time
 * @param cpuNanos the processor time of the thread, which other programs disturb less
 * @param allocatedBytes the bytes allocated by the thread, whether retained or not
 */
public record Cost(long nanos, long cpuNanos, long allocatedBytes) {
  /** Nothing. */
  public static final Cost NONE = new Cost(0, 0, 0);

  /** {@return the sum of both} */
  public Cost plus(Cost other) {
    return new Cost(
        nanos + other.nanos, cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
  }

  /** {@return the difference} */
  public Cost minus(Cost other) {
    return new Cost(
        nanos - other.nanos, cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
  }

  /** {@return the minimum of each value} */
  public Cost min(Cost other) {
    return new Cost(
        Math.min(nanos, other.nanos),
        Math.min(cpuNanos, other.cpuNanos),
        Math.min(allocatedBytes, other.allocatedBytes));
  }

  /** {@return the average over {@code parts}} */
  public Cost dividedBy(long parts) {
    return new Cost(nanos / parts, cpuNanos / parts, allocatedBytes / parts);
  }
}
