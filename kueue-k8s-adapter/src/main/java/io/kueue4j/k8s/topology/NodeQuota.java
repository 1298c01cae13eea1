package io.kueue4j.k8s.topology;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.resource.Quantity;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import org.immutables.value.Value;

/**
 * Computes quotas from the allocatable resources of nodes, minus a reserve.
 *
 * <p>A node counts if it is ready and schedulable, for the first flavor that matches it: one whose
 * labels it has, and whose tolerations and taints cover its own taints. For each resource, the
 * quota is the sum over the nodes, minus a fixed reserve, minus a percentage. Arithmetic is exact;
 * percentages are rounded up, and a quota is never below 0.
 *
 * <p>Does not watch nodes: when nodes change, compute the quotas again and apply the queue.
 * Workloads that hold more than the new quota keep it (rule Q-14).
 *
 * <pre>{@code
 * NodeQuota quota = NodeQuota.builder()
 *     .addResources("cpu", "nvidia.com/gpu").holdBack("cpu", "2").putPercentHeldBack("cpu", 5).build();
 * engine.apply(quota.applyTo(queue, flavors, tracker.nodes()));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class NodeQuota {
  private static final BigInteger HUNDRED = BigInteger.valueOf(100);

  NodeQuota() {}

  /** {@return a new builder; at least one resource is required} */
  public static Builder builder() {
    return ImmutableNodeQuota.builder();
  }

  /** {@return the resources for which quotas are computed} */
  public abstract Set<String> resources();

  /**
   * {@return the fixed reserve of each flavor, by resource: milli-units of cpu, whole units of
   * every other resource}
   */
  @Value.NaturalOrder
  public abstract SortedMap<String, Long> heldBack();

  /** {@return the reserve in percent of what nodes offer, by resource} */
  @Value.NaturalOrder
  public abstract SortedMap<String, Integer> percentHeldBack();

  /**
   * {@return whether to subtract the usage of other pods ({@link Node#usedByOthers}); false by
   * default}
   *
   * <p>If true, pass only pods that no queue manages to the {@link NodeTracker} that provides the
   * nodes: pods of admitted jobs already count against quota.
   */
  @Value.Default
  public boolean leavesOutOthers() {
    return false;
  }

  @Value.Check
  void check() {
    checkArgument(!resources().isEmpty(), "no resources; expected at least one, such as cpu");
    heldBack()
        .forEach((resource, amount) -> checkArgument(
            amount >= 0, "%s of %s is held back, expected 0 or more", amount, resource));
    percentHeldBack()
        .forEach((resource, percent) -> checkArgument(
            percent >= 0 && percent <= 100,
            "%s percent of %s is held back, expected 0 to 100",
            percent,
            resource));
  }

  /**
   * {@return the quotas of each flavor, in the given order; nodes that match no flavor do not
   * count}
   */
  public List<FlavorQuotas> quotas(List<ResourceFlavor> flavors, Iterable<? extends Node> nodes) {
    ImmutableListMultimap.Builder<String, Node> building = ImmutableListMultimap.builder();
    for (Node node : nodes) {
      flavorOf(node, flavors).ifPresent(flavor -> building.put(flavor.name(), node));
    }
    ImmutableListMultimap<String, Node> nodesOf = building.build();
    return flavors.stream()
        .map(flavor -> new FlavorQuotas(
            flavor.name(),
            resources().stream()
                .map(resource ->
                    ResourceQuota.ofAmount(resource, nominal(resource, nodesOf.get(flavor.name()))))
                .collect(toImmutableList())))
        .collect(toImmutableList());
  }

  /**
   * {@return the queue with nominal quotas set to what the nodes offer, for the resources that it
   * has quotas of}
   *
   * <p>Limits are kept; a lending limit above its quota is lowered to the quota.
   *
   * @param queue the queue
   * @param flavors the existing flavors; quotas of other flavors are kept
   * @param nodes the nodes
   */
  public ClusterQueue applyTo(
      ClusterQueue queue,
      Iterable<? extends ResourceFlavor> flavors,
      Iterable<? extends Node> nodes) {
    ImmutableMap<String, ResourceFlavor> byName =
        Maps.uniqueIndex(ImmutableList.copyOf(flavors), ResourceFlavor::name);
    ImmutableList<ResourceFlavor> inOrder = queue.flavors().stream()
        .flatMap(name -> Optional.ofNullable(byName.get(name)).stream())
        .distinct()
        .collect(toImmutableList());
    ImmutableMap<String, FlavorQuotas> offered =
        Maps.uniqueIndex(quotas(inOrder, nodes), FlavorQuotas::flavor);
    return ClusterQueue.builder()
        .from(queue)
        .resourceGroups(queue.resourceGroups().stream()
            .map(group -> group.withQuotas(
                (flavor, quota) -> offered(quota, Optional.ofNullable(offered.get(flavor)))))
            .collect(toImmutableList()))
        .build();
  }

  private static ResourceQuota offered(ResourceQuota quota, Optional<FlavorQuotas> offer) {
    return offer
        .flatMap(found -> found.resources().stream()
            .filter(offered -> offered.resource().equals(quota.resource()))
            .findFirst())
        .map(offered -> withNominal(quota, offered.nominalQuota()))
        .orElse(quota);
  }

  private static ResourceQuota withNominal(ResourceQuota quota, long nominal) {
    OptionalLong lending = quota.lendingLimit();
    return new ResourceQuota(
        quota.resource(),
        nominal,
        quota.borrowingLimit(),
        lending.isPresent() && lending.getAsLong() > nominal ? OptionalLong.of(nominal) : lending);
  }

  private long nominal(String resource, Collection<Node> nodes) {
    BigInteger offered = BigInteger.ZERO;
    BigInteger free = BigInteger.ZERO;
    for (Node node : nodes) {
      long allocatable = node.allocatable().getOrDefault(resource, 0L);
      long others = leavesOutOthers() ? node.usedByOthers().getOrDefault(resource, 0L) : 0;
      offered = offered.add(BigInteger.valueOf(allocatable));
      free = free.add(BigInteger.valueOf(Math.max(0, allocatable - Math.max(0, others))));
    }
    BigInteger[] percentage = offered
        .multiply(BigInteger.valueOf(percentHeldBack().getOrDefault(resource, 0)))
        .divideAndRemainder(HUNDRED);
    BigInteger roundedUp =
        percentage[1].signum() == 0 ? percentage[0] : percentage[0].add(BigInteger.ONE);
    return free.subtract(roundedUp)
        .subtract(BigInteger.valueOf(heldBack().getOrDefault(resource, 0L)))
        .max(BigInteger.ZERO)
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  private static Optional<ResourceFlavor> flavorOf(Node node, List<ResourceFlavor> flavors) {
    return node.ready() && !node.unschedulable()
        ? flavors.stream().filter(flavor -> belongsTo(node, flavor)).findFirst()
        : Optional.empty();
  }

  private static boolean belongsTo(Node node, ResourceFlavor flavor) {
    return node.labels().entrySet().containsAll(flavor.nodeLabels().entrySet())
        && node.taints().stream()
            .filter(taint -> taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE)
            .allMatch(taint -> isCovered(taint, flavor));
  }

  /** {@return whether pods admitted on the flavor may run on nodes with the taint} */
  private static boolean isCovered(Taint taint, ResourceFlavor flavor) {
    return flavor.nodeTaints().contains(taint)
        || flavor.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
  }

  /** Builds {@link NodeQuota}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Adds resources for which quotas are computed. */
    @CanIgnoreReturnValue
    public abstract Builder addResources(String... resources);

    /** Adds resources for which quotas are computed. */
    @CanIgnoreReturnValue
    public abstract Builder addAllResources(Iterable<String> resources);

    /**
     * Sets the fixed reserve of a resource, for each flavor.
     *
     * @throws IllegalArgumentException if {@code quantity} is not a quantity
     */
    @CanIgnoreReturnValue
    public Builder holdBack(String resource, String quantity) {
      return putHeldBack(resource, Quantity.amount(resource, quantity));
    }

    /** Sets the fixed reserve of a resource, for each flavor, in the engine's units. */
    @CanIgnoreReturnValue
    public abstract Builder putHeldBack(String resource, long amount);

    /** Sets the reserve of a resource in percent, for each flavor. */
    @CanIgnoreReturnValue
    public abstract Builder putPercentHeldBack(String resource, int percent);

    /** Sets whether to subtract the usage of other pods. */
    @CanIgnoreReturnValue
    public abstract Builder leavesOutOthers(boolean leavesOut);

    /**
     * {@return the quotas}
     *
     * @throws IllegalArgumentException if there is no resource, or a reserve is invalid
     */
    public abstract NodeQuota build();
  }
}
