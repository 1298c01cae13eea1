package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import java.util.Comparator;
import java.util.Map;

/** The objective weighted by expected demand. Rules: TPU-F-15. */
final class DemandObjective implements PlacementObjective {
  private final ImmutableSortedMap<SliceShape, Integer> weights;

  DemandObjective(Map<SliceShape, Integer> weights) {
    this.weights = ImmutableSortedMap.copyOf(weights, Comparator.comparing(SliceShape::toString));
    this.weights.forEach((shape, weight) ->
        checkArgument(weight >= 0, "weight %s of shape %s, expected at least 0", weight, shape));
  }

  @Override
  public int values(int levels) {
    return 1 + KEEP_BLOCKS.values(levels);
  }

  @Override
  public long value(int index, PlacementCandidate candidate) {
    if (index > 0) {
      return KEEP_BLOCKS.value(index - 1, candidate);
    }
    long sum = 0;
    for (Map.Entry<SliceShape, Integer> entry : weights.entrySet()) {
      sum += (long) entry.getValue() * candidate.strandedHosts(entry.getKey());
    }
    return sum;
  }
}
