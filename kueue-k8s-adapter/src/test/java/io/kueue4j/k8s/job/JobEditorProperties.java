package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A stop undoes a start, whatever the job, and neither changes its argument. */
class JobEditorProperties {
  private static final JobEditor EDITOR = JobEditor.of(JobKinds.standard());
  private static final JobWorkloads WORKLOADS = JobWorkloads.builder().build();
  private static final Map<String, ResourceFlavor> FLAVORS = Jobs.flavors(
      ResourceFlavor.of("plain"),
      ResourceFlavor.builder()
          .name("spot")
          .putNodeLabels("capacity", "spot")
          .addTolerations(io.kueue4j.core.model.Toleration.exists("spot"))
          .build());

  private static Arbitrary<Map<String, String>> entries() {
    return Arbitraries.maps(
            Arbitraries.of("capacity", "zone", "app", "job-name", "controller-uid"),
            Arbitraries.of("spot", ""))
        .ofMaxSize(3)
        .map(entries -> {
          // The flavor's own label has its value or is absent, since a conflict prevents the start.
          entries.replace("capacity", "spot");
          return entries;
        });
  }

  private static Arbitrary<Toleration> toleration() {
    return Combinators.combine(
            Arbitraries.of("spot", "other").injectNull(0.2),
            Arbitraries.of("Exists", "Equal").injectNull(0.3),
            Arbitraries.of("NoSchedule").injectNull(0.5))
        .as((key, operator, effect) -> new Toleration(effect, key, operator, null, null));
  }

  @Provide
  static Arbitrary<PodTemplateSpec> templates() {
    Arbitrary<ObjectMeta> metadata = Combinators.combine(entries(), entries())
        .as((labels, annotations) -> new ObjectMetaBuilder()
            .withLabels(labels)
            .withAnnotations(annotations)
            .build());
    return Combinators.combine(
            metadata.injectNull(0.3),
            entries(),
            toleration().list().ofMaxSize(3),
            Arbitraries.of("example.com/a", "kueue.x-k8s.io/topology").set().ofMaxSize(2))
        .as((meta, selector, tolerations, gates) -> new PodTemplateSpecBuilder(Jobs.template("1"))
            .withMetadata(meta)
            .editSpec()
            .withNodeSelector(selector)
            .withTolerations(tolerations)
            .withSchedulingGates(gates.stream().map(PodSchedulingGate::new).toList())
            .endSpec()
            .build());
  }

  @Provide
  static Arbitrary<Job> jobs() {
    Arbitrary<Integer> parallelism = Arbitraries.integers().between(2, 6);
    return Combinators.combine(
            templates(),
            parallelism,
            Arbitraries.integers().between(2, 8).injectNull(0.3),
            Arbitraries.of("none", "minimum", "following"))
        .as((template, count, completions, partial) -> {
          JobBuilder job = Jobs.job()
              .editSpec()
              .withTemplate(template)
              .withParallelism(count)
              .withCompletions(partial.equals("following") ? count : completions)
              .withCompletionMode(partial.equals("following") ? "Indexed" : null)
              .endSpec();
          if (!partial.equals("none")) {
            job.editMetadata()
                .addToAnnotations(MetadataKeys.JOB_MIN_PARALLELISM, "1")
                .addToAnnotations(
                    MetadataKeys.JOB_COMPLETIONS_EQUAL_PARALLELISM,
                    String.valueOf(partial.equals("following")))
                .endMetadata();
          }
          return job.build();
        });
  }

  @Provide
  static Arbitrary<JobSet> jobSets() {
    Arbitrary<JobSet.ReplicatedJob> job = Combinators.combine(
            templates(),
            Arbitraries.integers().between(1, 3).injectNull(0.3),
            Arbitraries.integers().between(1, 3).injectNull(0.3),
            Arbitraries.maps(Arbitraries.of("groupName"), Arbitraries.of((Object) "g")))
        .as((template, replicas, parallelism, others) -> new JobSet.ReplicatedJob(
            "", replicas, Jobs.jobTemplate(parallelism, template), others));
    return job.list().ofMinSize(1).ofMaxSize(3).map(jobs -> {
      JobSet.ReplicatedJob[] named = new JobSet.ReplicatedJob[jobs.size()];
      for (int i = 0; i < named.length; i++) {
        named[i] = new JobSet.ReplicatedJob(
            "J" + i,
            jobs.get(i).replicas(),
            jobs.get(i).template(),
            jobs.get(i).additionalProperties());
      }
      return Jobs.jobSet(named);
    });
  }

  @Property(tries = 300)
  void stoppingUndoesStartingAJob(@ForAll("jobs") Job job, @ForAll Random random)
      throws JsonProcessingException {
    checkRoundTrip(job, Job.class, random);
  }

  @Property(tries = 300)
  void stoppingUndoesStartingAJobSet(@ForAll("jobSets") JobSet jobSet, @ForAll Random random)
      throws JsonProcessingException {
    checkRoundTrip(jobSet, JobSet.class, random);
  }

  private static <J extends HasMetadata> void checkRoundTrip(J job, Class<J> type, Random random)
      throws JsonProcessingException {
    String text = Jobs.MAPPER.writeValueAsString(job);
    Workload workload = WORKLOADS.convert(job).orElseThrow().workload();
    Admission admission = admission(workload, random);
    JobSnapshot before = JobSnapshot.ofJson(EDITOR.snapshot(job).toJson());

    J started = EDITOR.start(job, workload, admission, FLAVORS);
    String startedText = Jobs.MAPPER.writeValueAsString(started);
    assertThat(started).isNotEqualTo(job);
    assertThat(EDITOR.start(started, workload, admission, FLAVORS))
        .as("starting again changes nothing")
        .isEqualTo(started);
    J stopped = EDITOR.stop(started, before);

    assertThat(stopped).isEqualTo(job);
    assertThat(Jobs.MAPPER.writeValueAsString(job)).isEqualTo(text);
    assertThat(Jobs.MAPPER.writeValueAsString(started)).isEqualTo(startedText);
    assertThat(EDITOR.stop(stopped, before)).as("stopping again").isEqualTo(job);
    assertThat(Jobs.MAPPER.readValue(text, type)).as("read back").isEqualTo(job);
  }

  private static Admission admission(Workload workload, Random random) {
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH);
    for (PodSet podSet : workload.podSets()) {
      int least = podSet.minCount().orElse(podSet.count());
      admission.addPodSetAssignments(Jobs.assignment(
          podSet.name(),
          least + random.nextInt(podSet.count() - least + 1),
          Map.of("cpu", random.nextBoolean() ? "spot" : "plain")));
    }
    return admission.build();
  }
}
