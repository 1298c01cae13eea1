package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.List;

/**
 * The pools of a {@link TpuPoolSet} as of an {@link io.kueue4j.core.EngineView}. Immutable and
 * thread-safe.
 *
 * @param name the name of the pool set
 * @param fleet the pools with the state of their hosts and the TPU slices in use; the owner of a
 *     TPU slice is its workload, such as {@code team-a/training}
 * @param unusable the TPU slices with a host that is down, in the order of their ids; workloads on
 *     them cannot continue
 * @since 0.1.0
 */
public record TpuPoolSetView(String name, TpuFleet fleet, List<TpuSlice> unusable) {
  /** Copies what it is given. */
  public TpuPoolSetView {
    unusable = ImmutableList.copyOf(unusable);
  }
}
