package io.kueue4j.core.model;

import java.util.Optional;

/**
 * Lets the workloads of a ClusterQueue try all its flavors at once, with one variant of the
 * workload per flavor, and decides whether admitted workloads move to better flavors. A flavor is
 * better than those that follow it in the queue.
 *
 * <p>Ignored while the feature gate {@code ConcurrentAdmission} is off, and for elastic workloads.
 *
 * <p>Kueue: {@code ClusterQueue.spec.concurrentAdmissionPolicy}. Rules: CA-1.
 *
 * @param mode whether admitted workloads move to better flavors
 * @param lastAcceptableFlavor the last flavor in the queue's order that workloads move to, absent
 *     for any; only with {@link Mode#TRY_PREFERRED_FLAVORS}
 * @since 0.1.0
 */
public record ConcurrentAdmissionPolicy(Mode mode, Optional<String> lastAcceptableFlavor) {
  /**
   * Whether an admitted workload moves to a better flavor.
   *
   * <p>Kueue: {@code ClusterQueue.spec.concurrentAdmissionPolicy.migration.mode}. Rules: CA-1,
   * CA-4.
   *
   * @since 0.1.0
   */
  public enum Mode {
    /** The workload moves to a better flavor as soon as it fits there. */
    TRY_PREFERRED_FLAVORS("TryPreferredFlavors"),
    /** The workload stays on the flavor on which it was admitted first. */
    RETAIN_FIRST_ADMISSION("RetainFirstAdmission");

    private final String text;

    Mode(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** {@return the policy with this mode for all flavors} */
  public static ConcurrentAdmissionPolicy of(Mode mode) {
    return new ConcurrentAdmissionPolicy(mode, Optional.empty());
  }

  /** {@return the policy that moves workloads to {@code flavor} and those before it} */
  public static ConcurrentAdmissionPolicy upTo(String flavor) {
    return new ConcurrentAdmissionPolicy(Mode.TRY_PREFERRED_FLAVORS, Optional.of(flavor));
  }
}
