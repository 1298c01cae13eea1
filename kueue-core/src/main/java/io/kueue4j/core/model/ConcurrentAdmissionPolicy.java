package io.kueue4j.core.model;

import java.util.Optional;

/**
 * That workloads of a ClusterQueue try all its flavors at a time, each by a variant of its own, and
 * whether they move to better ones. A flavor is better than those that stand behind it in the
 * queue.
 *
 * <p>It counts while the feature gate {@code ConcurrentAdmission} is on. Elastic workloads go on as
 * if there were none.
 *
 * <p>Kueue: {@code ClusterQueue.spec.concurrentAdmissionPolicy}. Rules: CA-1.
 *
 * @param mode whether workloads are moved
 * @param lastAcceptableFlavor the last flavor that they are moved to, absent for any; only with
 *     {@link MigrationMode#TRY_PREFERRED_FLAVORS}
 */
public record ConcurrentAdmissionPolicy(MigrationMode mode, Optional<String> lastAcceptableFlavor) {
  /** {@return the policy of a mode, for all flavors} */
  public static ConcurrentAdmissionPolicy of(MigrationMode mode) {
    return new ConcurrentAdmissionPolicy(mode, Optional.empty());
  }

  /** {@return the policy that moves workloads to {@code flavor} and those before it} */
  public static ConcurrentAdmissionPolicy upTo(String flavor) {
    return new ConcurrentAdmissionPolicy(MigrationMode.TRY_PREFERRED_FLAVORS, Optional.of(flavor));
  }
}
