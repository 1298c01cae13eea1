package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ElasticJobsTest {
  private final JobWorkloads workloads = JobWorkloads.builder().build();

  /** A job whose pods have one cpu. */
  private static Job elastic(int pods, long generation) {
    return Jobs.job()
        .editMetadata()
        .addToAnnotations(MetadataKeys.ELASTIC_JOB, "true")
        .withGeneration(generation)
        .endMetadata()
        .editSpec()
        .withParallelism(pods)
        .withCompletions(null)
        .endSpec()
        .build();
  }

  private Workload workload(Job job) {
    return workloads.convert(job).orElseThrow().workload();
  }

  @Test
  void anElasticJobMakesAnElasticWorkload() {
    assertThat(workload(elastic(3, 1)).elastic()).isTrue();
    assertThat(workload(Jobs.job().build()).elastic()).isFalse();
    assertThat(workload(Jobs.annotated(MetadataKeys.ELASTIC_JOB, "True")).elastic())
        .isFalse();
  }

  /** Kueue's names: {@code printf 'Job\nbatch\nsample\n1234\n2' | sha1sum}. */
  @Test
  void eachGenerationHasAWorkloadOfItsOwnName() {
    assertThat(WorkloadNames.of("batch", "Job", "sample", "1234", "2"))
        .isEqualTo("job-sample-c4a43");
    assertThat(WorkloadNames.of("batch", "Job", "sample", "1234", ""))
        .isEqualTo(WorkloadNames.of("batch", "Job", "sample", "1234"));
    assertThat(workload(elastic(3, 1)).name())
        .isNotEqualTo(workload(elastic(3, 2)).name());
    assertThat(workload(elastic(3, 2)).name()).isEqualTo(workload(elastic(5, 2)).name());
  }

  @Test
  void otherKindsAreRefused() {
    JobSet jobSet = Jobs.read("jobset-with-priority-class.yaml", JobSet.class).get(0);
    jobSet.getMetadata().setAnnotations(Map.of(MetadataKeys.ELASTIC_JOB, "true"));

    JobConversion.Invalid refused = (JobConversion.Invalid) workloads.convert(jobSet);

    assertThat(refused.violations())
        .extracting(Violation::toString)
        .anySatisfy(violation -> assertThat(violation)
            .contains("metadata.annotations[kueue.x-k8s.io/elastic-job]")
            .contains("elastic jobs are not supported for JobSet; remove the annotation"));
  }

  @Test
  void onlyUnconstrainedTopologyIsTaken() {
    for (String level :
        new String[] {TopologyAnnotations.REQUIRED, TopologyAnnotations.PREFERRED}) {
      assertThat(((JobConversion.Invalid) workloads.convert(placed(level, "rack"))).violations())
          .extracting(Violation::toString)
          .singleElement()
          .asString()
          .contains("metadata.annotations[" + level + "]")
          .contains("\"rack\" in an elastic job; expected kueue.x-k8s.io/podset-unconstrained");
    }
    assertThat(workload(placed(TopologyAnnotations.UNCONSTRAINED, "true"))
            .podSets()
            .get(0)
            .topologyRequest()
            .unconstrained())
        .contains(true);
  }

  private static Job placed(String annotation, String value) {
    return new JobBuilder(elastic(3, 1))
        .editSpec()
        .editTemplate()
        .editOrNewMetadata()
        .addToAnnotations(annotation, value)
        .endMetadata()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Nested
  class Change {
    private SliceChange change(int from, boolean holdsQuota, int to) {
      return SliceChange.between(workload(elastic(from, 1)), holdsQuota, workload(elastic(to, 2)));
    }

    @Test
    void isNoneWithAsManyPods() {
      SliceChange change = change(3, true, 3);
      assertThat(change.kind()).isEqualTo(SliceChange.Kind.NONE);
      assertThat(change.workload()).isEqualTo(workload(elastic(3, 1)));
    }

    @Test
    void isAnUpdateWithFewerPodsOrWithoutQuota() {
      for (SliceChange change :
          new SliceChange[] {change(3, true, 2), change(3, false, 2), change(3, false, 7)}) {
        assertThat(change.kind()).isEqualTo(SliceChange.Kind.UPDATE);
        assertThat(change.workload().id()).isEqualTo(workload(elastic(3, 1)).id());
        assertThat(change.workload().replaces()).isEmpty();
      }
      assertThat(change(3, false, 7).workload().podSets().get(0).count()).isEqualTo(7);
    }

    @Test
    void isAReplacementWithMorePods() {
      SliceChange change = change(3, true, 4);
      assertThat(change.kind()).isEqualTo(SliceChange.Kind.REPLACE);
      assertThat(change.workload().id()).isEqualTo(workload(elastic(3, 2)).id());
      assertThat(change.workload().replaces()).contains(workload(elastic(3, 1)).id());
      assertThat(change.workload().sliceName()).contains(workload(elastic(3, 1)).name());
      assertThat(change.workload().creationTime()).isEmpty();
    }

    @Test
    void keepsTheNameOfTheFirstSlice() {
      Workload second = change(3, true, 4).workload();
      assertThat(SliceChange.between(second, true, workload(elastic(6, 3)))
              .workload()
              .sliceName())
          .contains(workload(elastic(3, 1)).name());
    }

    @Test
    void isAReplacementIfSomePodSetsGrowAndOthersShrink() {
      Workload current = mixed("a", 2, "b", 2);
      assertThat(SliceChange.between(current, true, mixed("a", 1, "b", 3)).kind())
          .isEqualTo(SliceChange.Kind.REPLACE);
      assertThat(SliceChange.between(current, true, mixed("a", 1, "b", 2)).kind())
          .isEqualTo(SliceChange.Kind.UPDATE);
    }

    @Test
    void isAnotherWorkloadWithOtherPodSets() {
      Workload wanted = mixed("a", 2, "c", 2);
      SliceChange change = SliceChange.between(mixed("a", 2, "b", 2), true, wanted);
      assertThat(change).isEqualTo(new SliceChange(SliceChange.Kind.RECREATE, wanted));
    }

    private Workload mixed(String first, int count, String second, int secondCount) {
      return Workload.of(
          "ns",
          "w",
          "q",
          PodSet.builder().name(first).count(count).build(),
          PodSet.builder().name(second).count(secondCount).build());
    }
  }

  /** A job of 3, 5, and 2 pods on 6 cpus, followed as by a controller. */
  @Test
  void aJobIsFollowedUpAndDown() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(
        ResourceFlavor.of("default"),
        ClusterQueue.builder()
            .name("cq")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.of("cpu", "6"))))
            .build(),
        LocalQueue.of("team-a", "lq", "cq"));
    Workload first = workload(elastic(3, 1));
    assertThat(engine.tryAdmit(first).result().isAdmitted()).isTrue();

    SliceChange up = SliceChange.between(first, true, workload(elastic(5, 2)));
    Decisions grown = engine.tryAdmit(up.workload());
    assertThat(grown.result().isAdmitted()).isTrue();
    assertThat(grown.finishedSlices())
        .extracting(FinishedSlice::workload)
        .containsExactly(first.id());
    assertThat(used(engine)).isEqualTo(5000);

    SliceChange down = SliceChange.between(up.workload(), true, workload(elastic(2, 3)));
    assertThat(down.kind()).isEqualTo(SliceChange.Kind.UPDATE);
    assertThat(engine.update(down.workload()).result().isAdmitted()).isTrue();
    assertThat(used(engine)).isEqualTo(2000);
    assertThat(engine.admission(WorkloadId.of("team-a", up.workload().name()))).isPresent();
  }

  private static long used(AdmissionEngine engine) {
    return engine.view().clusterQueue("cq").orElseThrow().usage().get(0).used();
  }
}
