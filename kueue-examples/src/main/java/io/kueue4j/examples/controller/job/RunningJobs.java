package io.kueue4j.examples.controller.job;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.FlavorNodes;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.record.KnownWorkloads;
import io.kueue4j.examples.controller.state.JobFacts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.topology.PodPlacer;
import io.kueue4j.k8s.topology.PodPlacer.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Follows running jobs: reports their progress to the engine, places their pods, and finds out
 * whether they are what was admitted.
 */
record RunningJobs(
    JobContext context,
    FailedNodes failedNodes,
    JobCount count,
    JobStarter starter,
    JobStopper stopper,
    ElasticScaling scaling)
    implements JobStep {
  static final String RUNS_AGAIN =
      "Pods of the job run again that had finished, after their quota was released";

  /** Stops a running job that is not what was admitted, unless it can be scaled. */
  void stopIfChanged(JobRecord record, RecordedAdmission recorded) {
    boolean isGroup = JobParts.isGroup(record.job());
    if (isGroup) {
      stopper.deleteExceeding(record, count.beyond(record));
      stopper.deleteExceeding(record, count.tooLarge(record));
    }
    Optional<String> excess =
        isGroup ? Optional.empty() : count.excess(record).or(() -> excessOfHeld(record));
    if (excess.isPresent()) {
      context.stop(record, "ExceedsAdmission", excess.get());
    } else if (!scaling.scale(record, recorded)) {
      stopIfEdited(record, recorded);
    }
    if (record.stopping().isPresent()) {
      record.exceeded(context.now());
    }
  }

  /**
   * {@return what the pods of a job have requested for some time beyond the quota that it holds;
   * empty if nothing} Pods of quota that was given back may have ended without that being known; so
   * they are asked for again.
   */
  private Optional<String> excessOfHeld(JobRecord record) {
    Optional<String> ofHeld = count.excessOfHeld(record);
    Optional<Instant> until = record.tolerate(ofHeld.isPresent(), context.now());
    if (until.filter(context.now()::isBefore).isEmpty()) {
      return ofHeld;
    }
    record.setWaitTime(until.get());
    return Optional.empty();
  }

  private void stopIfEdited(JobRecord record, RecordedAdmission recorded) {
    Workload charged = record.workload().orElseThrow();
    if (runAgain(record, charged, book().reclaimablePods(charged.id()))) {
      context.stop(record, "JobChanged", RUNS_AGAIN);
      return;
    }
    ImmutableMap<String, ResourceFlavor> flavors = configuration().flavors();
    boolean allKnown = recorded.admission().podSetAssignments().stream()
        .allMatch(
            assignment -> flavors.keySet().containsAll(assignment.flavors().values()));
    if (!allKnown) {
      return;
    }
    List<String> differences = record
        .form()
        .map(form ->
            reader().sync().differences(record.job(), form, recorded.admission(), true, flavors))
        .orElse(ImmutableList.of());
    if (!differences.isEmpty()) {
      context.stop(record, "JobChanged", Joiner.on("; ").join(differences));
    } else if (context.isStoppable(record)
        && FlavorNodes.of(recorded.admission(), flavors)
            .areOther(reader().kind(record.job()).podSets(record.job()))) {
      // Its owner has started it in the moment of its admission.
      context.stop(record, "JobChanged", "Its pods lack the node selectors of their flavors");
    }
  }

  /** Reports the progress of a running job to the engine. */
  void follow(JobRecord record, RecordedAdmission recorded, JobFacts facts) {
    Stream<String> admitted =
        Stream.of("Admitted by clusterQueue " + recorded.admission().clusterQueue());
    Stream<String> scaled = ElasticScaling.message(record).stream();
    record.become(JobState.ADMITTED, Stream.concat(admitted, scaled).toArray(String[]::new));
    // Of a job that waits for more pods not all can be ready.
    if (book().engine().settings().podsReady().isPresent() && record.growth().isEmpty()) {
      book().setPodsReady(recorded.id(), facts.arePodsReady());
    }
    if (!reclaim(record, recorded)) {
      return;
    }
    Optional<Admission> admission = book().admission(recorded.id());
    if (admission.isPresent()
        && !records().isUpToDate(recorded, admission.get())
        && starter.renew(record, recorded) != Result.DONE) {
      // Pods are placed only as recorded.
      return;
    }
    records().publish(record);
    List<LivePod> strays = pods().strays(record);
    if (!strays.isEmpty()) {
      new PodNames(context).write(record, KnownWorkloads.key(recorded.id()), strays);
    }
    admission.ifPresent(held -> {
      place(record, record.workload().orElseThrow(), held);
      scaling.release(record, held);
    });
  }

  /**
   * Releases the quota of pods that have finished. It is recorded before, because a controller that
   * starts must know that the quota may have been given to others.
   *
   * @return whether it is recorded
   */
  private boolean reclaim(JobRecord record, RecordedAdmission recorded) {
    Workload charged = record.workload().orElseThrow();
    SortedMap<String, Integer> finished = scaling.reclaimable(record.job(), charged);
    if (RecordedAdmission.runsAgain(book().reclaimablePods(charged.id()), finished)) {
      return true;
    }
    RecordedAdmission newRecord = recorded.withReclaimablePods(finished);
    if (!keepsSuccesses(record)
        && !newRecord.equals(recorded)
        && starter.renew(record, newRecord) != Result.DONE) {
      return false;
    }
    book().reclaim(charged.id(), finished);
    return true;
  }

  /**
   * {@return whether pods run again whose quota was released when they had finished} A Job never
   * loses its successes, and a group of pods starts no pods without quota.
   */
  boolean runAgain(JobRecord record, Workload charged, Map<String, Integer> released) {
    return !keepsSuccesses(record)
        && !JobParts.isGroup(record.job())
        && RecordedAdmission.runsAgain(released, reader().reclaimablePods(record.job(), charged));
  }

  /** {@return whether a job says for ever how many pods have succeeded} */
  static boolean keepsSuccesses(JobRecord record) {
    return record.job() instanceof Job;
  }

  /** Places the pods of a job as assigned. */
  private void place(JobRecord record, Workload workload, Admission admission) {
    JobEditor.releaseSlicePods(admission, pods().of(workload.id()))
        .forEach(pod -> writes().replacePod(record, pod));
    ImmutableSet<String> failed = failedNodes.of(workload, admission);
    for (Placement placement :
        PodPlacer.place(workload, admission, pods().of(workload.id()), failed)) {
      Pod placed = placement.ungated();
      if (ObjectKey.of(placed).equals(record.key())) {
        writes().replace(record, placed);
      } else {
        writes().replacePod(record, placed);
      }
    }
  }
}
