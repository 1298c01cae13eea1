package io.kueue4j.core.decision;

import io.kueue4j.core.model.PendingCause;
import java.util.Comparator;
import java.util.Optional;

/**
 * A group of workloads that may not run: the queues that they belong to, and the reason.
 * {@link io.kueue4j.core.WorkloadLifecycle#unadmitted()} counts workloads by group. Immutable.
 *
 * <p>Kueue: the labels of the metrics {@code unadmitted_workloads} and
 * {@code local_queue_unadmitted_workloads}. Rules: L-5, L-26.
 *
 * @param namespace their namespace
 * @param localQueue the LocalQueue that they name, which need not exist
 * @param clusterQueue the ClusterQueue whose quota they hold, otherwise the one of the LocalQueue;
 *     absent if there is none
 * @param reason why they may not run, as in Kueue's condition {@code Admitted}, such as
 *     {@code NoReservation}
 * @param cause why they have no quota, absent if they hold quota
 * @since 0.1.0
 */
public record Unadmitted(
    String namespace,
    String localQueue,
    Optional<String> clusterQueue,
    String reason,
    Optional<PendingCause> cause) {
  /** Orders groups by namespace, LocalQueue, ClusterQueue, reason and cause. */
  public static final Comparator<Unadmitted> ORDER = Comparator.comparing(Unadmitted::namespace)
      .thenComparing(Unadmitted::localQueue)
      .thenComparing(each -> each.clusterQueue.orElse(""))
      .thenComparing(Unadmitted::reason)
      .thenComparing(each -> each.cause.map(PendingCause::toString).orElse(""));
}
