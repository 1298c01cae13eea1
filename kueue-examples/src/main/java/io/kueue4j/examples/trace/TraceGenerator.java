package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.trace.TraceConfiguration.CohortClass;
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

/** Makes the queues and workloads that a configuration describes. */
final class TraceGenerator {
  private static final Instant FIRST_CREATION = Instant.parse("2026-01-01T00:00:00Z");
  private static final String NAMESPACE = "default";
  private static final String FLAVOR = "rf";

  private final ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
  private final List<Draft> drafts = new ArrayList<>();

  private TraceGenerator() {}

  /** A workload whose place in the order of arrival, and so its creation time, is not known yet. */
  private record Draft(long atMillis, String name, String localQueue, WorkloadClass workload) {}

  static Trace generate(TraceConfiguration configuration) {
    TraceGenerator generator = new TraceGenerator();
    generator.objects.add(ResourceFlavor.of(FLAVOR));
    int number = 0;
    for (CohortClass cohort : configuration.cohorts()) {
      for (int i = 0; i < cohort.count(); i++) {
        generator.addCohort(cohort, number);
        number++;
      }
    }
    return generator.trace(configuration.name());
  }

  /** Cohorts are numbered throughout, queues within their cohort, so no two share a name. */
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
              workload));
        }
      }
    }
  }

  private static ClusterQueue queue(String name, String cohort, QueuesSet queues) {
    ResourceQuota nominal = ResourceQuota.of("cpu", queues.nominalQuota());
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
            FLAVOR, queues.borrowingLimit().map(nominal::withBorrowingLimit).orElse(nominal))))
        .preemption(Preemption.of(queues.withinClusterQueue(), queues.reclaimWithinCohort()))
        .build();
  }

  private Trace trace(String name) {
    drafts.sort(Comparator.comparingLong(Draft::atMillis).thenComparing(Draft::name));
    ImmutableList.Builder<Trace.Arrival> arrivals = ImmutableList.builder();
    for (int rank = 0; rank < drafts.size(); rank++) {
      arrivals.add(arrival(drafts.get(rank), FIRST_CREATION.plusSeconds(rank)));
    }
    return new Trace(name, objects.build(), arrivals.build());
  }

  private static Trace.Arrival arrival(Draft draft, Instant creationTime) {
    WorkloadClass kind = draft.workload();
    Workload workload = Workload.builder()
        .namespace(NAMESPACE)
        .name(draft.name())
        .uid(NAMESPACE + "-" + draft.name())
        .queueName(draft.localQueue())
        .priority(kind.priority())
        .creationTime(creationTime)
        .addPodSets(PodSet.builder().request("cpu", kind.request()).build())
        .build();
    return new Trace.Arrival(draft.atMillis(), kind.runtimeMs(), kind.className(), workload);
  }
}
