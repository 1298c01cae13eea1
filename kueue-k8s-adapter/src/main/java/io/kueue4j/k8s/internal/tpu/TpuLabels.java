package io.kueue4j.k8s.internal.tpu;

/**
 * GKE's labels and annotations for TPUs. Rules: TPU-U-20, TPU-U-21, TPU-U-22.
 *
 * @since 0.1.0
 */
public final class TpuLabels {
  /** Label on a node: the generation of its chips, such as {@code tpu-v6e-slice}. */
  public static final String ACCELERATOR = "cloud.google.com/gke-tpu-accelerator";

  /** Label on a node: the shape of the slice that its node pool forms, such as {@code 2x4}. */
  public static final String TOPOLOGY = "cloud.google.com/gke-tpu-topology";

  /** Label on a node: the number of its chips. */
  public static final String ACCELERATOR_COUNT = "cloud.google.com/gke-accelerator-count";

  /** Label on a node: its node pool. */
  public static final String NODE_POOL = "cloud.google.com/gke-nodepool";

  /** Label on a node: the block, a group of cubes that optical switches connect. */
  public static final String BLOCK = "cloud.google.com/gce-topology-block";

  /**
   * Annotation on a pod: the shape of the slice that it runs on, smaller or larger than its node
   * pool.
   */
  public static final String SLICE_TOPOLOGY = "cloud.google.com/gke-tpu-slice-topology";

  /** Annotation on a JobSet: the node label whose domains each run exactly one of its jobs. */
  public static final String EXCLUSIVE_TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";

  private static final String PARTITION = "cloud.google.com/gke-tpu-partition-";

  private TpuLabels() {}

  /** {@return the node label with the id of its partition of that shape} */
  public static String partitionId(String shape) {
    return PARTITION + shape + "-id";
  }

  /** {@return the node label with the state of its partition of that shape} */
  public static String partitionState(String shape) {
    return PARTITION + shape + "-state";
  }
}
