package io.kueue4j.core.model;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Quantity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.immutables.value.Value;

/**
 * Capacity that is kept free from a time to a time: amounts of a ClusterQueue, or nodes.
 *
 * <p>Only its <i>beneficiaries</i> may use what it keeps: workloads that it names, or workloads of
 * LocalQueues or namespaces that it names. A window without beneficiaries is for maintenance. Any
 * other workload waits if it would still run in the window, by its expected duration, and does not
 * fit beside what the window keeps. A workload of unknown duration runs for ever.
 *
 * <p>No workload is evicted when a window begins. What runs then goes on.
 *
 * <pre>{@code
 * engine.apply(CapacityWindow.builder()
 *     .name("maintenance-7")
 *     .start(Instant.parse("2026-03-01T08:00:00Z"))
 *     .end(Instant.parse("2026-03-01T12:00:00Z"))
 *     .clusterQueue("research")
 *     .keep("default", "cpu", "10")
 *     .build());
 * }</pre>
 *
 * @see io.kueue4j.core.decision.Settings#backfill()
 * @since 0.1.0
 */
@Value.Immutable
public abstract non-sealed class CapacityWindow implements ConfigObject {
  CapacityWindow() {}

  /** {@return a new builder; {@code name}, {@code start} and {@code end} are required} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * An amount that a window keeps.
   *
   * @param flavor the flavor
   * @param resource the resource
   * @param amount milli-units of {@code cpu}, whole units of every other resource
   * @since 0.1.0
   */
  public record KeptAmount(String flavor, String resource, long amount) {}

  /** {@return the name} */
  public abstract String name();

  /** {@return when it begins} */
  public abstract Instant start();

  /** {@return when it ends; workloads may start again at this time} */
  public abstract Instant end();

  /** {@return the ClusterQueue whose amounts it keeps; absent if it keeps nodes} */
  public abstract Optional<String> clusterQueue();

  /**
   * {@return the amounts that it keeps: quota of the ClusterQueue first, then what it may borrow}
   * What beneficiaries use of the ClusterQueue counts against them.
   */
  public abstract List<KeptAmount> amounts();

  /**
   * {@return the labels of the nodes that it keeps; empty if it keeps amounts} It keeps them from
   * pods that the engine places by a topology, and from TPU slices, if the hosts of their pool have
   * names of nodes.
   */
  @Value.NaturalOrder
  public abstract SortedMap<String, String> nodeLabels();

  /** {@return the workloads that may use what it keeps} */
  public abstract List<WorkloadId> workloads();

  /** {@return the LocalQueues whose workloads may use what it keeps, as {@code namespace/name}} */
  public abstract List<String> localQueues();

  /** {@return the namespaces whose workloads may use what it keeps} */
  public abstract List<String> namespaces();

  /**
   * {@return whether a workload is a beneficiary}
   *
   * @param workload the workload
   * @param localQueue its LocalQueue, as {@code namespace/name}
   */
  public boolean isFor(WorkloadId workload, String localQueue) {
    return workloads().contains(workload)
        || localQueues().contains(localQueue)
        || namespaces().contains(workload.namespace());
  }

  @Override
  public String key() {
    return "CapacityWindow " + name();
  }

  /**
   * Builds {@link CapacityWindow}s; reusable, not thread-safe.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutableCapacityWindow.Builder {
    Builder() {}

    /**
     * Keeps an amount, in Kubernetes notation.
     *
     * @throws IllegalArgumentException if {@code quantity} is not a quantity
     */
    @CanIgnoreReturnValue
    public Builder keep(String flavor, String resource, String quantity) {
      return addAmounts(new KeptAmount(flavor, resource, Quantity.amount(resource, quantity)));
    }
  }
}
