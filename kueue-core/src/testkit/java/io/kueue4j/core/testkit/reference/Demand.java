package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.KueueFix;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The demand that victims must satisfy.
 *
 * <p>Rules: P-1, P-2, P-4, T-71.
 *
 * @param needed the pairs with too little available
 * @param requests all requests
 * @param spared the workload that is not a candidate, if any (E-6)
 * @param hasPlace whether there is a place for all pods that need one
 */
record Demand(
    Set<FlavorResource> needed,
    ImmutableMap<FlavorResource, Long> requests,
    Optional<Holder> spared,
    Predicate<Snapshot> hasPlace) {

  /** P-2. */
  static Demand of(
      Specs specs, Assignment assignment, Optional<Holder> spared, Predicate<Snapshot> hasPlace) {
    boolean countsPods = specs.settings().includes(KueueFix.PODS_IN_SEARCHES_FOR_VICTIMS);
    return new Demand(
        assignment.needed(),
        ImmutableMap.copyOf(assignment.requests(countsPods)),
        spared,
        hasPlace);
  }

  /** F-17: quota only. */
  static Demand of(FlavorResource pair, long amount, Optional<Holder> spared) {
    return new Demand(Set.of(pair), ImmutableMap.of(pair, amount), spared, snapshot -> true);
  }

  /** P-4: holding an amount of 0 is enough. */
  boolean isServedBy(Holder holder) {
    return needed.stream().anyMatch(holder.usage()::containsKey)
        && !spared.equals(Optional.of(holder));
  }
}
