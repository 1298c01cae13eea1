package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuSlice;

/**
 * The pools of a {@link TpuPoolSet} at one moment. Immutable, safe for several threads.
 *
 * @param name the name of the pool set
 * @param fleet the pools with the state of their hosts and the slices in use; the owner of a slice
 *     is its workload, as in {@code team-a/training}
 * @param unusable the slices some of whose hosts are down, in the order of their ids: what runs on
 *     them cannot go on
 */
public record TpuPoolSetView(String name, TpuFleet fleet, ImmutableList<TpuSlice> unusable) {}
