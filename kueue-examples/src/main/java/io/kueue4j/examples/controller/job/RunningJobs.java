package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobFacts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Follows running jobs: reports their progress to the engine, and places their pods. */
final class RunningJobs {
  static final String RUNS_AGAIN =
      "Pods of the job run again that had finished, after their quota was released";

  private final JobContext context;
  private final ControllerOptions options;
  private final FailedNodes failedNodes;
  private final JobStarter starter;
  private final ElasticScaling scaling;

  RunningJobs(
      JobContext context,
      ControllerOptions options,
      FailedNodes failedNodes,
      JobStarter starter,
      ElasticScaling scaling) {
    this.context = context;
    this.scaling = scaling;
    this.options = options;
    this.failedNodes = failedNodes;
    this.starter = starter;
  }

  /**
   * Reports failed nodes to the engine. A single pod keeps its place, since its controller has to
   * create another one.
   */
  void reportNodes(JobRecord record, JobFacts facts) {
    if (facts.isStoppable() || JobParts.isGroup(record.job())) {
      record
          .workload()
          .ifPresent(workload -> context
              .book()
              .admission(workload.id())
              .ifPresent(held -> failedNodes.report(record, workload, held)));
    }
  }

  /** Reports the progress of a running job to the engine. */
  void follow(JobRecord record, RecordedAdmission recorded, JobFacts facts) {
    record.become(
        JobState.ADMITTED,
        Stream.concat(
                Stream.of("Admitted by clusterQueue " + recorded.admission().clusterQueue()),
                ElasticScaling.messages(record).stream())
            .toArray(String[]::new));
    // Of a job that waits for more pods not all can be ready.
    if (options.settings().podsReady().isPresent() && record.growth().isEmpty()) {
      context
          .book()
          .apply(lifecycle -> lifecycle.setPodsReady(recorded.id(), facts.arePodsReady()));
    }
    if (!reclaim(record, recorded)) {
      return;
    }
    Workload workload = record.workload().orElseThrow();
    Optional<Admission> admission = context.book().admission(recorded.id());
    if (admission.isPresent()
        && !context.records().isUpToDate(recorded, admission.get())
        && starter.renew(record, recorded) != Result.DONE) {
      // Pods are placed only as recorded.
      return;
    }
    context.records().publish(record);
    admission.ifPresent(held -> {
      place(record, workload, held);
      scaling.release(record, record.workload().orElseThrow(), held);
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
    if (RecordedAdmission.runsAgain(context.book().reclaimablePods(charged.id()), finished)) {
      return true;
    }
    RecordedAdmission newRecord = recorded.withReclaimablePods(finished);
    if (mayRunAgain(record)
        && !newRecord.equals(recorded)
        && starter.renew(record, newRecord) != Result.DONE) {
      return false;
    }
    context.book().reclaim(charged.id(), finished);
    return true;
  }

  /**
   * {@return whether finished pods may run again: a Job never loses its successes, and a group of
   * pods shows by its pods which have finished}
   */
  static boolean mayRunAgain(JobRecord record) {
    return !(record.job() instanceof Job) && !JobParts.isGroup(record.job());
  }

  /** Places the pods of a job as assigned. */
  private void place(JobRecord record, Workload workload, Admission admission) {
    if (admission.podSetAssignments().stream()
        .anyMatch(assignment -> !assignment.slices().isEmpty())) {
      JobEditor.releaseSlicePods(admission, context.pods().of(workload.id()))
          .forEach(pod -> context.writes().replacePod(record, pod));
    }
    if (admission.podSetAssignments().stream()
        .anyMatch(assignment -> assignment.topologyAssignment().isPresent())) {
      ImmutableList<Pod> waiting = context.pods().of(workload.id());
      for (PodPlacer.Placement placement :
          PodPlacer.place(workload, admission, waiting, failedNodes.of(workload, admission))) {
        Pod placed = placement.ungated();
        if (ObjectKey.of(placed).equals(record.key())) {
          context.writes().replace(record, placed);
        } else {
          context.writes().replacePod(record, placed);
        }
      }
    }
  }
}
