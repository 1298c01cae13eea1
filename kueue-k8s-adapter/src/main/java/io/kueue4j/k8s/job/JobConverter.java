package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.internal.tpu.SliceRequests;
import io.kueue4j.k8s.pod.PodTemplates;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Converts one managed job to its workload. */
record JobConverter<J extends HasMetadata>(JobKind<J> kind, J job, JobWorkloads settings) {

  JobConversion convert(String namespace, String name, String queueName) {
    ImmutableList.Builder<Violation> found = ImmutableList.builder();
    JobMetadata metadata = new JobMetadata(job, found);
    metadata.checkQueueName(queueName);
    metadata.checkName(name);
    ImmutableSortedSet<String> gates =
        settings.admissionGatedBy() ? metadata.admissionGates() : ImmutableSortedSet.of();
    if (!kind.startsByPods()) {
      found.addAll(PrebuiltWorkloads.violations(kind, job));
    }
    OptionalInt seconds = metadata.maximumExecutionTimeSeconds();
    Optional<Duration> expected = metadata.expectedDuration();
    Optional<Instant> creationTime = metadata.creationTime();
    List<Violation> malformed = kind.malformed(job);
    if (!malformed.isEmpty()) {
      return new JobConversion.Invalid(found.addAll(malformed).build());
    }
    List<JobPodSet> podSets = kind.podSets(job);
    JobPriorities.Priority priority = settings.priorities().of(kind, job, podSets, found);
    found.addAll(kind.violations(job));
    for (JobPodSet podSet : podSets) {
      PodTemplates.Located template = located(podSet, namespace);
      found.addAll(settings.podTemplates().violations(template));
      if (settings.topologyAwareScheduling()) {
        found.addAll(
            TopologyAnnotations.violations(template, podSet.count(), settings.slicedGroups()));
      }
      if (settings.topologyAwareScheduling()
          && KueueFix.CHECKED_INDEX_OFFSETS.isIn(settings.podTemplates().kueueVersion())) {
        found.addAll(TopologyAnnotations.indexOffsetViolations(template));
      }
      if (settings.topologyAwareScheduling() && settings.partialSlices()) {
        found.addAll(TopologyAnnotations.partialSliceViolations(
            template, podSet.count(), podSet.minCount().isPresent()));
      }
    }
    found.addAll(ElasticJobs.violations(kind, job, podSets));
    if (settings.tpuSlices() && found.build().isEmpty()) {
      podSets.forEach(
          podSet -> found.addAll(slices(podSet, located(podSet, namespace)).violations()));
    }
    if (settings.topologyAwareScheduling()) {
      found.addAll(
          PodSetGroups.violations(JobMetadata.describe(job), podSets, kind.groupsPodSets()));
    }
    List<Violation> violations = found.build();
    if (!violations.isEmpty()) {
      return new JobConversion.Invalid(violations);
    }
    String uid = Strings.nullToEmpty(JobMetadata.metadata(job).getUid());
    Workload.Builder workload = Workload.builder()
        .namespace(namespace)
        .name(workloadName(name, uid))
        .elastic(ElasticJobs.isElastic(job))
        .ownedBySinglePod(job instanceof Pod)
        .queueName(queueName)
        .priority(priority.value())
        .priorityClass(priority.workloadPriorityClass())
        .creationTime(creationTime)
        .expectedDuration(expected)
        .addAllAdmissionGates(gates);
    seconds.ifPresent(limit -> workload.maximumExecutionTime(Duration.ofSeconds(limit)));
    if (!uid.isEmpty()) {
      workload.uid(uid);
    }
    addPodSets(workload, podSets, namespace);
    ImmutableSortedSet<String> unknown = podSets.stream()
        .flatMap(podSet -> settings.podTemplates().unknownRuntimeClass(podSet.template()).stream())
        .collect(ImmutableSortedSet.toImmutableSortedSet(Comparator.naturalOrder()));
    return checked(workload.build(), name, seconds, unknown);
  }

  private String workloadName(String name, String uid) {
    return Optional.of(job)
        .filter(named -> !kind.startsByPods())
        .flatMap(PrebuiltWorkloads::nameOf)
        .orElseGet(() -> kind.workloadName(job, name, uid));
  }

  private void addPodSets(Workload.Builder workload, List<JobPodSet> podSets, String namespace) {
    for (JobPodSet podSet : podSets) {
      PodTemplates.Located template = located(podSet, namespace);
      workload.addPodSets(podSet(podSet, template));
      workload.addAllAdmissibilityProblems(settings.podTemplates().admissibilityProblems(template));
      workload.addAllAdmissibilityProblems(
          settings.resourceClaims().charges(template).problems());
    }
  }

  private PodSet podSet(JobPodSet podSet, PodTemplates.Located template) {
    PodSet.Builder converted = settings
        .resourceClaims()
        .charges(template)
        .addTo(settings.podTemplates().convert(template));
    if (settings.tpuSlices()) {
      converted.sliceRequest(slices(podSet, template).request());
    }
    return converted
        .name(podSet.name())
        .count(podSet.count())
        .minCount(podSet.minCount())
        .group(
            settings.topologyAwareScheduling()
                ? TopologyAnnotations.group(podSet.template())
                : Optional.empty())
        .topologyRequest(
            settings.topologyAwareScheduling() ? topologyRequest(podSet) : TopologyRequest.none())
        .build();
  }

  private SliceRequests slices(JobPodSet podSet, PodTemplates.Located template) {
    PodSet converted = settings.podTemplates().convert(template).build();
    long chips =
        converted.podRequests().orElse(converted.requests()).getOrDefault(ResourceNames.TPU, 0L);
    // Each of the equal jobs of a JobSet has TPU slices of its own.
    int parts = podSet.index().stream()
        .mapToInt(index -> index.subGroupCount().orElse(1))
        .findFirst()
        .orElse(1);
    return new SliceRequests(template, chips, podSet.count(), Math.max(1, parts));
  }

  private static TopologyRequest topologyRequest(JobPodSet podSet) {
    TopologyRequest.Builder request = TopologyAnnotations.request(podSet.template());
    podSet.index().ifPresent(index -> {
      request.podIndexLabel(index.podLabel());
      index.subGroupLabel().ifPresent(request::subGroupIndexLabel);
      index.subGroupCount().ifPresent(request::subGroupCount);
    });
    return request.build();
  }

  /**
   * Checks the workload. Violations name fields of the workload, since the fields of the job were
   * checked before.
   */
  private JobConversion checked(
      Workload workload,
      String name,
      OptionalInt seconds,
      ImmutableSortedSet<String> unknownRuntimeClasses) {
    List<Violation> violations = Settings.defaults().violations(workload);
    if (!violations.isEmpty()) {
      return new JobConversion.Invalid(violations);
    }
    boolean label = !JobMetadata.queueName(job, false).isEmpty();
    return new JobConversion.Converted(
        workload,
        kind.reclaimablePods(job, workload),
        name,
        seconds,
        unknownRuntimeClasses,
        label
            ? ImmutableList.of()
            : ImmutableList.of("the queue is named by the annotation " + MetadataKeys.QUEUE_NAME
                + ", which Kueue ignores since v0.15; use the label of that name"));
  }

  private PodTemplates.Located located(JobPodSet podSet, String namespace) {
    return new PodTemplates.Located(
        JobMetadata.describe(job), namespace, podSet.path(), podSet.template());
  }
}
