package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.record.RecordChecks;
import io.kueue4j.examples.controller.state.EngineBook.DesiredState;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import java.util.Optional;

/** Restores jobs as their recorded admissions say, or stops them. */
record AdoptedJobs(JobContext context, RecordChecks checks, ElasticScaling scaling)
    implements JobStep {
  /** {@return whether the engine contains the recorded quota} */
  boolean isKnown(JobRecord record, RecordedAdmission recorded) {
    if (!record.id().equals(Optional.of(recorded.id()))) {
      return false;
    }
    Optional<Admission> admission = book().admission(recorded.id());
    return admission.filter(held -> hasFlavorsOf(held, recorded.admission())).isPresent()
        || records().isOwn(record, recorded);
  }

  private static boolean hasFlavorsOf(Admission held, Admission recorded) {
    return held.clusterQueue().equals(recorded.clusterQueue())
        && Lists.transform(held.podSetAssignments(), PodSetAssignment::flavors)
            .equals(Lists.transform(recorded.podSetAssignments(), PodSetAssignment::flavors));
  }

  /**
   * Restores a job as recorded, but with the usage computed from its pods. If another controller
   * wrote the record while this controller was running, the job was started by mistake and must
   * stop; it must also stop if it may not hold what the record says.
   *
   * @param late whether the record is not one that this controller has started with, or has written
   * @return whether the next action is known; if not, the job keeps running until its queue exists
   *     again
   */
  @CanIgnoreReturnValue
  boolean adopt(JobRecord record, RecordedAdmission recorded, boolean late) {
    book().forget(record);
    HasMetadata original = context.original(record, recorded);
    Optional<Workload> read = context.workload(record, original);
    Optional<Workload> scaled = read.flatMap(wanted -> scaling.held(record, recorded, wanted));
    Optional<Workload> unchanged = read.filter(recorded::isOf).map(recorded::named);
    boolean same = scaled.isPresent() || unchanged.isPresent();
    Workload workload = scaled
        .or(() -> unchanged)
        .orElseGet(
            () -> recorded.admitted(reader().isStoppable(record.job()) ? read : Optional.empty()));
    Optional<String> misfit = checks.misfit(recorded);
    RecordedAdmission adopted = recorded;
    if (scaled.isPresent()) {
      adopted = recorded.withReclaimablePods(ImmutableSortedMap.of());
    } else if (same && RunningJobs.keepsSuccesses(record)) {
      adopted = recorded.withReclaimablePods(reader().reclaimablePods(original, workload));
    }
    boolean restored = restore(record, adopted, workload);
    boolean lacksSlices = !restored && restoreWithoutSlices(record, adopted, workload);
    restored |= lacksSlices;
    boolean isHomeless =
        configuration().clusterQueue(recorded.admission().clusterQueue()).isEmpty();
    if (!restored && isHomeless && !late && misfit.isEmpty()) {
      record.setHomeless(recorded);
      record.become(
          JobState.ADMITTED,
          "ClusterQueue " + recorded.admission().clusterQueue()
              + " does not know of it: there is none of that name, or it cannot be so");
      return false;
    }
    record.setHomeless(null);
    record.memory().setOwn(recorded.admission());
    if (same && reader().isStoppable(record.job())) {
      record.setForm(scaling.form(original, workload));
    }
    boolean evictedByEngine = restored && book().desiredState(recorded.id()) == DesiredState.STOP;
    misfit.ifPresent(why -> events().refused(record, why));
    if (recorded.stopping().isPresent() && !evictedByEngine) {
      record.setStopping(recorded.stopping().get());
    } else if (misfit.isPresent()) {
      context.stop(record, JobEventRecorder.ADMISSION_REFUSED, misfit.get());
    } else if (!restored && !isHomeless) {
      context.stop(
          record, JobEventRecorder.ADMISSION_REFUSED, "the recorded admission cannot be in force");
    } else if (lacksSlices) {
      context.stop(
          record,
          "TpuSlicesLost",
          "The TPU slices that the job was given are not recorded, or their nodes are gone");
    } else if (!same && reader().isStoppable(record.job())) {
      context.stop(record, "JobChanged", "The job is not what was admitted");
    } else if (RunningJobs.mayRunAgain(record)
        && RecordedAdmission.runsAgain(
            recorded.status().reclaimablePods(),
            reader().reclaimablePods(record.job(), recorded.workload()))) {
      context.stop(record, "JobChanged", RunningJobs.RUNS_AGAIN);
    } else if (late) {
      context.stop(
          record, "StartedByAnother", "The job was started by a controller that is none any more");
    }
    return true;
  }

  private boolean restore(JobRecord record, RecordedAdmission recorded, Workload workload) {
    return book()
        .restore(record, workload, Optional.of(checks.held(recorded, workload)), recorded.status());
  }

  /** Counts the quota of a job whose TPU slices cannot be restored, until it has stopped. */
  private boolean restoreWithoutSlices(
      JobRecord record, RecordedAdmission recorded, Workload workload) {
    boolean requests =
        workload.podSets().stream().anyMatch(podSet -> podSet.sliceRequest().isPresent());
    if (!requests && recorded.slices().isEmpty()) {
      return false;
    }
    Workload plain = RecordedAdmission.map(
        workload,
        podSet -> PodSet.builder().from(podSet).sliceRequest(Optional.empty()).build());
    RecordedAdmission unrecorded = new RecordedAdmission(
        plain, recorded.admission(), recorded.status(), recorded.stopping(), recorded.before(), "");
    return restore(record, unrecorded, plain);
  }
}
