package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.RecordedStates;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads the notes that the controller writes on jobs, as a study of the cluster does: seals are not
 * verified, since only the controller has the keys.
 */
public final class RecordedNotes implements RecordedStates {
  private final Seals seals = new Seals(Optional.empty());

  /** Creates the reader. */
  public RecordedNotes() {}

  @Override
  public Optional<Recorded> of(HasMetadata job, JobWorkloads workloads) {
    Optional<AdmissionNote> note = note(job);
    if (note.isPresent()) {
      return Optional.of(held(job, note.get(), workloads));
    }
    Optional<WorkloadStatus> status = newest(job, JobAnnotations.STATUS).map(StatusJson::read);
    if (status.isEmpty() && JobAnnotations.isActive(job)) {
      return Optional.empty();
    }
    return converted(job, workloads)
        .map(workload -> new Recorded(
            job,
            imported(
                Workload.builder()
                    .from(workload)
                    .active(JobAnnotations.isActive(job))
                    .build(),
                Optional.empty(),
                status.orElseGet(WorkloadStatus::empty))));
  }

  @Override
  public boolean holdsQuota(HasMetadata object) {
    return object.getMetadata() != null
        && !JobAnnotations.of(object, JobAnnotations.ADMISSION).isEmpty();
  }

  private Optional<AdmissionNote> note(HasMetadata job) {
    String namespace = ObjectKey.of(JobParts.subject(job)).namespace();
    return newest(job, JobAnnotations.ADMISSION)
        .map(json -> NoteJson.read(namespace, json))
        .filter(note -> JobParts.isGroup(job)
            || note.uid().equals(Objects.toString(job.getMetadata().getUid(), "")));
  }

  /**
   * {@return the newest of the texts on the unfinished objects of a job, empty if there is none}
   */
  private Optional<ObjectNode> newest(HasMetadata job, String annotation) {
    return JobParts.live(job).stream()
        .filter(part -> !JobAnnotations.of(part, annotation).isEmpty())
        .max(Comparator.comparingLong(
            part -> Seals.unverifiedSequence(JobAnnotations.of(part, annotation))))
        .map(part ->
            seals.open(part, annotation, JobAnnotations.of(part, annotation)).json());
  }

  private static Recorded held(HasMetadata job, AdmissionNote note, JobWorkloads workloads) {
    HasMetadata original = original(job, note, workloads);
    Optional<Workload> read = converted(original, workloads);
    Workload workload = read.filter(note::isOf)
        .map(same -> Workload.builder()
            .from(same)
            .name(note.workload().name())
            .queueName(note.workload().queueName())
            .build())
        .orElseGet(() -> note.admitted(read));
    Admission admission = NoteChecks.counted(note.admission(), workload);
    HasMetadata written =
        original instanceof PodGroup group ? withAllRoles(group, workload, workloads) : original;
    return new Recorded(written, imported(workload, Optional.of(admission), note.status()));
  }

  /**
   * {@return a group that has a pod for each pod set of its workload} The pods of some may have
   * failed, or were deleted: others that request the same take their place.
   */
  private static PodGroup withAllRoles(PodGroup group, Workload workload, JobWorkloads workloads) {
    Map<String, Pod> pods = new LinkedHashMap<>();
    for (Pod pod : group.pods()) {
      JobFacts.podSets(workloads.kinds(), PodGroup.of(ImmutableList.of(pod)))
          .forEach(podSet -> pods.putIfAbsent(podSet.name(), pod));
    }
    ImmutableList<PodSet> podSets = workload.podSets();
    if (podSets.stream().allMatch(podSet -> pods.containsKey(podSet.name()))) {
      return group;
    }
    String name = group.getMetadata().getName();
    return PodGroup.of(podSets.stream()
        .map(podSet -> PodGroup.member(
            Optional.ofNullable(pods.get(podSet.name())).orElseGet(() -> pod(group, podSet)),
            name,
            podSets.size(),
            podSet.name()))
        .toList());
  }

  private static Pod pod(PodGroup group, PodSet podSet) {
    ObjectMeta metadata = group.getMetadata();
    Map<String, io.fabric8.kubernetes.api.model.Quantity> requests =
        podSet.requests().entrySet().stream()
            .collect(ImmutableMap.toImmutableMap(
                Map.Entry::getKey,
                request -> new io.fabric8.kubernetes.api.model.Quantity(
                    Quantity.format(request.getKey(), request.getValue()))));
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(metadata.getNamespace())
        .withName(metadata.getName() + "-" + podSet.name())
        .withLabels(metadata.getLabels())
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("all")
        .withNewResources()
        .withRequests(requests)
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  private static HasMetadata original(HasMetadata job, AdmissionNote note, JobWorkloads workloads) {
    try {
      return JobFacts.of(workloads.kinds(), job).isStoppable()
          ? JobEditor.of(workloads.kinds()).stop(job, note.before())
          : job;
    } catch (JobStartException e) {
      return job;
    }
  }

  private static Optional<Workload> converted(HasMetadata job, JobWorkloads workloads) {
    return workloads.convertAll(job).stream()
        .filter(JobConversion.Converted.class::isInstance)
        .map(conversion -> ((JobConversion.Converted) conversion).workload())
        .findFirst();
  }

  private static ImportedWorkload imported(
      Workload workload, Optional<Admission> admission, WorkloadStatus status) {
    return new ImportedWorkload(workload, admission, status, Optional.empty(), ImmutableList.of());
  }
}
