package io.kueue4j.core.lint;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What small worlds have of a configuration: quotas, cohorts and policies of preemption, without
 * nodes, taints, admission checks, namespaces and stopped queues.
 */
final class WorldModel {
  private static final String NAME = "loops";

  private final EngineView view;
  private final Map<String, LocalQueue> localQueues = new TreeMap<>();
  private final NavigableSet<Integer> priorities = new TreeSet<>();

  /**
   * Creates a model.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the configuration is invalid
   */
  WorldModel(Collection<? extends ConfigObject> configuration, Settings settings) {
    AdmissionEngine engine = AdmissionEngine.builder()
        .settings(Settings.builder().from(settings).podsReady(Optional.empty()).build())
        .clock(() -> Instant.EPOCH)
        .build();
    Decisions unused = engine.apply(configuration.stream()
        .flatMap(object -> Stream.ofNullable(simplified(object)))
        .toList());
    for (ConfigObject object : configuration) {
      if (object instanceof LocalQueue queue) {
        localQueues.merge(
            queue.clusterQueue(), queue, (a, b) -> a.key().compareTo(b.key()) <= 0 ? a : b);
      } else if (object instanceof WorkloadPriorityClass priorityClass) {
        priorities.add(priorityClass.value());
      }
    }
    for (ClusterQueueView queue : engine.view().clusterQueues()) {
      LocalQueue local =
          localQueues.computeIfAbsent(queue.name(), name -> LocalQueue.of(NAME, name, name));
      Decisions unusedEither =
          engine.apply(LocalQueue.of(local.namespace(), local.name(), queue.name()));
    }
    view = engine.view();
  }

  private static @Nullable ConfigObject simplified(ConfigObject object) {
    if (object instanceof ClusterQueue queue) {
      return ClusterQueue.builder()
          .from(queue)
          .namespaceSelector(LabelSelector.everything())
          .admissionChecks(List.of())
          .stopPolicy(StopPolicy.NONE)
          .concurrentAdmissionPolicy(Optional.empty())
          .build();
    }
    if (object instanceof ResourceFlavor flavor) {
      return ResourceFlavor.of(flavor.name());
    }
    return object instanceof Cohort ? object : null;
  }

  /** {@return the state without workloads} */
  WorldState empty(List<JobType> types) {
    return WorldState.empty(view, types);
  }

  /** {@return the ClusterQueues that can be used, by name} */
  List<ClusterQueueView> queues() {
    return view.clusterQueues().stream().filter(ClusterQueueView::isActive).toList();
  }

  /** {@return the policies by which the workloads of a ClusterQueue preempt} */
  Preemption policies(String queue) {
    return view.clusterQueue(queue).orElseThrow().spec().preemption();
  }

  /** {@return the LocalQueue to submit workloads to} */
  LocalQueue localQueue(ClusterQueueView queue) {
    return Objects.requireNonNull(localQueues.get(queue.name()));
  }

  /** {@return whether a LocalQueue was added for a workload} */
  static boolean isAddedFor(Workload workload, LocalQueue queue) {
    return queue.namespace().equals(NAME)
        && workload.namespace().equals(NAME)
        && workload.queueName().equals(queue.name());
  }

  /** {@return what small worlds have of the configuration} */
  List<ConfigObject> configuration() {
    return view.configuration();
  }

  /** {@return the values of all priority classes} */
  NavigableSet<Integer> priorities() {
    return priorities;
  }

  /** {@return the same value of all queues of one tree of cohorts} */
  String tree(ClusterQueueView queue) {
    return queue
        .spec()
        .cohort()
        .map(cohort -> view.cohort(cohort).orElseThrow().root())
        .orElse(queue.spec().key());
  }

  /** {@return the same value of queues of one cohort that differ in name and amounts only} */
  static ClusterQueue kind(ClusterQueueView queue) {
    ClusterQueue spec = queue.spec();
    return ClusterQueue.builder()
        .from(spec)
        .name(NAME)
        .resourceGroups(spec.resourceGroups().stream()
            .map(group -> group.withQuotas((flavor, quota) -> kind(quota)))
            .toList())
        .build();
  }

  private static ResourceQuota kind(ResourceQuota quota) {
    return new ResourceQuota(
        quota.resource(),
        Long.signum(quota.nominalQuota()),
        kind(quota.borrowingLimit()),
        kind(quota.lendingLimit()));
  }

  private static OptionalLong kind(OptionalLong limit) {
    return limit.isPresent()
        ? OptionalLong.of(Long.signum(limit.getAsLong()))
        : OptionalLong.empty();
  }
}
