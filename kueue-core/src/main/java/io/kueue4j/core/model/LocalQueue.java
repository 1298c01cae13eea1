package io.kueue4j.core.model;

/**
 * The door of a namespace to a ClusterQueue.
 *
 * <p>Kueue: {@code LocalQueue}. Rules: M-19, M-20.
 *
 * @param namespace the namespace
 * @param name the name, unique in the namespace
 * @param clusterQueue the ClusterQueue; it need not have been applied
 * @param stopPolicy whether workloads submitted here take part
 * @param fairSharing its weight in admission fair sharing
 */
public record LocalQueue(
    String namespace,
    String name,
    String clusterQueue,
    StopPolicy stopPolicy,
    FairSharing fairSharing)
    implements ConfigObject {

  /** {@return an open LocalQueue} */
  public static LocalQueue of(String namespace, String name, String clusterQueue) {
    return new LocalQueue(namespace, name, clusterQueue, StopPolicy.NONE, FairSharing.DEFAULT);
  }

  @Override
  public String key() {
    return "LocalQueue " + namespace + "/" + name;
  }
}
