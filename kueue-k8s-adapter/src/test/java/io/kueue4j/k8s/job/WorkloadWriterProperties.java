package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Reading a written Workload object returns the original workload, for every kind of job. */
class WorkloadWriterProperties {
  @Provide
  static Arbitrary<String> kinds() {
    return Arbitraries.of(KindManifests.kinds());
  }

  @Property(tries = 200)
  void whatIsWrittenIsReadAsItWas(
      @ForAll("kinds") String kind, @ForAll boolean recent, @ForAll Random random)
      throws JsonProcessingException {
    GenericKubernetesResource job = new RandomFields(random).strew(KindManifests.get(kind));
    String before = Jobs.MAPPER.writeValueAsString(job);
    Workload workload = Workload.builder()
        .from(KindManifests.WORKLOADS.convert(job).orElseThrow().workload())
        .active(random.nextBoolean())
        .priorityBoost(random.nextInt(3) - 1)
        .build();

    GenericKubernetesResource written = WorkloadWriter.of(
            recent ? KueueApiVersion.V1BETA2 : KueueApiVersion.V1BETA1, KindManifests.WORKLOADS)
        .write(job, workload);
    ImportedWorkload read = new WorkloadReader(PodTemplates.plain())
        .read(ManifestReader.create()
            .read(ManifestSource.of("w.json", Jobs.MAPPER.writeValueAsString(written)))
            .items()
            .get(0));

    assertThat(asStored(read.workload())).isEqualTo(asStored(workload));
    assertThat(read.admission()).isEmpty();
    assertThat(Jobs.MAPPER.writeValueAsString(job)).isEqualTo(before);
    assertThat(WorkloadWriter.update(written, workload)).isEqualTo(written);
  }

  /** The server adds uid and creation time; admissibility problems are computed again. */
  private static Workload asStored(Workload workload) {
    return Workload.builder()
        .from(workload)
        .uid("")
        .creationTime(Optional.empty())
        .admissibilityProblems(List.of())
        .build();
  }
}
