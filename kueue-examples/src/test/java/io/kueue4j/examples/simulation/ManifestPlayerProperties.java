package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.k8s.ManifestSource;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds whatever the jobs are. */
final class ManifestPlayerProperties {
  private static final int QUOTA = 10;

  /** A queue, a number of cpu, and when it finishes if ever. */
  record JobPlan(int queue, int cpu, boolean finishes) {}

  @Property(tries = 100)
  void theOrderOfConfigurationDecidesNothing(
      @ForAll("plans") List<JobPlan> plans,
      @ForAll("shuffledConfiguration") List<String> configuration) {
    assertThat(play(configuration, plans)).isEqualTo(play(configuration(), plans));
  }

  @Property(tries = 100)
  void theCohortIsNeverOverfull(@ForAll("plans") List<JobPlan> plans) {
    ManifestPlayer simulation = simulation(configuration(), plans);
    for (SimulatedJob job : simulation.jobs()) {
      simulation.create(job);

      List<ClusterQueueView> queues = simulation.phase("").clusterQueues();
      long used = queues.stream()
          .flatMap(queue -> queue.usage().stream())
          .mapToLong(QuotaUsage::used)
          .sum();
      assertThat(used).isLessThanOrEqualTo(2L * QUOTA * 1000);
    }
  }

  @Property(tries = 100)
  void onlyWhatCouldNeverRunIsLeftWhenAllHaveFinished(@ForAll("plans") List<JobPlan> plans) {
    ManifestPlayer simulation = simulation(configuration(), plans);
    simulation.jobs().forEach(simulation::create);
    Phase phase = simulation.phase("created");
    while (!phase.names(JobStatus.ADMITTED).isEmpty()) {
      simulation.finish(phase.names(JobStatus.ADMITTED).get(0));
      phase = simulation.phase("finished");
    }

    assertThat(phase.jobs())
        .allSatisfy(job -> assertThat(job.status() == JobStatus.PENDING)
            .isEqualTo(job.job().workload().podSets().get(0).requests().getOrDefault("cpu", 0L)
                > 2L * QUOTA * 1000));
  }

  @Provide
  Arbitrary<List<JobPlan>> plans() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 1),
            Arbitraries.integers().between(1, 2 * QUOTA + 2),
            Arbitraries.of(true, false))
        .as(JobPlan::new)
        .list()
        .ofMaxSize(8);
  }

  @Provide
  Arbitrary<List<String>> shuffledConfiguration() {
    return Arbitraries.shuffle(configuration());
  }

  /** {@return where all jobs stand in the end, after those that finish have done so} */
  private static List<String> play(List<String> configuration, List<JobPlan> plans) {
    ManifestPlayer simulation = simulation(configuration, plans);
    simulation.jobs().forEach(simulation::create);
    List<String> story = new ArrayList<>();
    describe(simulation.phase("created"), story);
    for (int i = 0; i < plans.size(); i++) {
      Phase now = simulation.phase("now");
      if (plans.get(i).finishes() && now.names(JobStatus.ADMITTED).contains("job-" + i)) {
        simulation.finish("job-" + i);
        describe(simulation.phase("finished"), story);
      }
    }
    return story;
  }

  private static void describe(Phase phase, List<String> story) {
    phase.events().forEach(event -> story.add(event.type() + " " + event.job().name()));
    phase.jobs().forEach(job -> story.add(job.job().name() + job.status() + job.reasons()));
    story.add(phase.clusterQueues().toString());
  }

  private static ManifestPlayer simulation(List<String> configuration, List<JobPlan> plans) {
    ImmutableList.Builder<String> jobs = ImmutableList.builder();
    for (int i = 0; i < plans.size(); i++) {
      jobs.add(job("job-" + i, plans.get(i)));
    }
    List<ManifestSource> sources = new ArrayList<>();
    sources.add(ManifestSource.of("queues", String.join("---\n", configuration)));
    if (!plans.isEmpty()) {
      sources.add(ManifestSource.of("jobs", String.join("---\n", jobs.build())));
    }
    return ManifestPlayer.of(ManifestFiles.readSources(sources));
  }

  private static ImmutableList<String> configuration() {
    ImmutableList.Builder<String> objects = ImmutableList.builder();
    objects.add(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}\n");
    for (int i = 0; i < 2; i++) {
      objects.add("""
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: cq-%d}
          spec:
            cohortName: all
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: f, resources: [{name: cpu, nominalQuota: %d}]}]
          """.formatted(i, QUOTA));
      objects.add("""
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq-%d},
           spec: {clusterQueue: cq-%d}}
          """.formatted(i, i));
    }
    return objects.build();
  }

  private static String job(String name, JobPlan plan) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: lq-%d}}
        spec:
          template:
            spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: %d}}}]}
        """.formatted(name, plan.queue(), plan.cpu());
  }
}
