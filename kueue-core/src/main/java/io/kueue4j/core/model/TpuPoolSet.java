package io.kueue4j.core.model;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;

/**
 * The pools of TPU chips that ResourceFlavors give slices of, and in what state their hosts are.
 *
 * <p>Flavors that name the same set share its hosts. Applying the set again changes the state of
 * hosts, or the pools; slices in use stay where they are, as far as their pool is still there.
 *
 * <pre>{@code
 * engine.apply(
 *     TpuPoolSet.of("v6e", TpuPool.grid("pod-0", TpuGeneration.V6E, SliceShape.parse("16x16"), 4)),
 *     ResourceFlavor.builder().name("tpu").tpuPoolSet("v6e").build());
 * }</pre>
 *
 * <p>Rules: TPU-F-1, TPU-F-2, TPU-F-22, TPU-U-23.
 *
 * @param name the name, which flavors refer to
 * @param fleet the pools with the state of their hosts, all with hosts of as many chips, and
 *     without slices: those are given by the engine
 * @param wholePools the ids of pools that are one slice each and cannot be divided, as the node
 *     pools of GKE are that have several hosts (rule TPU-U-23)
 */
public record TpuPoolSet(String name, TpuFleet fleet, ImmutableSet<String> wholePools)
    implements ConfigObject {
  /**
   * {@return the set of these pools, all of whose hosts are healthy}
   *
   * @throws IllegalArgumentException if there are none, two have one id, or they are of different
   *     generations
   */
  public static TpuPoolSet of(String name, TpuPool... pools) {
    return of(name, TpuFleet.of(pools));
  }

  /** {@return the set of the pools of a fleet, with the state of their hosts} */
  public static TpuPoolSet of(String name, TpuFleet fleet) {
    return new TpuPoolSet(name, fleet, ImmutableSet.of());
  }

  /** {@return this set with pools that are one slice each, by their ids} */
  public TpuPoolSet withWholePools(Iterable<String> ids) {
    return new TpuPoolSet(name, fleet, ImmutableSet.copyOf(ids));
  }

  @Override
  public String key() {
    return "TpuPoolSet " + name;
  }
}
