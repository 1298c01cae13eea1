package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds changes against obstacles that prevent a workload from being tried, before any quota is
 * compared.
 *
 * @param trials tries changes
 * @param now the trial without a change
 */
record SetupRemedies(RemedyTrials trials, Trial now) {
  /** The maximum number of ClusterQueues to try for a LocalQueue that does not exist. */
  private static final int MAX_QUEUES = 16;

  /** {@return the changes that help against {@code reason}, one of each kind} */
  Stream<Remedy> against(Reason reason) {
    Workload workload = trials.workload();
    return switch (reason.code()) {
      case DEACTIVATED ->
        update(Remedy.Kind.ACTIVATE, "it is active", copy(workload).active(true));
      case ADMISSION_GATED ->
        update(
            Remedy.Kind.REMOVE_ADMISSION_GATES,
            "its admission gates " + workload.admissionGates() + " are removed",
            copy(workload).admissionGates(ImmutableList.of()));
      case INADMISSIBLE_PODS ->
        update(
            Remedy.Kind.REPAIR_PODS,
            "its pods are repaired: " + String.join("; ", workload.admissibilityProblems()),
            copy(workload).admissibilityProblems(ImmutableList.of()));
      case LOCAL_QUEUE_STOPPED -> openLocalQueue();
      case LOCAL_QUEUE_NOT_FOUND -> createLocalQueue();
      case CLUSTER_QUEUE_INACTIVE -> clusterQueue().stream().flatMap(this::activate);
      case NAMESPACE_NOT_FOUND ->
        apply(
            Remedy.Kind.CREATE_NAMESPACE,
            "namespace " + workload.namespace() + " exists",
            Namespace.of(workload.namespace()));
      case NAMESPACE_MISMATCH -> clusterQueue().stream().flatMap(this::letNamespaceIn);
      default -> Stream.of();
    };
  }

  private static Workload.Builder copy(Workload workload) {
    return Workload.builder().from(workload);
  }

  private static ClusterQueue.Builder copy(ClusterQueue queue) {
    return ClusterQueue.builder().from(queue);
  }

  private Stream<Remedy> update(Remedy.Kind kind, String message, Workload.Builder changed) {
    return verified(Remedy.builder(kind).message(message).workload(changed.build()));
  }

  private Stream<Remedy> apply(Remedy.Kind kind, String message, ConfigObject object) {
    return verified(Remedy.builder(kind).message(message).addObjects(object));
  }

  private Stream<Remedy> verified(Remedy.Builder remedy) {
    return Stream.of(remedy.build()).filter(trials::admits);
  }

  private String localQueueKey() {
    return Configuration.localQueueKey(
        trials.workload().namespace(), trials.workload().queueName());
  }

  private Optional<LocalQueue> localQueue() {
    return now.inspect(state -> state.configuration().localQueue(localQueueKey()));
  }

  private Optional<ClusterQueue> clusterQueue() {
    return localQueue()
        .flatMap(queue -> now.inspect(state -> state.queue(queue.clusterQueue())))
        .map(QueueState::spec);
  }

  private Stream<Remedy> openLocalQueue() {
    return localQueue().stream()
        .map(queue ->
            LocalQueue.builder().from(queue).stopPolicy(StopPolicy.NONE).build())
        .flatMap(open -> apply(
            Remedy.Kind.OPEN_LOCAL_QUEUE,
            "LocalQueue " + localQueueKey() + " is not stopped",
            open));
  }

  private Stream<Remedy> createLocalQueue() {
    Workload workload = trials.workload();
    List<String> queues =
        now.inspect(state -> state.queues().stream().map(queue -> queue.name()).toList());
    return queues.stream()
        .limit(MAX_QUEUES)
        .flatMap(queue -> apply(
            Remedy.Kind.CREATE_LOCAL_QUEUE,
            "LocalQueue " + localQueueKey() + " exists and leads to ClusterQueue " + queue,
            LocalQueue.of(workload.namespace(), workload.queueName(), queue)))
        .limit(1);
  }

  private Stream<Remedy> activate(ClusterQueue queue) {
    ImmutableList<ResourceFlavor> missing = now.inspect(state -> queue.flavors().stream()
        .filter(name -> state.configuration().flavors().flavor(name).isEmpty())
        .map(ResourceFlavor::of)
        .collect(ImmutableList.toImmutableList()));
    if (queue.stopPolicy() != StopPolicy.NONE) {
      return apply(
          Remedy.Kind.OPEN_CLUSTER_QUEUE,
          "ClusterQueue " + queue.name() + " is not stopped",
          copy(queue).stopPolicy(StopPolicy.NONE).build());
    }
    if (!missing.isEmpty()) {
      return verified(Remedy.builder(Remedy.Kind.CREATE_RESOURCE_FLAVORS)
          .message("the ResourceFlavors "
              + missing.stream().map(ResourceFlavor::name).toList() + " exist")
          .addAllObjects(missing));
    }
    return apply(
        Remedy.Kind.REMOVE_ADMISSION_CHECKS,
        "ClusterQueue " + queue.name() + " has no admission checks",
        copy(queue).admissionChecks(ImmutableList.of()).build());
  }

  private Stream<Remedy> letNamespaceIn(ClusterQueue queue) {
    Stream<Remedy> labelled = queue.namespaceSelector().stream()
        .map(this::selectedLabels)
        .flatMap(labels -> apply(
            Remedy.Kind.LABEL_NAMESPACE,
            "namespace " + trials.workload().namespace() + " has the labels " + labels,
            Namespace.of(trials.workload().namespace(), labels)));
    Stream<Remedy> open = apply(
        Remedy.Kind.SELECT_EVERY_NAMESPACE,
        "ClusterQueue " + queue.name() + " selects every namespace",
        copy(queue).namespaceSelector(LabelSelector.everything()).build());
    return Stream.concat(labelled, open);
  }

  /** {@return the labels of the namespace, changed to match a selector} */
  private Map<String, String> selectedLabels(LabelSelector selector) {
    Map<String, String> labels = new TreeMap<>();
    labels.putAll(now.inspect(
        state -> state.configuration().namespaceLabels(trials.workload().namespace())));
    labels.putAll(selector.matchLabels());
    for (LabelRequirement requirement : selector.matchExpressions()) {
      if (requirement.problem().isPresent() || requirement.matches(labels)) {
        continue;
      }
      switch (requirement.operator()) {
        case IN -> labels.put(requirement.key(), requirement.values().get(0));
        case EXISTS -> labels.put(requirement.key(), "");
        case NOT_IN, DOES_NOT_EXIST -> labels.remove(requirement.key());
        case GREATER_THAN, LESS_THAN -> {
          // Numeric comparisons do not determine a value.
        }
      }
    }
    return labels;
  }
}
