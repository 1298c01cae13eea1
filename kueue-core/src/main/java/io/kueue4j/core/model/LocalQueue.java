package io.kueue4j.core.model;

import org.immutables.value.Value;

/**
 * Maps workloads of a namespace to a ClusterQueue.
 *
 * <p>Kueue: {@code LocalQueue}. Rules: M-19, M-20.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract non-sealed class LocalQueue implements ConfigObject {
  LocalQueue() {}

  /**
   * {@return a new builder; {@code namespace}, {@code name} and {@code clusterQueue} are required}
   */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a LocalQueue that is not stopped, with weight 1} */
  public static LocalQueue of(String namespace, String name, String clusterQueue) {
    return builder().namespace(namespace).name(name).clusterQueue(clusterQueue).build();
  }

  /** {@return the namespace} */
  public abstract String namespace();

  /** {@return the name, unique in the namespace} */
  public abstract String name();

  /** {@return the ClusterQueue; it need not have been applied} */
  public abstract String clusterQueue();

  /** {@return whether workloads of this queue are admitted; they are by default} */
  @Value.Default
  public StopPolicy stopPolicy() {
    return StopPolicy.NONE;
  }

  /**
   * {@return the weight of the queue in admission fair sharing, 0 or more; 1 by default; with
   * weight 0 it comes after all others}
   */
  @Value.Default
  public double fairSharingWeight() {
    return 1;
  }

  @Override
  public String key() {
    return "LocalQueue " + namespace() + "/" + name();
  }

  /** Builds {@link LocalQueue}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableLocalQueue.Builder {
    Builder() {}
  }
}
