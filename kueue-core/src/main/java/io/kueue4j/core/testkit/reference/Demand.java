package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What victims are searched for.
 *
 * <p>Rules: P-1, P-2, P-4, T-71.
 *
 * @param needed the pairs of which there is too little
 * @param requests what is asked for in all
 * @param hasPlace whether there is a place for all pods that need one
 */
record Demand(
    Set<FlavorResource> needed,
    ImmutableMap<FlavorResource, Long> requests,
    Predicate<Snapshot> hasPlace) {

  /** P-2. */
  static Demand of(Assignment assignment, Predicate<Snapshot> hasPlace) {
    return new Demand(assignment.needed(), ImmutableMap.copyOf(assignment.requests()), hasPlace);
  }

  /** F-17: quota only. */
  static Demand of(FlavorResource pair, long amount) {
    return new Demand(Set.of(pair), ImmutableMap.of(pair, amount), snapshot -> true);
  }

  /** P-4: holding an amount of 0 is enough. */
  boolean isServedBy(Holder holder) {
    return needed.stream().anyMatch(holder.usage()::containsKey);
  }
}
