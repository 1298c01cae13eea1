package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.RestartHistory;
import io.kueue4j.examples.controller.record.PromiseRecords;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.EngineBook.DesiredState;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.job.SubmissionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Reconciles jobs without a recorded admission. */
record WaitingJobs(
    JobContext context,
    ControllerOptions options,
    JobStarter starter,
    JobStopper stopper,
    WorkList work)
    implements JobStep {
  private static final String UNADMITTED = "runs without a recorded admission";

  /** Between two looks at pods that no event of the job tells of. */
  private static final Duration PODS_DELAY = Duration.ofSeconds(1);

  /** Suspends a running job that holds no quota. */
  void suspend(JobRecord record) {
    boolean wasQueued = wasQueued(record);
    Optional<Workload> workload = workload(record);
    boolean isInvalid = record.state() == JobState.INVALID && reader().namesQueue(record.job());
    if (context.isStoppable(record) && (workload.isPresent() || isInvalid)) {
      stopper.suspend(record);
    } else if (wasQueued && (workload.isPresent() || JobParts.isGroup(record.job()))) {
      book().forget(record);
      stopper.expel(record, UNADMITTED);
    } else if (workload.isPresent()) {
      book().forget(record);
      record.become(JobState.UNMANAGED, "runs already, and cannot be suspended");
    }
  }

  /** {@return the workload of a job to be admitted; if there is none, the reason is recorded} */
  private Optional<Workload> workload(JobRecord record) {
    JobConversion conversion = reader().convert(record.job());
    Optional<Workload> workload = context.workload(record, conversion);
    if (workload.isEmpty()) {
      book().forget(record);
    }
    if (conversion instanceof JobConversion.Invalid invalid) {
      context.invalid(record, invalid.violations());
    } else if (conversion instanceof JobConversion.NotManaged notManaged
        && record.become(JobState.UNMANAGED, notManaged.message())
        && waitsInVain(record.job(), notManaged.reason())) {
      events().warning(record.job(), "NotQueued", notManaged.message());
    }
    return workload;
  }

  /** A pod of a StatefulSet waits for its group, which it does not have at first. */
  private boolean waitsInVain(HasMetadata job, JobConversion.Reason reason) {
    return reader().facts(job).isSuspended()
        && reader().namesQueue(job)
        && (reason == JobConversion.Reason.NO_QUEUE_NAME
            || (reason == JobConversion.Reason.MANAGED_BY_PARENT && reader().isStoppable(job)));
  }

  /**
   * {@return whether the controller has queued a job, or started it: a start makes pods name their
   * Workload}
   */
  boolean wasQueued(JobRecord record) {
    return record.hasWaited()
        || records().wasQueued(record)
        || JobParts.live(record.job()).stream()
            .anyMatch(
                part -> part instanceof Pod pod && !WorkloadPods.workloads(pod).isEmpty());
  }

  /** Queues a job, and starts it when it is admitted. */
  void queue(JobRecord record) {
    record.memory().removed();
    Optional<Workload> read = workload(record);
    if (read.isEmpty()) {
      if (record.state() == JobState.INVALID) {
        stopper.deleteStrays(record);
      }
      // A group that is not complete waits, too.
      if (JobParts.isGroup(record.job()) && !isExpelled(record)) {
        record.setWaited();
      }
      return;
    }
    Workload workload = read.get();
    if (record.stopping().isPresent()) {
      record.setStopping(null);
      book().forget(record);
    }
    if (isExpelled(record) || isPrebuilt(record, workload)) {
      return;
    }
    record.setWaited();
    if (pods().isActive(record, workload.id()) || reader().facts(record.job()).isActive()) {
      if (record.blocked().isEmpty()) {
        record.become(JobState.STOPPING, "pods of an earlier run are still there");
      }
      stopper.deleteStrays(record);
      // It cannot start, so it must not take quota from others.
      book().forget(record);
      return;
    }
    if (!isAllowed(record, workload)) {
      return;
    }
    WorkloadId id = workload.id();
    if (book().record(id).filter(holder -> !holder.equals(record)).isPresent()) {
      // The pods have lost their job; see LeftJobs.
      record.become(JobState.STOPPING, "pods are still there that hold quota by its Workload");
      record.setWaitTime(context.now().plus(PODS_DELAY));
      return;
    }
    // A job whose Workload cannot be stored must not take quota from others.
    if ((record.hasFailed() && !isPrepared(record, workload))
        || !isQueued(record, workload)
        || isPutOff(record, id)) {
      return;
    }
    DesiredState desired = book().desiredState(id);
    if (desired == DesiredState.RUN && isPrepared(record, workload)) {
      starter.start(record, Optional.empty());
    } else if (desired == DesiredState.RESERVE && isPrepared(record, workload)) {
      starter.reserve(record);
    } else if (desired == DesiredState.STOP) {
      record.lostBeforeStart(context.now());
      book().podsStopped(id);
      pending(record);
    } else if (desired == DesiredState.WAIT) {
      pending(record);
    }
  }

  private void pending(JobRecord record, String... why) {
    record.become(JobState.PENDING, why);
    work.behind().add(record.key());
  }

  /** {@return whether pods of a group are stopped that run without a recorded admission} */
  private boolean isExpelled(JobRecord record) {
    boolean isToStop =
        JobParts.isGroup(record.job()) && wasQueued(record) && reader().runs(record.job());
    if (isToStop) {
      stopper.expel(record, UNADMITTED);
    }
    return isToStop;
  }

  /**
   * {@return whether the job is not queued yet: it was preempted too often, too soon, its start was
   * refused, or its pods requested too much}
   */
  private boolean isPutOff(JobRecord record, WorkloadId id) {
    Optional<RestartHistory.PutOff> putOff = Stream.of(
            RestartHistory.of(record.job()).putOff(), record.putOff())
        .flatMap(Optional::stream)
        .filter(found -> context.now().isBefore(found.until()))
        .findFirst();
    boolean isPutOff = putOff.isPresent() && book().desiredState(id) == DesiredState.WAIT;
    book().hold(id, isPutOff);
    if (isPutOff) {
      record.setWaitTime(putOff.get().until());
      pending(record, putOff.get().message());
    }
    return isPutOff;
  }

  /** Writes what users see of a job that waits. */
  void show(JobRecord record) {
    if (record.state() == JobState.PENDING
        && record.workload().filter(workload -> isPrepared(record, workload)).isPresent()) {
      Optional<Instant> recorded = records().promises().start(record);
      records().publish(record).ifPresent(time -> work.delay(record.key(), time));
      Optional<Instant> promised = records().promises().start(record);
      if (!promised.equals(recorded)) {
        events()
            .normal(record.job(), "PromisedStart", PromiseRecords.text(record, recorded, promised));
      }
    }
  }

  /** {@return whether everything is stored that must exist before the job holds quota} */
  private boolean isPrepared(JobRecord record, Workload workload) {
    Result result = records().prepare(record, workload);
    if (result != Result.DONE && record.hasFailed()) {
      book().forget(record);
    }
    if (result == Result.REFUSED) {
      record.become(JobState.REFUSED, "the API server refuses the Workload of the job");
    }
    return result == Result.DONE;
  }

  /** {@return whether the job is refused because it names a Workload, which may have pods} */
  private boolean isPrebuilt(JobRecord record, Workload workload) {
    Optional<String> prebuilt =
        JobWorkloads.prebuiltWorkload(record.job()).filter(workload.name()::equals);
    prebuilt.ifPresent(name -> context.refuse(
        record,
        "names the Workload " + name + " by kueue.x-k8s.io/prebuilt-workload-name, and Workload"
            + " objects are not read; create the job without that name, or let Kueue admit it"));
    return prebuilt.isPresent();
  }

  /**
   * {@return whether the job has a workload of its own, satisfies the policies, and is not known to
   * fail at its start}
   */
  private boolean isAllowed(JobRecord record, Workload workload) {
    if (record.blocked().filter(workload::equals).isPresent()) {
      if (record.state() == JobState.STOPPING) {
        record.become(JobState.REFUSED, record.messages().toArray(String[]::new));
      }
      return false;
    }
    record.setBlocked(null);
    Optional<String> refusal =
        records().refusal(record, workload).or(() -> denial(record, workload.namespace()));
    refusal.ifPresent(why -> context.refuse(record, why));
    return refusal.isEmpty();
  }

  /** {@return why a policy forbids the job, empty if none does} */
  private Optional<String> denial(JobRecord record, String namespace) {
    Map<String, String> labels = configuration()
        .namespace(namespace)
        .map(found -> Map.copyOf(found.labels()))
        .orElse(Map.of());
    return SubmissionPolicy.check(reader().kinds(), record.job(), labels, options.policies())
        .map(SubmissionPolicy.Denial::message);
  }

  /** {@return whether the engine contains the current form of the job} */
  private boolean isQueued(JobRecord record, Workload workload) {
    SortedMap<String, Integer> ended = reader().reclaimablePods(record.job(), workload);
    if (record.workload().equals(Optional.of(workload)) && book().reclaim(workload.id(), ended)) {
      return true;
    }
    boolean isUpdate = record.id().equals(Optional.of(workload.id()))
        && book().desiredState(workload.id()) == DesiredState.WAIT;
    Optional<String> problem = isUpdate
        ? book().update(record, workload)
        : book().submit(record, workload, records().status(record));
    if (problem.isPresent()) {
      book().forget(record);
      context.invalid(record, ImmutableList.of(problem.get()));
      return false;
    }
    book().reclaim(workload.id(), ended);
    if (!isUpdate) {
      records().promises().restore(record, workload, context.checks());
    }
    return true;
  }
}
