package io.kueue4j.k8s.job;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Completes {@code generateName} like the API server, but with a counter, so that names are
 * reproducible.
 */
final class GeneratedNames implements UnaryOperator<String> {
  private static final int MAX_PREFIX = 58;
  private static final int NUMBERS = 100_000;

  private final AtomicInteger next = new AtomicInteger();

  @Override
  public String apply(String prefix) {
    return prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX))
        + String.format(Locale.ROOT, "%05d", Math.floorMod(next.incrementAndGet(), NUMBERS));
  }
}
