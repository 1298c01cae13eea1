package io.kueue4j.examples.controller.job;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.examples.controller.object.FlavorNodes;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stops running jobs that are not what was admitted, and scales those that can be scaled. */
final class ChangedJobs {
  private final JobContext context;
  private final JobWorkload workloads;
  private final JobCount count;
  private final JobStopper stopper;
  private final ElasticScaling scaling;

  ChangedJobs(
      JobContext context,
      JobWorkload workloads,
      JobCount count,
      JobStopper stopper,
      ElasticScaling scaling) {
    this.context = context;
    this.workloads = workloads;
    this.count = count;
    this.stopper = stopper;
    this.scaling = scaling;
  }

  /** {@return whether a suspended job was edited between its admission and its start} */
  boolean isChanged(JobRecord record, RecordedAdmission recorded) {
    return context.reader().isStoppable(record.job())
        && workloads
            .ofOriginal(record.job(), workloads.original(record, recorded))
            .filter(recorded::isOf)
            .isEmpty();
  }

  /** Stops a running job that is not what was admitted, unless it can be scaled. */
  void stopIfChanged(JobRecord record, RecordedAdmission recorded) {
    boolean isGroup = JobParts.isGroup(record.job());
    if (isGroup) {
      stopper.deleteExceeding(record, count.beyond(record));
      stopper.deleteExceeding(record, count.tooLarge(record));
    }
    Optional<String> excess = isGroup ? Optional.empty() : lastingExcess(record);
    if (excess.isPresent()) {
      record.exceeded(context.now());
      context.stop(record, "ExceedsAdmission", excess.get());
    } else if (!scaling.scale(record, recorded)) {
      stopIfEdited(record, recorded);
    }
  }

  /**
   * {@return what the pods of a job request beyond its quota; empty if nothing} Pods of quota that
   * was given back may have ended without that being known; so they are asked for again.
   */
  private Optional<String> lastingExcess(JobRecord record) {
    Optional<String> excess = count.excess(record);
    if (excess.isPresent()) {
      return excess;
    }
    Optional<String> ofHeld = count.excessOfHeld(record);
    Optional<Instant> until = record.tolerate(ofHeld.isPresent(), context.now());
    if (until.filter(context.now()::isBefore).isEmpty()) {
      return ofHeld;
    }
    record.setWaitTime(until.get());
    return Optional.empty();
  }

  private void stopIfEdited(JobRecord record, RecordedAdmission recorded) {
    if (RunningJobs.mayRunAgain(record)
        && record
            .workload()
            .filter(charged -> RecordedAdmission.runsAgain(
                charged, context.reader().reclaimablePods(record.job())))
            .isPresent()) {
      context.stop(record, "JobChanged", RunningJobs.RUNS_AGAIN);
      return;
    }
    ImmutableMap<String, ResourceFlavor> flavors = context.configuration().flavors();
    boolean allKnown = recorded.admission().podSetAssignments().stream()
        .allMatch(
            assignment -> flavors.keySet().containsAll(assignment.flavors().values()));
    if (!allKnown) {
      return;
    }
    List<String> differences = record
        .form()
        .map(form -> context
            .reader()
            .sync()
            .differences(record.job(), form, recorded.admission(), true, flavors))
        .orElse(ImmutableList.of());
    if (!differences.isEmpty()) {
      context.stop(record, "JobChanged", Joiner.on("; ").join(differences));
    } else if (context.reader().isStoppable(record.job())
        && FlavorNodes.of(recorded.admission(), flavors)
            .areOther(context.reader().podSets(record.job()))) {
      // Its owner has started it in the moment of its admission.
      context.stop(record, "JobChanged", "Its pods lack the node selectors of their flavors");
    }
  }
}
