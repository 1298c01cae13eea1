package io.kueue4j.core.model;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.Set;

/**
 * A named set of TPU pools from which ResourceFlavors provide TPU slices, with the health of their
 * hosts.
 *
 * <p>Flavors that name the same set share its hosts. Applying the set again changes the pools or
 * the health of hosts; slices in use stay on their hosts as long as their pool exists.
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
 * @param fleet the pools with the health of their hosts. All hosts have the same number of chips,
 *     and no slice is in use, because the engine assigns the slices
 * @param wholePools the ids of pools that form one slice each and cannot be divided, like
 *     multi-host node pools of GKE (rule TPU-U-23)
 * @since 0.1.0
 */
public record TpuPoolSet(String name, TpuFleet fleet, Set<String> wholePools)
    implements ConfigObject {
  /** Copies what it is given. */
  public TpuPoolSet {
    wholePools = ImmutableSet.copyOf(wholePools);
  }

  /**
   * {@return the set of these pools with all hosts healthy}
   *
   * @throws IllegalArgumentException if there are none, two have one id, or they are of different
   *     generations
   */
  public static TpuPoolSet of(String name, TpuPool... pools) {
    return of(name, TpuFleet.of(pools));
  }

  /** {@return the set of the pools of a fleet, with the health of their hosts} */
  public static TpuPoolSet of(String name, TpuFleet fleet) {
    return new TpuPoolSet(name, fleet, ImmutableSet.of());
  }

  /** {@return this set with the pools of these ids indivisible} */
  public TpuPoolSet withWholePools(Iterable<String> ids) {
    return new TpuPoolSet(name, fleet, ImmutableSet.copyOf(ids));
  }

  @Override
  public String key() {
    return "TpuPoolSet " + name;
  }
}
