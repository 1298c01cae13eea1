package io.kueue4j.k8s.metrics;

import com.google.common.collect.ImmutableList;

/** The upper bounds of the buckets of Kueue's histograms, in seconds. */
final class Buckets {
  /** The default buckets of Prometheus' clients. */
  static final ImmutableList<Double> DEFAULT =
      ImmutableList.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

  /** For waiting times: up to almost three hours. */
  static final ImmutableList<Double> WAITING = waiting(14);

  /** For waiting and execution times: up to more than eleven hours. */
  static final ImmutableList<Double> LONG = waiting(16);

  /** For the creation of workloads: up to ten seconds. */
  static final ImmutableList<Double> CREATION = doubling(0.01, 11);

  private Buckets() {}

  private static ImmutableList<Double> waiting(int count) {
    return ImmutableList.<Double>builder()
        .add(1.0)
        .addAll(doubling(2.5, count - 1))
        .build();
  }

  private static ImmutableList<Double> doubling(double first, int count) {
    ImmutableList.Builder<Double> bounds = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      bounds.add(Math.scalb(first, i));
    }
    return bounds.build();
  }
}
