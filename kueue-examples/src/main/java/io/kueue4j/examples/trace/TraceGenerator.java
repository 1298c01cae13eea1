package io.kueue4j.examples.trace;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.trace.TraceConfiguration.CohortClass;
import io.kueue4j.examples.trace.TraceConfiguration.Level;
import io.kueue4j.examples.trace.TraceConfiguration.NodeTree;
import io.kueue4j.examples.trace.TraceConfiguration.Placement;
import io.kueue4j.examples.trace.TraceConfiguration.QueuesSet;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadClass;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadsSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Creates the queues and workloads of a configuration. */
final class TraceGenerator {
  private static final Instant FIRST_CREATION = Instant.parse("2026-01-01T00:00:00Z");
  private static final String NAMESPACE = "default";
  private static final String FLAVOR = "rf";
  private static final String POOL_LABEL = "pool";
  private static final String POOL = "tas";

  private final ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
  private final List<Draft> drafts = new ArrayList<>();

  private TraceGenerator() {}

  /**
   * A workload whose position in the order of arrival, and so its creation time, is not known yet.
   */
  private record Draft(
      long atMillis,
      String name,
      String localQueue,
      WorkloadClass workload,
      TopologyRequest placement) {}

  static ArrivalTrace generate(TraceConfiguration configuration) {
    TraceGenerator generator = new TraceGenerator();
    generator.addFlavor(configuration.topology());
    int number = 0;
    for (CohortClass cohort : configuration.cohorts()) {
      for (int i = 0; i < cohort.count(); i++) {
        generator.addCohort(cohort, number);
        number++;
      }
    }
    return generator.trace(configuration.name());
  }

  private void addFlavor(Optional<NodeTree> topology) {
    if (topology.isEmpty()) {
      objects.add(ResourceFlavor.of(FLAVOR));
      return;
    }
    NodeTree tree = topology.get();
    String[] labels = tree.levels().stream().map(Level::nodeLabel).toArray(String[]::new);
    objects.add(Topology.of(tree.name(), labels));
    objects.add(ResourceFlavor.builder()
        .name(FLAVOR)
        .putNodeLabels(POOL_LABEL, POOL)
        .topologyName(tree.name())
        .build());
    addNodes(tree, 0, "", ImmutableMap.of());
  }

  /** Adds the nodes of one domain, or the node if the domain is one. */
  private void addNodes(
      NodeTree tree, int level, String domain, ImmutableMap<String, String> labels) {
    if (level == tree.levels().size()) {
      Node.Builder node =
          Node.builder().name(domain).putAllLabels(labels).putLabels(POOL_LABEL, POOL);
      tree.allocatable().forEach(node::allocatable);
      objects.add(node.build());
      return;
    }
    Level finer = tree.levels().get(level);
    int digits = String.valueOf(finer.count() - 1).length();
    for (int i = 0; i < finer.count(); i++) {
      // Of equal length, so that names sort like their numbers.
      String number = Strings.padStart(String.valueOf(i), digits, '0');
      String name = (domain.isEmpty() ? "" : domain + "-") + finer.name() + number;
      addNodes(
          tree,
          level + 1,
          name,
          ImmutableMap.<String, String>builder()
              .putAll(labels)
              .put(finer.nodeLabel(), name)
              .buildOrThrow());
    }
  }

  /**
   * Adds a cohort. Cohorts are numbered globally, queues within their cohort, so names are unique.
   */
  private void addCohort(CohortClass cohort, int number) {
    int queueNumber = 0;
    for (QueuesSet queues : cohort.queuesSets()) {
      for (int i = 0; i < queues.count(); i++) {
        String numbers = number + "-" + queueNumber;
        String name = queues.className() + "-" + numbers;
        objects.add(queue(name, cohort.className() + "-" + number, queues));
        objects.add(LocalQueue.of(NAMESPACE, "q-" + name, name));
        addWorkloads(queues, numbers, "q-" + name);
        queueNumber++;
      }
    }
  }

  private void addWorkloads(QueuesSet queues, String numbers, String localQueue) {
    Map<String, Integer> numberOf = new HashMap<>();
    for (WorkloadsSet set : queues.workloadsSets()) {
      for (int i = 0; i < set.count(); i++) {
        for (WorkloadClass workload : set.workloads()) {
          int number = numberOf.merge(workload.className(), 1, Integer::sum) - 1;
          drafts.add(new Draft(
              set.creationIntervalMs() * (i + 1),
              String.format(Locale.ROOT, "%s-%s-%03d", workload.className(), numbers, number),
              localQueue,
              workload,
              request(workload, number)));
        }
      }
    }
  }

  private static TopologyRequest request(WorkloadClass kind, int number) {
    if (kind.placements().isEmpty()) {
      return TopologyRequest.none();
    }
    Placement placement = kind.placements().get(number % kind.placements().size());
    TopologyRequest.Builder request = TopologyRequest.builder();
    if (placement.isRequired()) {
      request.required(placement.level());
    } else {
      request.preferred(placement.level());
    }
    placement
        .sliceSize()
        .ifPresent(size -> request.sliceTopology(Topology.HOSTNAME).sliceSize(size));
    return request.build();
  }

  private static ClusterQueue queue(String name, String cohort, QueuesSet queues) {
    ResourceQuota nominal = ResourceQuota.of("cpu", queues.nominalQuota());
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
            FLAVOR, queues.borrowingLimit().map(nominal::withBorrowingLimit).orElse(nominal))))
        .preemption(Preemption.builder()
            .withinClusterQueue(queues.withinClusterQueue())
            .reclaimWithinCohort(queues.reclaimWithinCohort())
            .build())
        .build();
  }

  private ArrivalTrace trace(String name) {
    drafts.sort(Comparator.comparingLong(Draft::atMillis).thenComparing(Draft::name));
    ImmutableList.Builder<ArrivalTrace.Arrival> arrivals = ImmutableList.builder();
    for (int rank = 0; rank < drafts.size(); rank++) {
      arrivals.add(arrival(drafts.get(rank), FIRST_CREATION.plusSeconds(rank)));
    }
    return new ArrivalTrace(name, objects.build(), arrivals.build());
  }

  private static ArrivalTrace.Arrival arrival(Draft draft, Instant creationTime) {
    WorkloadClass kind = draft.workload();
    Workload workload = Workload.builder()
        .namespace(NAMESPACE)
        .name(draft.name())
        .uid(NAMESPACE + "-" + draft.name())
        .queueName(draft.localQueue())
        .priority(kind.priority())
        .creationTime(creationTime)
        .addPodSets(PodSet.builder()
            .count(kind.podCount())
            .request("cpu", kind.request())
            .topologyRequest(draft.placement())
            .build())
        .build();
    return new ArrivalTrace.Arrival(draft.atMillis(), kind.runtimeMs(), kind.className(), workload);
  }
}
