package io.kueue4j.examples.controller.record;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Workload objects of the elastic slices of jobs. One records the admission of the job, at most
 * one without an admission waits to replace it, and the former ones have finished.
 *
 * <p>Rules: E-2, E-6, E-8.
 *
 * @param book what the engine has decided
 * @param reader reads jobs
 * @param workloads the Workloads of the cluster
 * @param objects writes Workloads
 * @param writes deletes Workloads
 */
public record SliceRecords(
    EngineBook book,
    JobReader reader,
    KnownWorkloads workloads,
    WorkloadObjectWrites objects,
    JobWrites writes) {
  /** {@return the slice that waits to replace the admitted one, as its object says} */
  public Optional<Workload> proposed(JobRecord record) {
    return workloads.all(record.job()).stream()
        .skip(1)
        .filter(object -> !WorkloadObjects.isAdmitted(object)
            && !KnownWorkloads.hasFinished(object)
            && !JobParts.isDeleted(object))
        .flatMap(object -> workloads.parse(object).workload().stream())
        .map(ImportedWorkload::workload)
        .findFirst();
  }

  /**
   * Stores what must exist before a slice is queued that is to replace the workload of a running
   * job: creates its object, or gives it other numbers of pods.
   *
   * @param recorded the recorded admission of the job
   * @param original the job before its start
   */
  public Result propose(
      JobRecord record, RecordedAdmission recorded, HasMetadata original, Workload slice) {
    GenericKubernetesResource known = workloads.get(KnownWorkloads.key(slice.id()));
    // The digits of names may be equal.
    if (known != null
        && (!KnownWorkloads.isOwned(known, record.job()) || KnownWorkloads.hasFinished(known))) {
      return Result.REFUSED;
    }
    Workload named = Workload.builder()
        .from(slice)
        .sliceName(workloads
            .find(record.job())
            .flatMap(object -> workloads.parse(object).workload())
            .flatMap(imported -> imported.workload().sliceName())
            .or(slice::sliceName))
        .build();
    return objects.write(
        record, named, WorkloadContent.content(reader, original, named, recorded.before()));
  }

  /** Shows the present status of the slice that waits. */
  void publish(JobRecord record) {
    record.growth().ifPresent(slice -> {
      GenericKubernetesResource object = workloads.get(KnownWorkloads.key(slice.id()));
      if (object != null && !JobParts.isDeleted(object)) {
        objects.publish(
            record,
            object,
            WorkloadStatusWriter.write(object, slice, book.status(slice.id()), Optional.empty()));
      }
    });
  }

  /**
   * Finishes slices that have been replaced, and deletes slices that never held quota, except for
   * the one that waits to replace the admitted one.
   */
  public void settle(JobRecord record) {
    ImmutableList<GenericKubernetesResource> all = workloads.all(record.job());
    ImmutableSet<ObjectKey> kept = Stream.concat(
            all.stream().limit(1).map(ObjectKey::of),
            record.growth().stream().map(slice -> KnownWorkloads.key(slice.id())))
        .collect(ImmutableSet.toImmutableSet());
    all.stream()
        .filter(object -> !KnownWorkloads.hasFinished(object)
            && !JobParts.isDeleted(object)
            && !kept.contains(ObjectKey.of(object)))
        .forEach(object -> settle(record, object));
    // One that was created after all is deleted then.
    record.abandon(key -> ServedKinds.WORKLOAD.isOf(key) && !kept.contains(key));
  }

  private void settle(JobRecord record, GenericKubernetesResource object) {
    if (!WorkloadObjects.isAdmitted(object)) {
      Result unused = writes.delete(record, object);
      return;
    }
    String successor =
        workloads.find(record.job()).map(found -> found.getMetadata().getUid()).orElse("");
    Result unused = objects.apply(
        record,
        object,
        WorkloadStatusWriter.finish(
            object,
            WorkloadStatusWriter.FinishReason.WORKLOAD_SLICE_REPLACED,
            "Replaced to accommodate a workload (UID: " + successor + ", JobUID: " + record.uid()
                + ") due to workload slice aggregation",
            book.now()));
  }
}
