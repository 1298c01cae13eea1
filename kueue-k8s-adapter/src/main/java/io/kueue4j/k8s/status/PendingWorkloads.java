package io.kueue4j.k8s.status;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.WaitingWorkload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Which workloads wait in a queue, in order of service and with their places, as Kueue's visibility
 * API tells: those that the coming cycles try and those that wait for something to change.
 *
 * <pre>{@code
 * PendingWorkloads.of(engine.view())
 *     .inClusterQueue("research", PendingWorkloads.Page.FIRST)
 *     .summary()
 *     .ifPresent(summary -> summary.items().forEach(this::show));
 * }</pre>
 *
 * <p>Immutable. Rules: U-3, U-4, J-25.
 */
public final class PendingWorkloads {
  private final EngineView view;
  private final Function<WorkloadId, List<OwnerReference>> owners;

  private PendingWorkloads(EngineView view, Function<WorkloadId, List<OwnerReference>> owners) {
    this.view = view;
    this.owners = owners;
  }

  /**
   * A part of a list.
   *
   * @param offset how many are left out at its beginning; less than 0 counts as 0
   * @param limit how many there are at most; less than 0 counts as 0, more than {@link #MAX_LIMIT}
   *     as that
   */
  public record Page(long offset, long limit) {
    /** The largest limit. */
    public static final long MAX_LIMIT = 100_000;

    /** The part that is told unless another one is asked for: the first thousand. */
    public static final Page FIRST = new Page(0, 1000);

    private <T> Stream<T> of(Stream<T> all) {
      return all.skip(Math.max(0, offset)).limit(Math.min(Math.max(0, limit), MAX_LIMIT));
    }
  }

  /**
   * What became of a question.
   *
   * @param summary the workloads, absent if there is no such queue
   * @param failure the failure that the API server would answer, code 404; absent if there is a
   *     summary
   */
  public record Answer(Optional<PendingWorkloadsSummary> summary, Optional<Status> failure) {
    private static Answer of(Stream<PendingWorkload> items) {
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

  /** {@return the workloads that waited when {@code view} was taken} */
  public static PendingWorkloads of(EngineView view) {
    return new PendingWorkloads(view, workload -> ImmutableList.of());
  }

  /** {@return the same with what workloads belong to, which an engine does not know} */
  public PendingWorkloads withOwners(Function<WorkloadId, List<OwnerReference>> ownersOf) {
    return new PendingWorkloads(view, ownersOf);
  }

  /** {@return those in a ClusterQueue} */
  public Answer inClusterQueue(String name, Page page) {
    return view.clusterQueue(name)
        .map(queue -> Answer.of(page.of(queue.waiting().stream()).map(this::item)))
        .orElseGet(() -> Answer.unknown("clusterqueue", name));
  }

  /** {@return those in a LocalQueue; none in one that is stopped or leads nowhere} */
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

  private PendingWorkload item(WaitingWorkload waiting) {
    WorkloadId id = waiting.workload().id();
    return new PendingWorkload(
        id,
        waiting.workload().creationTime(),
        ImmutableList.copyOf(owners.apply(id)),
        waiting.priority(),
        waiting.workload().queueName(),
        waiting.positionInClusterQueue(),
        waiting.positionInLocalQueue());
  }
}
