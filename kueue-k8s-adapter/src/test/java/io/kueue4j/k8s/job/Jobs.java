package io.kueue4j.k8s.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpecBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Objects that tests of jobs need. */
final class Jobs {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private Jobs() {}

  /** The documents of a resource, as objects of {@code type}. */
  static <T> List<T> read(String resource, Class<T> type) {
    try (InputStream stream =
        Objects.requireNonNull(Jobs.class.getResourceAsStream("/jobs/" + resource))) {
      List<T> read = new ArrayList<>();
      new Load(LoadSettings.builder().build())
          .loadAllFromInputStream(stream)
          .forEach(document -> read.add(MAPPER.convertValue(document, type)));
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static PodTemplateSpec template(String cpu) {
    return new PodTemplateSpecBuilder()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .withImage("i")
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity(cpu)))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  /** A suspended Job team-a/train in the queue {@code lq} with three pods of one cpu. */
  static JobBuilder job() {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace("team-a")
        .withName("train")
        .addToLabels(MetadataKeys.QUEUE_NAME, "lq")
        .endMetadata()
        .withNewSpec()
        .withSuspend(true)
        .withParallelism(3)
        .withCompletions(3)
        .withTemplate(template("1"))
        .endSpec();
  }

  /** A Job whose annotations are these pairs of keys and values. */
  static Job annotated(String... keysAndValues) {
    return job()
        .editMetadata()
        .addToAnnotations(pairs(keysAndValues))
        .endMetadata()
        .build();
  }

  /** A Job that has these labels besides the label of the queue. */
  static Job labelled(String... keysAndValues) {
    return job().editMetadata().addToLabels(pairs(keysAndValues)).endMetadata().build();
  }

  /** A suspended JobSet team-a/train in the queue {@code lq}. */
  static JobSet jobSet(JobSet.ReplicatedJob... jobs) {
    return new JobSet(
        new ObjectMetaBuilder()
            .withNamespace("team-a")
            .withName("train")
            .addToLabels(MetadataKeys.QUEUE_NAME, "lq")
            .build(),
        JobSet.JobSetSpec.suspended(jobs));
  }

  /** A pod team-a/{@code name} in the queue {@code lq} that requests one cpu. */
  static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("team-a")
        .withName(name)
        .addToLabels(MetadataKeys.QUEUE_NAME, "lq")
        .endMetadata()
        .withSpec(template("1").getSpec())
        .build();
  }

  static JobSet.ReplicatedJob replicated(String name, int replicas, @Nullable Integer parallelism) {
    return new JobSet.ReplicatedJob(name, replicas, jobTemplate(parallelism, template("1")));
  }

  static JobTemplateSpec jobTemplate(@Nullable Integer parallelism, PodTemplateSpec template) {
    return new JobTemplateSpecBuilder()
        .withNewSpec()
        .withParallelism(parallelism)
        .withTemplate(template)
        .endSpec()
        .build();
  }

  static Map<String, ResourceFlavor> flavors(ResourceFlavor... flavors) {
    return Maps.uniqueIndex(Arrays.asList(flavors), ResourceFlavor::name);
  }

  /**
   * An admission of all pods of {@code workload} by ClusterQueue {@code cq}, with cpu on a flavor.
   */
  static Admission admission(Workload workload, String flavor) {
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH);
    for (PodSet podSet : workload.podSets()) {
      admission.addPodSetAssignments(
          assignment(podSet.name(), podSet.count(), Map.of("cpu", flavor)));
    }
    return admission.build();
  }

  static PodSetAssignment assignment(String podSet, int count, Map<String, String> flavors) {
    return PodSetAssignment.builder()
        .name(podSet)
        .count(count)
        .putAllFlavors(flavors)
        .build();
  }

  private static Map<String, String> pairs(String... keysAndValues) {
    ImmutableMap.Builder<String, String> pairs = ImmutableMap.builder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      pairs.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return pairs.buildOrThrow();
  }
}
