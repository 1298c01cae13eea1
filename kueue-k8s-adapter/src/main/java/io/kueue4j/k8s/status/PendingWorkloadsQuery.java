package io.kueue4j.k8s.status;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  public record Answer(Optional<Summary> summary, Optional<Status> failure) {
    private static Answer of(Stream<Item> items) {
      return new Answer(
          Optional.of(new Summary(items.collect(toImmutableList()))), Optional.empty());
    }

    private static Answer unknown(String kind, String name) {
      return new Answer(
          Optional.empty(),
          Optional.of(new StatusBuilder()
              .withStatus("Failure")
              .withReason("NotFound")
              .withCode(404)
              .withMessage(kind + "." + Summary.GROUP + " \"" + name + "\" not found")
              .withNewDetails()
              .withGroup(Summary.GROUP)
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

  private Item item(WaitingWorkload waiting) {
    WorkloadId id = waiting.workload().id();
    return new Item(
        id,
        waiting.workload().creationTime(),
        ImmutableList.copyOf(owners.apply(id)),
        waiting.priority(),
        waiting.workload().queueName(),
        waiting.positionInClusterQueue(),
        waiting.positionInLocalQueue());
  }

  /**
   * A pending workload and its position.
   *
   * <p>Kueue: {@code PendingWorkload} of the visibility API.
   *
   * @param workload the workload
   * @param creationTime its creation time, empty if it was submitted without one
   * @param owners its owners; not to be modified
   * @param priority its priority, without a boost
   * @param localQueueName its LocalQueue
   * @param positionInClusterQueue the number of workloads of its ClusterQueue ahead of it
   * @param positionInLocalQueue the number of workloads of its LocalQueue ahead of it
   * @since 0.1.0
   */
  public record Item(
      WorkloadId workload,
      Optional<Instant> creationTime,
      List<OwnerReference> owners,
      int priority,
      String localQueueName,
      int positionInClusterQueue,
      int positionInLocalQueue) {
    /** Copies what it is given. */
    public Item {
      owners = ImmutableList.copyOf(owners);
    }

    Map<String, Object> write() {
      Map<String, Object> metadata = new LinkedHashMap<>();
      metadata.put("name", workload.name());
      metadata.put("namespace", workload.namespace());
      metadata.put("creationTimestamp", creationTime.map(ObjectStatus::time).orElse(null));
      ObjectStatus.put(
          metadata,
          "ownerReferences",
          owners.stream().map(Item::write).collect(ImmutableList.toImmutableList()));
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("metadata", metadata);
      item.put("priority", priority);
      item.put("localQueueName", localQueueName);
      item.put("positionInClusterQueue", positionInClusterQueue);
      item.put("positionInLocalQueue", positionInLocalQueue);
      return item;
    }

    /** Writes an owner; like in Kueue without {@code controller} and {@code blockOwnerDeletion}. */
    private static Object write(OwnerReference owner) {
      return ImmutableMap.of(
          "apiVersion", owner.getApiVersion(),
          "kind", owner.getKind(),
          "name", owner.getName(),
          "uid", owner.getUid() == null ? "" : owner.getUid());
    }
  }

  /**
   * The pending workloads of a queue, in order of service.
   *
   * <p>Kueue: {@code Summary} of the visibility API.
   *
   * @param items the workloads
   * @since 0.1.0
   */
  public record Summary(List<PendingWorkloadsQuery.Item> items) {
    /** Copies what it is given. */
    public Summary {
      items = ImmutableList.copyOf(items);
    }

    static final String GROUP = "visibility.kueue.x-k8s.io";

    /**
     * {@return the summary as an object of the visibility API, for any JSON or YAML writer}
     *
     * @param version v1beta1 or v1beta2
     * @throws IllegalArgumentException if it is another version
     */
    public GenericKubernetesResource write(KueueApiVersion version) {
      GenericKubernetesResource summary = new GenericKubernetesResource();
      summary.setApiVersion(GROUP + "/" + version.requireWritable());
      summary.setKind("PendingWorkloadsSummary");
      Map<String, Object> fields = new LinkedHashMap<>();
      List<Object> written = items.stream()
          .map(PendingWorkloadsQuery.Item::write)
          .collect(ImmutableList.toImmutableList());
      fields.put("items", written);
      summary.setAdditionalProperties(fields);
      return summary;
    }
  }
}
