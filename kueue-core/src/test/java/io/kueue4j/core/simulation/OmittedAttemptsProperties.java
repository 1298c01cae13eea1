package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.TaintEffect;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Leaving out hopeless attempts changes nothing else. */
class OmittedAttemptsProperties {
  private static final ImmutableList<String> FLAVORS = ImmutableList.of("f0", "f1", "f2");
  private static final int QUEUES = 5;

  /** A simulation, built with and without a limit of cycles, which prevents omission. */
  record Case(Simulation omitting, Simulation trying) {
    @Override
    public String toString() {
      Plan plan = omitting.plan();
      return plan.configuration() + "; " + plan.trace().jobs() + "; " + plan.events();
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    return Choices.arbitrary(choices -> {
      boolean special = choices.oneIn(4);
      int queues = 2 + choices.nextInt(QUEUES - 1);
      ImmutableList.Builder<ConfigObject> objects = ImmutableList.<ConfigObject>builder()
          .add(ResourceFlavor.of("f0"), ResourceFlavor.of("f1"), AdmissionCheck.of("check", "c"))
          .add(ResourceFlavor.builder()
              .name("f2")
              .addNodeTaints(new Taint("t", "", TaintEffect.NO_SCHEDULE))
              .build());
      for (String cohort : List.of("root", "left")) {
        objects.add(cohort(cohort, choices));
      }
      for (int i = 0; i < queues; i++) {
        objects.add(queue(i, choices, special), LocalQueue.of(Jobs.NAMESPACE, "q" + i, "q" + i));
      }
      List<SimulationJob> jobs = jobs(choices, queues, special);
      List<SimulationEvent> events =
          choices.list(choices.nextInt(5), each -> event(each, jobs.size(), queues, special));
      return new Case(
          builder(objects.build(), jobs, events).build(),
          builder(objects.build(), jobs, events)
              .maxCyclesAtOnce(SimulationBuilder.DEFAULT_MAX_CYCLES - 1)
              .build());
    });
  }

  /**
   * {@return cases in which many workloads within nominal quota wait for quota that others borrow,
   * and hold room in cycles: most queues have one flavor, with limits, in a tree of cohorts}
   */
  @Provide
  Arbitrary<Case> crowds() {
    return Choices.arbitrary(choices -> {
      int queues = 2 + choices.nextInt(2 * QUEUES);
      boolean limited = choices.oneIn(2);
      ImmutableList.Builder<ConfigObject> objects = ImmutableList.<ConfigObject>builder()
          .add(ResourceFlavor.of("f0"), ResourceFlavor.of("f1"))
          .add(Cohort.builder().name("root").build());
      Cohort.Builder left = Cohort.builder().name("left").parent("root");
      if (choices.oneIn(2)) {
        left.addResourceGroups(ResourceGroup.of(crowdedQuotas("f0", choices, limited)));
      }
      objects.add(left.build());
      for (int i = 0; i < queues; i++) {
        FlavorQuotas quotas = crowdedQuotas("f0", choices, limited);
        objects.add(
            ClusterQueue.builder()
                .name("q" + i)
                .cohort(choices.oneIn(3) ? "left" : "root")
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(
                    choices.oneIn(8)
                        ? ResourceGroup.of(quotas, crowdedQuotas("f1", choices, limited))
                        : ResourceGroup.of(quotas))
                .build(),
            LocalQueue.of(Jobs.NAMESPACE, "q" + i, "q" + i));
      }
      int[] names = {0};
      List<SimulationJob> jobs = choices.list(
          20 + choices.nextInt(100), each -> crowdedJob("j" + names[0]++, each, queues));
      List<SimulationEvent> events = choices.list(choices.nextInt(3), each -> {
        int number = each.nextInt(queues);
        return SimulationEvent.apply(
            at(each.nextInt(60)),
            ClusterQueue.builder()
                .name("q" + number)
                .cohort("root")
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(ResourceGroup.of(crowdedQuotas("f0", each, limited)))
                .build());
      });
      return new Case(
          builder(objects.build(), jobs, events).build(),
          builder(objects.build(), jobs, events)
              .maxCyclesAtOnce(SimulationBuilder.DEFAULT_MAX_CYCLES - 1)
              .build());
    });
  }

  private static FlavorQuotas crowdedQuotas(String flavor, Choices choices, boolean limited) {
    return FlavorQuotas.of(
        flavor, crowdedQuota("cpu", choices, limited), crowdedQuota("memory", choices, limited));
  }

  private static ResourceQuota crowdedQuota(String resource, Choices choices, boolean limited) {
    int nominal = choices.nextInt(9);
    ResourceQuota quota = ResourceQuota.of(resource, String.valueOf(nominal));
    if (limited && choices.oneIn(3)) {
      quota = quota.withBorrowingLimit(String.valueOf(choices.nextInt(6)));
    }
    if (limited && choices.oneIn(3)) {
      quota = quota.withLendingLimit(String.valueOf(choices.nextInt(nominal + 1)));
    }
    return quota;
  }

  private static SimulationJob crowdedJob(String name, Choices choices, int queues) {
    int second = choices.nextInt(30);
    PodSet.Builder pods = PodSet.builder()
        .count(1 + choices.nextInt(3))
        .request("cpu", String.valueOf(1 + choices.nextInt(4)));
    if (choices.oneIn(2)) {
      pods.request("memory", String.valueOf(choices.nextInt(4)));
    }
    return SimulationJob.builder()
        .workload(Workload.builder()
            .namespace(Jobs.NAMESPACE)
            .name(name)
            .uid(name)
            .queueName("q" + choices.nextInt(queues))
            .priority(choices.oneIn(6) ? choices.nextInt(3) : 0)
            .creationTime(at(second))
            .addPodSets(pods.build())
            .build())
        .submitTime(at(second))
        .duration(Duration.ofSeconds(1 + choices.nextInt(20)))
        .build();
  }

