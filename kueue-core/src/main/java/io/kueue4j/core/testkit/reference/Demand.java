package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import java.util.Set;

/**
 * What victims are searched for.
 *
 * <p>Rules: P-1, P-2, P-4.
 *
 * @param needed the pairs of which there is too little
 * @param requests what is asked for in all
 */
record Demand(Set<FlavorResource> needed, ImmutableMap<FlavorResource, Long> requests) {
  static Demand of(Assignment assignment) {
    return new Demand(assignment.needed(), ImmutableMap.copyOf(assignment.requests()));
  }

  /** P-4: holding an amount of 0 is enough. */
  boolean isServedBy(Holder holder) {
    return needed.stream().anyMatch(holder.usage()::containsKey);
  }
}
