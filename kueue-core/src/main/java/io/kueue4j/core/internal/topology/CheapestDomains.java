package io.kueue4j.core.internal.topology;

/**
 * The two domains with the lowest costs, in slices that they give up. The second one counts where
 * the first is used otherwise.
 *
 * <p>Rules: T-93.
 */
final class CheapestDomains {
  /** More than any costs. */
  static final long IMPOSSIBLE = 1L << 40;

  private int cheapest = -1;
  private long best = IMPOSSIBLE;
  private long second = IMPOSSIBLE;

  void add(int domain, long costs) {
    if (costs < best) {
      second = best;
      best = costs;
      cheapest = domain;
    } else {
      second = Math.min(second, costs);
    }
  }

  /** {@return the lowest costs, {@link #IMPOSSIBLE} or more if there is no domain} */
  long best() {
    return best;
  }

  /** {@return the lowest costs of a domain other than {@code domain}} */
  long bestExcept(int domain) {
    return domain == cheapest ? second : best;
  }

  /** {@return the lowest costs of two different domains, one of each} */
  long bestWith(CheapestDomains other) {
    return Math.min(best + other.bestExcept(cheapest), second + other.best);
  }
}
