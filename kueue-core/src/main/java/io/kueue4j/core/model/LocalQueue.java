package io.kueue4j.core.model;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
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
    return ImmutableLocalQueue.builder();
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

  /** {@return the weight of the queue in admission fair sharing; 1 by default} */
  @Value.Default
  public FairSharing fairSharing() {
    return FairSharing.DEFAULT;
  }

  @Override
  public String key() {
    return "LocalQueue " + namespace() + "/" + name();
  }

  /** Builds {@link LocalQueue}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the namespace. */
    @CanIgnoreReturnValue
    public abstract Builder namespace(String namespace);

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets the ClusterQueue. */
    @CanIgnoreReturnValue
    public abstract Builder clusterQueue(String clusterQueue);

    /** Sets whether workloads of this queue are admitted. */
    @CanIgnoreReturnValue
    public abstract Builder stopPolicy(StopPolicy stopPolicy);

    /** Sets the weight. */
    @CanIgnoreReturnValue
    public abstract Builder fairSharing(FairSharing fairSharing);

    /** Copies every value of {@code queue}. */
    @CanIgnoreReturnValue
    public abstract Builder from(LocalQueue queue);

    /**
     * {@return the LocalQueue}
     *
     * @throws IllegalStateException if the namespace, the name or the ClusterQueue is missing
     */
    public abstract LocalQueue build();
  }
}
