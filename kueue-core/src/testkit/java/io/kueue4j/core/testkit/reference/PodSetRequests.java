package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.Amount;

/**
 * What a number of pods of a pod set request together.
 *
 * <p>Rules: R-6, N-4; N-5 as section 17 of the rule index has it.
 *
 * @param podSet the pod set
 * @param count the number of pods
 * @param amounts what they request, by resource
 */
record PodSetRequests(PodSet podSet, int count, ImmutableMap<String, Long> amounts) {

  static PodSetRequests of(PodSet podSet, int count) {
    ImmutableMap.Builder<String, Long> amounts = ImmutableMap.builder();
    podSet
        .requests()
        .forEach((resource, amount) -> amounts.put(resource, Amount.multiply(amount, count)));
    return new PodSetRequests(podSet, count, amounts.buildOrThrow());
  }

  /** N-5: if all pods were reclaimed there is nothing to scale. */
  PodSetRequests scaledTo(int newCount) {
    if (newCount == count) {
      return this;
    }
    return count == 0
        ? new PodSetRequests(podSet, newCount, amounts)
        : PodSetRequests.of(podSet, newCount);
  }
}
