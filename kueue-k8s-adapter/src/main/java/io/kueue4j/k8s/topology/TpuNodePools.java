package io.kueue4j.k8s.topology;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.tpu.FlavorPools;
import io.kueue4j.k8s.internal.tpu.TpuLabels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes pools of TPU chips of GKE's nodes, so that an engine gives chips as slices.
 *
 * <p>A flavor whose node labels name {@code cloud.google.com/gke-tpu-accelerator}, and that has no
 * topology, is given a {@link io.kueue4j.core.model.TpuPoolSet} of its own name with the nodes that
 * have all its labels:
 *
 * <ul>
 *   <li>a node pool of several hosts is one slice, which is given as a whole (rule TPU-U-23);
 *   <li>of a node pool whose nodes are slices of one host, each node is a pool;
 *   <li>nodes with partition ids of v7x are cubes, of which those with one
 *       {@code cloud.google.com/gce-topology-block} are a pool (rules TPU-U-25, TPU-U-26).
 * </ul>
 *
 * <p>A host is down while its node is not ready or missing. While it is cordoned no new slice comes
 * there. A partition of a cube has the state of its own label: a small one can be healthy in a cube
 * that is not, and a degraded one is used unless pods exclude it by node affinity. A cube of which
 * only the id of 4x4x4 is known is used whole.
 *
 * <pre>{@code
 * engine.apply(TpuNodePools.configure(manifests.configObjects()));   // and again when nodes change
 * }</pre>
 *
 * <p>Rules: TPU-U-1, TPU-U-20, TPU-U-23, TPU-U-25, TPU-U-26, TPU-U-31.
 */
public final class TpuNodePools {
  private TpuNodePools() {}

  /**
   * {@return the objects, with pool sets added, and set in the flavors of TPU nodes}
   *
   * <p>A flavor without nodes is unchanged. The result covers all given nodes and flavors; applying
   * it again after nodes were added, removed or changed brings the engine up to date.
   *
   * @param objects at least all flavors and nodes
   * @throws InvalidConfigurationException if the labels of nodes contradict each other or the
   *     hardware; names every such node and the valid values
   */
  public static List<ConfigObject> configure(Iterable<? extends ConfigObject> objects) {
    List<Node> nodes = ImmutableList.copyOf(objects).stream()
        .filter(Node.class::isInstance)
        .map(Node.class::cast)
        .collect(toImmutableList());
    ImmutableList.Builder<ConfigObject> configured = ImmutableList.builder();
    ImmutableList.Builder<Violation> violations = ImmutableList.builder();
    for (ConfigObject object : objects) {
      if (object instanceof ResourceFlavor flavor && isOfTpus(flavor)) {
        FlavorPools pools = new FlavorPools(flavor.name(), of(flavor, nodes));
        configured.addAll(pools.poolSet().stream().toList());
        configured.add(
            pools.poolSet().isPresent()
                ? ResourceFlavor.builder()
                    .from(flavor)
                    .tpuPoolSet(flavor.name())
                    .build()
                : flavor);
        violations.addAll(pools.violations());
      } else {
        configured.add(object);
      }
    }
    List<Violation> found = violations.build();
    if (!found.isEmpty()) {
      throw new InvalidConfigurationException(found.stream().distinct().collect(toImmutableList()));
    }
    return configured.build();
  }

  /**
   * {@return what to apply to an engine when some objects have changed: these, and the flavors and
   * pool sets that are others with them}
   *
   * @param known the configuration so far, by {@link ConfigObject#key()}, as it was before
   *     {@link #configure(Iterable)}
   * @param changed the objects that are new or have changed
   * @throws InvalidConfigurationException if the labels of nodes contradict each other or the
   *     hardware; names every such node and the valid values
   * @since 0.1.0
   */
  public static List<ConfigObject> configure(
      Map<String, ConfigObject> known, Iterable<? extends ConfigObject> changed) {
    Map<String, ConfigObject> latest = new LinkedHashMap<>();
    changed.forEach(object -> latest.put(object.key(), object));
    Map<String, ConfigObject> all = new LinkedHashMap<>(known);
    all.putAll(latest);
    return configure(all.values()).stream()
        .filter(object -> latest.containsKey(object.key()) || !object.equals(all.get(object.key())))
        .collect(toImmutableList());
  }

  /**
   * {@return whether a flavor of TPU nodes has a topology, so that it gets no pools: its chips are
   * placed by the topology, and not given as slices}
   */
  public static boolean isPlacedByTopology(ResourceFlavor flavor) {
    return flavor.nodeLabels().containsKey(TpuLabels.ACCELERATOR)
        && flavor.topologyName().isPresent();
  }

  private static boolean isOfTpus(ResourceFlavor flavor) {
    return flavor.nodeLabels().containsKey(TpuLabels.ACCELERATOR)
        && flavor.topologyName().isEmpty();
  }

  private static ImmutableList<Node> of(ResourceFlavor flavor, List<Node> nodes) {
    return nodes.stream()
        .filter(node -> node.labels().entrySet().containsAll(flavor.nodeLabels().entrySet()))
        .collect(toImmutableList());
  }
}
