package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * For every kind of job without a class: a stop undoes a start exactly, whatever else is in the
 * job, and neither changes its argument.
 */
class JobKindProperties {
  private static final JobEditor EDITOR = JobEditor.of(KindManifests.KINDS);
  private static final Map<String, ResourceFlavor> FLAVORS = Jobs.flavors(
      ResourceFlavor.of("plain"),
      ResourceFlavor.builder()
          .name("spot")
          .putNodeLabels("capacity", "spot")
          .addTolerations(Toleration.exists("spot"))
          .build());

  @Provide
  static Arbitrary<String> kinds() {
    return Arbitraries.of(KindManifests.kinds());
  }

  @Property(tries = 500)
  void stoppingUndoesStarting(@ForAll("kinds") String kind, @ForAll Random random)
      throws JsonProcessingException {
    GenericKubernetesResource job = new RandomFields(random).strew(KindManifests.get(kind));
    String text = text(job);
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    Admission admission = admission(workload, random);
    JobSnapshot before = JobSnapshot.ofJson(EDITOR.snapshot(job).toJson());

    GenericKubernetesResource started = EDITOR.start(job, workload, admission, FLAVORS);
    String startedText = text(started);
    assertThat(startedText).isNotEqualTo(text);
    assertThat(text(EDITOR.start(started, workload, admission, FLAVORS)))
        .as("starting again changes nothing")
        .isEqualTo(startedText);
    assertThat(KindManifests.KINDS.get(started).podSets(started))
        .as("every pod knows its pod set")
        .allSatisfy(podSet -> assertThat(podSet.template().getMetadata().getLabels())
            .containsEntry("kueue.x-k8s.io/podset", podSet.name()));
    GenericKubernetesResource stopped = EDITOR.stop(started, before);

    assertThat(text(stopped)).isEqualTo(text);
    assertThat(stopped).isEqualTo(job);
    assertThat(text(started)).isEqualTo(startedText);
    assertThat(text(job)).isEqualTo(text);
    assertThat(text(EDITOR.stop(stopped, before))).as("stopping again").isEqualTo(text);
  }

  @Property(tries = 150)
  void aStartChangesNoFieldOfOthers(@ForAll("kinds") String kind, @ForAll Random random)
      throws JsonProcessingException {
    GenericKubernetesResource job = new RandomFields(random).strew(KindManifests.get(kind));
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    GenericKubernetesResource started =
        EDITOR.start(job, workload, admission(workload, random), FLAVORS);
    assertThat(KindManifests.WORKLOADS.convert(started).orElseThrow().workload().podSets())
        .extracting(KindManifests::text)
        .as("the same pods with the same requests")
        .isEqualTo(workload.podSets().stream().map(KindManifests::text).toList());
    assertThat(started.getMetadata()).isEqualTo(job.getMetadata());
  }

  private static String text(GenericKubernetesResource job) throws JsonProcessingException {
    return Jobs.MAPPER.writeValueAsString(job);
  }

  private static Admission admission(Workload workload, Random random) {
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH);
    for (PodSet podSet : workload.podSets()) {
      admission.addPodSetAssignments(Jobs.assignment(
          podSet.name(), podSet.count(), Map.of("cpu", random.nextBoolean() ? "spot" : "plain")));
    }
    return admission.build();
  }
}
