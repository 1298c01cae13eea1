package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.dra.ResourceClaims;
import io.kueue4j.k8s.internal.kueue.ResourceLists;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.kueue.KueueConfiguration;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects that decide on admission among manifests, as they are, before any decision:
 * configuration, nodes with the pods on them, and a Workload for each job.
 */
public final class ClusterObjects {
  private final ImmutableList<GenericKubernetesResource> configuration;
  private final ImmutableList<GenericKubernetesResource> workloads;
  private final List<ManifestIssue> warnings;

  private ClusterObjects(
      ImmutableList<GenericKubernetesResource> configuration,
      ImmutableList<GenericKubernetesResource> workloads,
      List<ManifestIssue> warnings) {
    this.configuration = configuration;
    this.workloads = workloads;
    this.warnings = warnings;
  }

  /**
   * {@return the objects}
   *
   * @param manifests the objects of a cluster
   * @param settings the settings of the cluster's Kueue
   * @throws InputException if an object breaks rules; says every place
   */
  public static ClusterObjects of(Manifests manifests, Settings settings) {
    JobManifests jobs = JobManifests.of(manifests, settings, false);
    ImmutableList.Builder<GenericKubernetesResource> workloads = ImmutableList.builder();
    jobs.stored().forEach(stored -> workloads.add(stored(stored, jobs)));
    jobs.jobs().forEach(job -> workloads.add(write(job, jobs)));
    return new ClusterObjects(
        configuration(manifests),
        workloads.build(),
        ImmutableList.<ManifestIssue>builder()
            .addAll(jobs.passedOver())
            .addAll(jobs.incomplete())
            .addAll(Latest.replaced(manifests))
            .build());
  }

  /**
   * {@return configuration, Kueue's Deployment, claims of devices, nodes, and the pods that take
   * something of these}
   */
  public ImmutableList<GenericKubernetesResource> configuration() {
    return configuration;
  }

  /** {@return a Workload for each job: first those that something was decided on} */
  public ImmutableList<GenericKubernetesResource> workloads() {
    return workloads;
  }

  /** {@return which jobs have no Workload here, and what else is not used, and why} */
  public List<ManifestIssue> warnings() {
    return warnings;
  }

  private static ImmutableList<GenericKubernetesResource> configuration(Manifests manifests) {
    Map<String, GenericKubernetesResource> objects = new LinkedHashMap<>();
    for (Manifest manifest : manifests.items()) {
      if (KueueConfiguration.isOne(manifest)) {
        objects.put("Configuration", ConfigurationWriter.given(manifest));
      } else if (KueueConfiguration.installedVersion(ImmutableList.of(manifest)).isPresent()) {
        objects.put("Deployment", ConfigurationWriter.given(manifest));
      } else if (manifest.group().equals(ResourceClaims.GROUP)
          || (manifest.is("", "Pod") && takesRoom(manifest.as(Pod.class)))) {
        objects.put(manifest.toString(), ConfigurationWriter.given(manifest));
      }
    }
    for (GivenObject config : GivenObject.of(manifests)) {
      objects.put(config.object().key(), ConfigurationWriter.given(config.manifest()));
    }
    return ImmutableList.copyOf(objects.values());
  }

  private static boolean takesRoom(Pod pod) {
    return JobPods.isOnNode(pod) && !TopologyAnnotations.isPlaced(pod.getMetadata());
  }

  private static GenericKubernetesResource stored(StoredWorkload stored, JobManifests jobs) {
    if (StoredWorkload.isOne(stored.manifest())) {
      return ConfigurationWriter.given(stored.manifest());
    }
    GenericKubernetesResource object = WorkloadStatusWriter.write(
        write(stored.job(), jobs),
        stored.imported().workload(),
        stored.imported().status(),
        stored.imported().admission());
    return stored.finished()
        ? WorkloadStatusWriter.finish(
            object,
            WorkloadStatusWriter.FinishReason.SUCCEEDED,
            "The job has ended",
            stored.lastChange().orElse(Instant.EPOCH))
        : object;
  }

  private static GenericKubernetesResource write(SimulatedJob job, JobManifests jobs) {
    if (StoredWorkload.isOne(job.manifest())) {
      return ConfigurationWriter.given(job.manifest());
    }
    Optional<Instant> created = job.workload().creationTime();
    GenericKubernetesResource object = jobs.write(job, created.orElse(Instant.EPOCH));
    if (created.isEmpty()) {
      object.setMetadata(new ObjectMetaBuilder(object.getMetadata())
          .withCreationTimestamp(null)
          .build());
    }
    return withTotals(object, job.workload());
  }

  /** {@return the Workload with one container in each template, which requests what is counted} */
  private static GenericKubernetesResource withTotals(
      GenericKubernetesResource object, Workload workload) {
    ImmutableMap<String, PodSet> podSets = Maps.uniqueIndex(workload.podSets(), PodSet::name);
    Map<String, Object> spec = mapping(object.getAdditionalProperties().get("spec"));
    List<Object> written = new ArrayList<>();
    for (Object item : (List<?>) Objects.requireNonNullElse(spec.get("podSets"), List.of())) {
      Map<String, Object> podSet = mapping(item);
      Map<String, Object> template = mapping(podSet.get("template"));
      Map<String, Object> pod = mapping(template.get("spec"));
      pod.keySet().removeAll(List.of("initContainers", "overhead", "resources"));
      pod.put(
          "containers",
          ImmutableList.of(container(Objects.requireNonNull(podSets.get(podSet.get("name"))))));
      template.put("spec", pod);
      podSet.put("template", template);
      written.add(podSet);
    }
    spec.put("podSets", written);
    object.setAdditionalProperty("spec", spec);
    return object;
  }

  private static ImmutableMap<String, Object> container(PodSet podSet) {
    Map<String, Object> requests =
        ResourceLists.write(podSet.podRequests().orElse(podSet.requests()));
    return ImmutableMap.of("name", "all", "resources", ImmutableMap.of("requests", requests));
  }

  @SuppressWarnings("unchecked") // the form of any JSON object
  private static Map<String, Object> mapping(@Nullable Object value) {
    return value == null ? new LinkedHashMap<>() : new LinkedHashMap<>((Map<String, Object>) value);
  }
}
