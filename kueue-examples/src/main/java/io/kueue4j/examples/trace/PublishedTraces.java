package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.Immutable;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The configurations that Kueue publishes scheduling times of. */
public enum PublishedTraces {
  /** 30 queues in 5 cohorts, 15,000 workloads. */
  BASELINE(
      5,
      6,
      new SizeClass("small", 350, 100, 200, 50, 1),
      new SizeClass("medium", 100, 500, 500, 100, 5),
      new SizeClass("large", 50, 1200, 1000, 200, 20)),
  /** 1,000 queues in 10 cohorts, 50,000 workloads. */
  LARGE(
      10,
      100,
      new SizeClass("small", 35, 60, 150, 50, 1),
      new SizeClass("medium", 11, 300, 350, 100, 5),
      new SizeClass("large", 4, 700, 700, 200, 20));

  private static final Instant FIRST_CREATION = Instant.parse("2026-01-01T00:00:00Z");
  private static final String NAMESPACE = "default";
  private static final String FLAVOR = "rf";

  private final int cohorts;
  private final int queuesPerCohort;
  private final ImmutableList<SizeClass> classes;

  /**
   * How many workloads of a kind arrive at each queue, how often, how long they run, and what they
   * ask for.
   */
  @Immutable
  private record SizeClass(
      String name, int count, long everyMillis, long runMillis, int priority, int cores) {}

  PublishedTraces(int cohorts, int queuesPerCohort, SizeClass... classes) {
    this.cohorts = cohorts;
    this.queuesPerCohort = queuesPerCohort;
    this.classes = ImmutableList.copyOf(classes);
  }

  /** {@return the trace} */
  public Trace trace() {
    List<Draft> drafts = new ArrayList<>();
    ImmutableList.Builder<ConfigObject> configuration = ImmutableList.builder();
    configuration.add(ResourceFlavor.of(FLAVOR));
    for (int cohort = 0; cohort < cohorts; cohort++) {
      for (int queue = 0; queue < queuesPerCohort; queue++) {
        String name = "cq-" + cohort + "-" + queue;
        configuration.add(queue(name, "cohort-" + cohort));
        configuration.add(LocalQueue.of(NAMESPACE, "q-" + name, name));
        for (SizeClass sizeClass : classes) {
          addDrafts(sizeClass, cohort, queue, drafts);
        }
      }
    }
    drafts.sort(Comparator.comparingLong(Draft::atMillis).thenComparing(Draft::name));
    ImmutableList.Builder<Trace.Arrival> arrivals = ImmutableList.builder();
    for (int rank = 0; rank < drafts.size(); rank++) {
      arrivals.add(drafts.get(rank).arrival(FIRST_CREATION.plusSeconds(rank)));
    }
    return new Trace(configuration.build(), arrivals.build());
  }

  private static void addDrafts(SizeClass sizeClass, int cohort, int queue, List<Draft> drafts) {
    for (int i = 0; i < sizeClass.count; i++) {
      String name = String.format(Locale.ROOT, "%s-%d-%d-%03d", sizeClass.name, cohort, queue, i);
      String localQueue = "q-cq-" + cohort + "-" + queue;
      drafts.add(new Draft(sizeClass.everyMillis * (i + 1), name, localQueue, sizeClass));
    }
  }

  private static ClusterQueue queue(String name, String cohort) {
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of(FLAVOR, ResourceQuota.of("cpu", "20").withBorrowingLimit("100"))))
        .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY))
        .build();
  }

  /** A workload whose place in the order of arrival, and so its creation time, is not known yet. */
  private record Draft(long atMillis, String name, String localQueue, SizeClass sizeClass) {
    Trace.Arrival arrival(Instant creationTime) {
      Workload workload = Workload.builder()
          .namespace(NAMESPACE)
          .name(name)
          .uid(NAMESPACE + "-" + name)
          .queueName(localQueue)
          .priority(sizeClass.priority)
          .creationTime(creationTime)
          .addPodSets(
              PodSet.builder().putRequests("cpu", sizeClass.cores * 1000L).build())
          .build();
      return new Trace.Arrival(atMillis, sizeClass.runMillis, sizeClass.name, workload);
    }
  }
}
