package io.kueue4j.core.model;

/**
 * Maps workloads of a namespace to a ClusterQueue.
 *
 * <p>Kueue: {@code LocalQueue}. Rules: M-19, M-20.
 *
 * @param namespace the namespace
 * @param name the name, unique in the namespace
 * @param clusterQueue the ClusterQueue; it need not have been applied
 * @param stopPolicy whether workloads of this queue are admitted
 * @param fairSharing the weight of the queue in admission fair sharing
 * @since 0.1.0
 */
public record LocalQueue(
    String namespace,
    String name,
    String clusterQueue,
    StopPolicy stopPolicy,
    FairSharing fairSharing)
    implements ConfigObject {

  /** {@return a LocalQueue that is not stopped, with weight 1} */
  public static LocalQueue of(String namespace, String name, String clusterQueue) {
    return new LocalQueue(namespace, name, clusterQueue, StopPolicy.NONE, FairSharing.DEFAULT);
  }

  @Override
  public String key() {
    return "LocalQueue " + namespace + "/" + name;
  }
}
