package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes the {@code status} of ClusterQueues and LocalQueues like Kueue, in the version of the
 * given object: {@code kueue.x-k8s.io/v1beta1} or {@code v1beta2}.
 *
 * <pre>{@code
 * QueueStatusWriter writer = QueueStatusWriter.of(settings);
 * EngineView view = engine.view();
 * view.clusterQueue("research")
 *     .map(queue -> writer.clusterQueue(object, queue, clock.instant()))
 *     .filter(written -> !written.equals(object))
 *     .ifPresent(written -> client.resource(written).updateStatus());
 * }</pre>
 *
 * <p>Immutable. Given objects are never changed, and the result equals the object if nothing has
 * changed. Conditions of other types and unknown fields are kept.
 *
 * <p>Rules: M-12, M-33, H-8, U-22, W-9, J-23.
 *
 * @since 0.1.0
 */
public final class QueueStatusWriter {
  private static final String PENDING = "pendingWorkloads";
  private static final String RESERVING = "reservingWorkloads";
  private static final String ADMITTED = "admittedWorkloads";
  private static final String FAIR_SHARING = "fairSharing";

  private final boolean fairSharing;
  private final ImmutableList<ConfigObject> configuration;

  private QueueStatusWriter(boolean fairSharing, ImmutableList<ConfigObject> configuration) {
    this.fairSharing = fairSharing;
    this.configuration = configuration;
  }

  /**
   * {@return the writer for an engine}
   *
   * @param settings the settings of the engine; like in Kueue, shares are written only with fair
   *     sharing
   */
  public static QueueStatusWriter of(Settings settings) {
    return new QueueStatusWriter(settings.fairSharing().isPresent(), ImmutableList.of());
  }

  /**
   * {@return a writer that also writes the flavors of LocalQueues in v1beta1}
   *
   * @param objects the current configuration; only ResourceFlavors and Topologies are used
   */
  public QueueStatusWriter withConfiguration(Iterable<? extends ConfigObject> objects) {
    return new QueueStatusWriter(fairSharing, ImmutableList.copyOf(objects));
  }

  /**
   * {@return a copy of {@code object} with the status shown by the view}
   *
   * @param object a ClusterQueue of Kueue's API; if it is being deleted, it is reported as
   *     terminating
   * @param view the queue in the engine
   * @param now the time of a transition, if there is one
   * @throws IllegalArgumentException if {@code object} is of another version
   */
  public GenericKubernetesResource clusterQueue(
      GenericKubernetesResource object, ClusterQueueView view, Instant now) {
    var unused = KueueApiVersion.ofWritten(Objects.toString(object.getApiVersion()));
    Map<String, Object> fields = ObjectStatus.of(object);
    ActiveCondition active = ActiveCondition.ofClusterQueue(object, view);
    putCondition(fields, object, active, now);
    HeldByFlavor all = HeldByFlavor.of(view, holder -> true);
    HeldByFlavor admitted = HeldByFlavor.of(view, HoldingWorkload::isAdmitted);
    fields.put("flavorsReservation", all.ofClusterQueue());
    fields.put("flavorsUsage", admitted.ofClusterQueue());
    fields.put(PENDING, view.waitingCount());
    fields.put(RESERVING, all.workloadCount());
    fields.put(ADMITTED, admitted.workloadCount());
    ObjectStatus.put(
        fields,
        FAIR_SHARING,
        fairSharing
            ? ImmutableMap.of("weightedShare", ObjectStatus.number(view.weightedShare()))
            : null);
    return ObjectStatus.with(object, fields);
  }

