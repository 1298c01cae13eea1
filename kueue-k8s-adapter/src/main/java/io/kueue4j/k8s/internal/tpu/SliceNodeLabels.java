package io.kueue4j.k8s.internal.tpu;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.TpuPool;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The node labels that select the assigned TPU slices for pods: the node pool if it is the slice,
 * the host if it is the slice, or partition ids.
 *
 * <p>Rules: TPU-U-20, TPU-U-23, TPU-U-26, TPU-U-28.
 *
 * @since 0.1.0
 */
public final class SliceNodeLabels {
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final String CUBE = "4x4x4";

  private SliceNodeLabels() {}

  /** {@return the keys of node labels with the values of the nodes of the slices} */
  public static Map<String, Set<String>> labels(List<SliceAssignment> slices) {
    ImmutableSetMultimap.Builder<String, String> labels = ImmutableSetMultimap.builder();
    for (SliceAssignment slice : slices) {
      SlicePlacement placement = slice.placement();
      if (placement.pool().kind() == TpuPool.Kind.CUBES_OCS) {
        String shape = placement.shape().chips() < placement.pool().chips().chips()
            ? placement.shape().toString()
            : CUBE;
        labels.putAll(TpuLabels.partitionId(shape), slice.partitionIds());
      } else if (placement.pool().hosts() == 1) {
        labels.putAll(HOSTNAME, slice.hosts());
      } else {
        labels.put(TpuLabels.NODE_POOL, slice.pool());
      }
    }
    return Multimaps.asMap(labels.build());
  }
}