  private static SimulationBuilder builder(
      List<ConfigObject> objects, List<SimulationJob> jobs, List<SimulationEvent> events) {
    return Simulation.builder()
        .configuration(objects)
        .trace(jobs)
        .events(events)
        .start(at(0));
  }

  private static Cohort cohort(String name, Choices choices) {
    Cohort.Builder cohort = Cohort.builder().name(name).addResourceGroups(group(choices, 6));
    if (!name.equals("root") && choices.oneIn(2)) {
      cohort.parent("root");
    }
    return cohort.build();
  }

  private static ClusterQueue queue(int number, Choices choices, boolean special) {
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name("q" + number)
        .cohort(
            choices.oneIn(6) ? Optional.empty() : Optional.of(choices.oneIn(3) ? "left" : "root"))
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(group(choices, choices.oneIn(2) ? 1 : 4));
    if (choices.oneIn(3)) {
      FlavorFungibility.Policy next = FlavorFungibility.Policy.TRY_NEXT_FLAVOR;
      queue.flavorFungibility(new FlavorFungibility(next, next, Optional.empty()));
    }
    if (special && choices.oneIn(4)) {
      queue.queueingStrategy(QueueingStrategy.STRICT_FIFO);
    }
    if (special && choices.oneIn(4)) {
      queue.preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY));
    }
    if (special && choices.oneIn(4)) {
      queue.admissionChecks(ImmutableList.of(new AdmissionCheckRule("check", ImmutableList.of())));
    }
    return queue.build();
  }

  private static ResourceGroup group(Choices choices, int most) {
    int first = choices.nextInt(2);
    int flavors = 1 + choices.nextInt(FLAVORS.size() - first);
    List<FlavorQuotas> quotas = new ArrayList<>();
    for (String flavor : FLAVORS.subList(first, first + flavors)) {
      quotas.add(FlavorQuotas.of(
          flavor,
          ResourceQuota.ofAmount("cpu", choices.nextInt(most)),
          ResourceQuota.ofAmount("memory", choices.nextInt(2 * most))));
    }
    return ResourceGroup.of(quotas.toArray(FlavorQuotas[]::new));
  }

  private static List<SimulationJob> jobs(Choices choices, int queues, boolean special) {
    List<SimulationJob> jobs = new ArrayList<>();
    int count = 10 + choices.nextInt(50);
    int[] time = {0};
    for (int i = 0; i < count; i++) {
      time[0] += choices.nextInt(3);
      Workload.Builder workload = Workload.builder()
          .namespace(Jobs.NAMESPACE)
          .name("j" + i)
          .uid("j" + i)
          .queueName("q" + choices.nextInt(queues))
          .priority(choices.oneIn(4) ? choices.nextInt(3) : 0)
          .creationTime(at(time[0]))
          .addPodSets(pods("main", choices, special));
      if (choices.oneIn(5)) {
        workload.addPodSets(pods("more", choices, false));
      }
      if (special && choices.oneIn(30)) {
        workload.elastic(true);
      }
      SimulationJob.Builder job = SimulationJob.builder()
          .workload(workload.build())
          .submitTime(at(time[0]))
          .duration(Duration.ofSeconds(choices.nextInt(20)));
      if (choices.oneIn(8)) {
        job.cancelAfter(Duration.ofSeconds(choices.nextInt(30)));
      }
      jobs.add(job.build());
    }
    return jobs;
  }

  private static PodSet pods(String name, Choices choices, boolean special) {
    int count = 1 + choices.nextInt(4);
    PodSet.Builder pods = PodSet.builder()
        .name(name)
        .count(count)
        .requestAmount("cpu", choices.nextInt(3))
        .requestAmount("memory", choices.oneIn(2) ? 0 : choices.nextInt(4));
    if (special && choices.oneIn(5)) {
      pods.minCount(1);
    }
    return pods.build();
  }

  private static SimulationEvent event(Choices choices, int jobs, int queues, boolean special) {
    Instant time = at(choices.nextInt(60));
    if (choices.oneIn(3)) {
      return SimulationEvent.apply(time, queue(choices.nextInt(queues), choices, special));
    }
    if (choices.oneIn(4)) {
      int queue = choices.nextInt(queues);
      StopPolicy policy = choices.oneIn(2) ? StopPolicy.HOLD : StopPolicy.NONE;
      return SimulationEvent.apply(
          time,
          LocalQueue.builder()
              .namespace(Jobs.NAMESPACE)
              .name("q" + queue)
              .clusterQueue("q" + queue)
              .stopPolicy(policy)
              .build());
    }
    return choices.oneIn(2)
        ? SimulationEvent.cancel(time, Jobs.id("j" + choices.nextInt(jobs)))
        : SimulationEvent.delete(time, Jobs.id("j" + choices.nextInt(jobs)));
  }

  @Property(tries = 200)
  void changesNothingElse(@ForAll("cases") Case given) {
    assertEqualResults(given);
  }

  @Property(tries = 200)
  void changesNothingElseInACrowd(@ForAll("crowds") Case given) {
    assertEqualResults(given);
  }

  private static void assertEqualResults(Case given) {
    SimulationResult omitting = given.omitting.run();
    SimulationResult trying = given.trying.run();

    assertThat(omitting.digest()).isEqualTo(trying.digest());
    assertThat(omitting.cycles()).isEqualTo(trying.cycles());
    assertThat(omitting.end()).isEqualTo(trying.end());
    assertThat(omitting.jobs()).isEqualTo(trying.jobs());
  }
}
