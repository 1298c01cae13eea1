package io.kueue4j.examples.bench;

/**
 * What some work cost.
 *
 * @param nanos the time that passed
 * @param cpuNanos the time that the thread had a processor, which other programs disturb less
 * @param allocatedBytes what the thread allocated, short-lived or not
 */
public record Cost(long nanos, long cpuNanos, long allocatedBytes) {
  /** Nothing. */
  public static final Cost NONE = new Cost(0, 0, 0);

  /** {@return both together} */
  public Cost plus(Cost other) {
    return new Cost(
        nanos + other.nanos, cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
  }

  /** {@return what is left without {@code other}} */
  public Cost minus(Cost other) {
    return new Cost(
        nanos - other.nanos, cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
  }

  /** {@return the lesser of each} */
  public Cost min(Cost other) {
    return new Cost(
        Math.min(nanos, other.nanos),
        Math.min(cpuNanos, other.cpuNanos),
        Math.min(allocatedBytes, other.allocatedBytes));
  }

  /** {@return an even part of it} */
  public Cost dividedBy(long parts) {
    return new Cost(nanos / parts, cpuNanos / parts, allocatedBytes / parts);
  }
}
