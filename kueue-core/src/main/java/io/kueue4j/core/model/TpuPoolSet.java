package io.kueue4j.core.model;

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
 * <p>Rules: TPU-F-1, TPU-F-2, TPU-F-22.
 *
 * @param name the name, which flavors refer to
 * @param fleet the pools with the state of their hosts, all with hosts of as many chips, and
 *     without slices: those are given by the engine
 */
public record TpuPoolSet(String name, TpuFleet fleet) implements ConfigObject {
  /**
   * {@return the set of these pools, all of whose hosts are healthy}
   *
   * @throws IllegalArgumentException if there are none, two have one id, or they are of different
   *     generations
   */
  public static TpuPoolSet of(String name, TpuPool... pools) {
    return new TpuPoolSet(name, TpuFleet.of(pools));
  }

  @Override
  public String key() {
    return "TpuPoolSet " + name;
  }
}
