package io.kueue4j.k8s.status;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Lists the pending workloads of a queue in order of service with their positions, like Kueue's
 * visibility API: those that the next cycles try and those that wait for a change.
 *
 * <pre>{@code
 * PendingWorkloadsQuery.of(engine.view())
 *     .inClusterQueue("research", PendingWorkloadsQuery.Page.FIRST)
 *     .summary()
 *     .ifPresent(summary -> summary.items().forEach(this::show));
 * }</pre>
 *
 * <p>Immutable. Rules: U-3, U-4, J-25.
 *
 * @since 0.1.0
 */
public final class PendingWorkloadsQuery {
  private final EngineView view;
  private final Function<WorkloadId, List<OwnerReference>> owners;

  private PendingWorkloadsQuery(
      EngineView view, Function<WorkloadId, List<OwnerReference>> owners) {
    this.view = view;
    this.owners = owners;
  }

  /**
   * A part of a list.
   *
   * @param offset the number of workloads to skip; negative values count as 0
   * @param limit the maximum number of workloads; negative values count as 0, values above
   *     {@link #MAX_LIMIT} as that
   */
  public record Page(long offset, long limit) {
    /** The largest limit. */
    public static final long MAX_LIMIT = 100_000;

    /** The default part: the first thousand. */
    public static final Page FIRST = new Page(0, 1000);

    private <T> Stream<T> of(Stream<T> all) {
      return all.skip(Math.max(0, offset)).limit(Math.min(Math.max(0, limit), MAX_LIMIT));
    }
  }

  /**
   * The answer to a query.
   *
   * @param summary the workloads, empty if there is no such queue
   * @param failure the failure that the API server would answer, code 404; empty if there is a
   *     summary
   */
  public record Answer(Optional<PendingWorkloadsSummary> summary, Optional<Status> failure) {
    private static Answer of(Stream<PendingWorkloadInfo> items) {
      return new Answer(
          Optional.of(new PendingWorkloadsSummary(items.collect(toImmutableList()))),
          Optional.empty());
    }

    private static Answer unknown(String kind, String name) {
      return new Answer(
          Optional.empty(),
          Optional.of(new StatusBuilder()
              .withStatus("Failure")
              .withReason("NotFound")
              .withCode(404)
              .withMessage(
                  kind + "." + PendingWorkloadsSummary.GROUP + " \"" + name + "\" not found")
              .withNewDetails()
              .withGroup(PendingWorkloadsSummary.GROUP)
              .withKind(kind)
              .withName(name)
              .endDetails()
              .build()));
    }
  }

  /** {@return the pending workloads of {@code view}} */
  public static PendingWorkloadsQuery of(EngineView view) {
    return new PendingWorkloadsQuery(view, workload -> ImmutableList.of());
  }

  /** {@return this list with the owners of workloads, which an engine does not know} */
  public PendingWorkloadsQuery withOwners(Function<WorkloadId, List<OwnerReference>> ownersOf) {
    return new PendingWorkloadsQuery(view, ownersOf);
  }

  /** {@return the pending workloads of a ClusterQueue} */
  public Answer inClusterQueue(String name, Page page) {
    return view.clusterQueue(name)
        .map(queue -> Answer.of(page.of(queue.waiting().stream()).map(this::item)))
        .orElseGet(() -> Answer.unknown("clusterqueue", name));
  }

  /**
   * {@return the pending workloads of a LocalQueue; none if it is stopped or has no ClusterQueue}
   */
  public Answer inLocalQueue(String namespace, String name, Page page) {
    Optional<LocalQueueView> localQueue = view.localQueue(namespace, name);
    if (localQueue.isEmpty()) {
      return Answer.unknown("localqueue", name);
    }
    Stream<WaitingWorkload> all = view.clusterQueue(localQueue.get().spec().clusterQueue()).stream()
        .flatMap(queue -> queue.waiting().stream())
        .filter(each -> each.workload().namespace().equals(namespace)
            && each.workload().queueName().equals(name));
    return Answer.of(page.of(all).map(this::item));
  }

  private PendingWorkloadInfo item(WaitingWorkload waiting) {
    WorkloadId id = waiting.workload().id();
    return new PendingWorkloadInfo(
        id,
        waiting.workload().creationTime(),
        ImmutableList.copyOf(owners.apply(id)),
        waiting.priority(),
        waiting.workload().queueName(),
        waiting.positionInClusterQueue(),
        waiting.positionInLocalQueue());
  }
}