  /**
   * {@return a copy of {@code object} with the status shown by the view}
   *
   * @param object a LocalQueue of Kueue's API
   * @param queue the queue in the engine
   * @param view the engine
   * @param now the time of a transition, if there is one
   * @throws IllegalArgumentException if {@code object} is of another version
   */
  public GenericKubernetesResource localQueue(
      GenericKubernetesResource object, LocalQueueView queue, EngineView view, Instant now) {
    KueueApiVersion version = KueueApiVersion.ofWritten(Objects.toString(object.getApiVersion()));
    Map<String, Object> fields = ObjectStatus.of(object);
    Optional<ClusterQueueView> clusterQueue = view.clusterQueue(queue.spec().clusterQueue());
    putCondition(fields, object, ActiveCondition.ofLocalQueue(queue.spec(), clusterQueue), now);
    HeldByFlavor all = clusterQueue
        .map(known -> HeldByFlavor.of(known, holder -> isOf(holder.workload(), queue.spec())))
        .orElseGet(HeldByFlavor::nothing);
    HeldByFlavor admitted = clusterQueue
        .map(known -> HeldByFlavor.of(
            known, holder -> holder.isAdmitted() && isOf(holder.workload(), queue.spec())))
        .orElseGet(HeldByFlavor::nothing);
    fields.put(PENDING, waitingCount(queue.spec(), clusterQueue));
    fields.put(RESERVING, all.workloadCount());
    fields.put(ADMITTED, admitted.workloadCount());
    fields.put("flavorsReservation", all.ofLocalQueue());
    fields.put(
        version == KueueApiVersion.V1BETA1 ? "flavorUsage" : "flavorsUsage",
        admitted.ofLocalQueue());
    if (version == KueueApiVersion.V1BETA1 && !configuration.isEmpty()) {
      fields.put(
          "flavors",
          clusterQueue
              .map(known -> FlavorList.of(known.spec(), configuration))
              .orElse(ImmutableList.of()));
    }
    ObjectStatus.put(
        fields, FAIR_SHARING, queue.consumed().map(QueueStatusWriter::consumed).orElse(null));
    return ObjectStatus.with(object, fields);
  }

  /**
   * {@return a copy of {@code object} that is not active, with no other change of its status}
   *
   * @param object a ClusterQueue or LocalQueue of Kueue's API that an engine does not contain
   * @param outage why
   * @param now the time of a transition, if there is one
   * @throws IllegalArgumentException if {@code object} is of another version
   */
  public GenericKubernetesResource inactive(
      GenericKubernetesResource object, Inactivity outage, Instant now) {
    var unused = KueueApiVersion.ofWritten(Objects.toString(object.getApiVersion()));
    Map<String, Object> fields = ObjectStatus.of(object);
    putCondition(
        fields, object, new ActiveCondition(false, outage.reason(), outage.message()), now);
    return ObjectStatus.with(object, fields);
  }

  private static int waitingCount(LocalQueue queue, Optional<ClusterQueueView> clusterQueue) {
    return (int) clusterQueue.stream()
        .flatMap(known -> known.waiting().stream())
        .filter(each -> isOf(each.workload(), queue))
        .count();
  }

  private static boolean isOf(Workload workload, LocalQueue queue) {
    return workload.namespace().equals(queue.namespace())
        && workload.queueName().equals(queue.name());
  }

  private static void putCondition(
      Map<String, Object> fields,
      GenericKubernetesResource object,
      ActiveCondition active,
      Instant now) {
    ConditionList conditions = ConditionList.of(object);
    conditions.set(ActiveCondition.TYPE, active.isActive(), active.reason(), active.message(), now);
    fields.put("conditions", conditions.toList());
  }

  /**
   * {@return the consumed usage with a share of 0: the API requires a share, and Kueue computes
   * none for LocalQueues}
   */
  private static Map<String, Object> consumed(ConsumedUsage usage) {
    ImmutableMap.Builder<String, Object> resources = ImmutableMap.builder();
    usage
        .resources()
        .forEach((resource, amount) ->
            resources.put(resource, amount.stripTrailingZeros().toPlainString()));
    return ImmutableMap.of(
        "weightedShare",
        0,
        "admissionFairSharingStatus",
        ImmutableMap.of(
            "consumedResources",
            resources.buildOrThrow(),
            "lastUpdate",
            ObjectStatus.time(usage.lastUpdate())));
  }
}
