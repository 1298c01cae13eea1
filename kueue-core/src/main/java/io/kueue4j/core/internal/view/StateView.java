package io.kueue4j.core.internal.view;

import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.usage.UsageLedger;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of an engine at one moment: a fork that nobody changes, read on demand. Thread-safe.
 */
public final class StateView {
  @GuardedBy("this")
  private final EngineState state;

  @GuardedBy("this")
  private final Map<String, ClusterQueueView> known = new HashMap<>();

  @GuardedBy("this")
  private final Map<ConfigKind, ImmutableSortedMap<String, ConfigObject>> configuration =
      new EnumMap<>(ConfigKind.class);

  @GuardedBy("this")
  private @Nullable ImmutableSortedMap<String, ClusterQueueView> clusterQueues;

  @GuardedBy("this")
  private @Nullable ImmutableSortedMap<String, LocalQueueView> localQueues;

  @GuardedBy("this")
  private @Nullable ImmutableSortedMap<String, CohortView> cohorts;

  /** Creates a view of {@code state}, which must be used by nobody else. */
  public StateView(EngineState state) {
    this.state = state;
  }

  /** {@return a fork of the state} */
  public synchronized EngineState fork() {
    return state.fork();
  }

  /** {@return the ClusterQueue of that name, if there was one} */
  public synchronized Optional<ClusterQueueView> clusterQueue(String name) {
    QueueState queue = state.queue(name).orElse(null);
    return queue == null ? Optional.empty() : Optional.of(view(queue));
  }

  @GuardedBy("this")
  private ClusterQueueView view(QueueState queue) {
    ClusterQueueView view = known.get(queue.name());
    if (view == null) {
      view = Views.of(queue, state.workloads().reserving(queue), state.configuration());
      known.put(queue.name(), view);
    }
    return view;
  }

  /** {@return all ClusterQueues by name} */
  public synchronized ImmutableSortedMap<String, ClusterQueueView> clusterQueues() {
    if (clusterQueues == null) {
      ImmutableSortedMap.Builder<String, ClusterQueueView> views =
          ImmutableSortedMap.naturalOrder();
      for (QueueState queue : state.queues()) {
        views.put(queue.name(), view(queue));
      }
      clusterQueues = views.buildOrThrow();
    }
    return clusterQueues;
  }

  /** {@return all LocalQueues by namespace and name} */
  public synchronized ImmutableSortedMap<String, LocalQueueView> localQueues() {
    if (localQueues == null) {
      UsageLedger ledger = state.fairness().ledger();
      localQueues = state.configuration().localQueues().stream()
          .collect(toImmutableSortedMap(
              Comparator.naturalOrder(),
              LocalQueue::qualifiedName,
              queue -> Views.of(queue, ledger)));
    }
    return localQueues;
  }

  /** {@return every cohort above a ClusterQueue, by name} */
  public synchronized ImmutableSortedMap<String, CohortView> cohorts() {
    if (cohorts == null) {
      cohorts = Views.cohorts(state.queues());
    }
    return cohorts;
  }

  /** {@return the TPU pools with all TPU slices in use} */
  public synchronized ImmutableList<PoolSetState> poolSets() {
    return state.fleets().states();
  }

  /** {@return the configuration objects of one kind, by their qualified names} */
  public synchronized ImmutableSortedMap<String, ConfigObject> configuration(ConfigKind kind) {
    ImmutableSortedMap<String, ConfigObject> objects = configuration.get(kind);
    if (objects == null) {
      objects = objects(kind).stream()
          .collect(toImmutableSortedMap(
              Comparator.naturalOrder(), ConfigObject::qualifiedName, object -> object));
      configuration.put(kind, objects);
    }
    return objects;
  }

  @GuardedBy("this")
  private Collection<? extends ConfigObject> objects(ConfigKind kind) {
    Configuration objects = state.configuration();
    return switch (kind) {
      case CAPACITY_WINDOW -> objects.windows().all();
      case LOCAL_QUEUE -> objects.localQueues();
      case CLUSTER_QUEUE -> state.queues().stream().map(QueueState::spec).toList();
      case COHORT -> state.forest().cohorts();
      case RESOURCE_FLAVOR -> objects.flavors().all();
      case TOPOLOGY -> objects.inventories().topologies();
      case TPU_POOL_SET -> objects.fleets().poolSets();
      case NODE -> objects.inventories().nodes();
      case ADMISSION_CHECK -> objects.admissionChecks();
      case WORKLOAD_PRIORITY_CLASS -> objects.priorityClasses();
      case NAMESPACE -> objects.namespaces();
    };
  }
}
