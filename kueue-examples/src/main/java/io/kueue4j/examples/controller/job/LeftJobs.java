package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.record.KnownWorkloads;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.EngineBook.DesiredState;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.WorkloadPods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The admissions of jobs that are gone: each holds its quota until no pod of the job is left, for
 * someone may have deleted the job without its pods.
 *
 * <p>The finalizer of the Workload keeps the record of the admission. The Workload also names the
 * pods, for a later controller.
 */
public final class LeftJobs implements JobStep {
  /** The time in which pods usually follow their job. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final JobContext context;
  private final PodNames names;
  private final WorkList work;

  /** By the key of the Workload. */
  private final Map<ObjectKey, Left> left = new TreeMap<>();

  /**
   * An admission, what its pods belong to, until when they may follow their job, whether the job
   * may have pods that are not known yet, and a pod of each job that has created some.
   */
  private record Left(
      JobRecord record,
      ImmutableSet<String> owners,
      Instant due,
      boolean awaitsPods,
      Map<ObjectKey, Pod> makers) {}

  public LeftJobs(JobContext context, WorkList work) {
    this.context = context;
    names = new PodNames(context);
    this.work = work;
  }

  @Override
  public JobContext context() {
    return context;
  }

  /** {@return the admissions, by the keys of their Workloads} */
  public Stream<JobRecord> all() {
    return left.values().stream().map(Left::record);
  }

  /** Takes over the admission of a job that is gone, if it has one, and forgets the job. */
  void take(JobRecord gone) {
    ImmutableSet<String> owners = ImmutableSet.of(WorkloadPods.owner(gone));
    boolean holdsQuota = book().holdsQuota(gone);
    boolean hasPods = !pods().of(owners).isEmpty();
    // What the engine could not restore has to stop, too.
    Optional<WorkloadId> recorded =
        gone.memory().inForce().filter(unused -> hasPods).map(RecordedAdmission::id);
    (holdsQuota ? gone.id() : recorded).ifPresent(id -> {
      ObjectKey key = KnownWorkloads.key(id);
      HasMetadata subject = records().object(key).map(HasMetadata.class::cast).orElseGet(gone::job);
      JobRecord record = new JobRecord(key, subject);
      if (holdsQuota) {
        book().pass(gone, record);
      }
      add(record, owners, !hasPods && context.isStoppable(gone) && reader().runs(gone.job()));
    });
    book().forget(gone);
  }

  private void add(JobRecord record, ImmutableSet<String> owners, boolean awaitsPods) {
    Instant due = context.now().plus(GRACE);
    left.put(record.key(), new Left(record, owners, due, awaitsPods, new TreeMap<>()));
    work.add(record.key());
  }

  /** Takes over an admission in the cluster that its job has left before the controller started. */
  void restore(GenericKubernetesResource object) {
    ImmutableSet<String> owners = PodNames.owners(object);
    JobRecord record = new JobRecord(ObjectKey.of(object), object);
    Optional<RecordedAdmission> recorded = records().recorded(record, object);
    if (recorded.isPresent() && !pods().of(owners).isEmpty()) {
      context.restore(record, recorded.get(), recorded.get().admitted(Optional.empty()));
    }
    add(record, owners, false);
  }

  /** Makes the admissions due whose pods belong to any of these owners. */
  void wake(Set<String> owners) {
    left.values().stream()
        .filter(each -> each.owners().stream().anyMatch(owners::contains))
        .forEach(each -> work.add(each.record().key()));
  }

  /** Makes the admissions due that have no pods, after a change of a job that may create some. */
  void wakeMade(String namespace) {
    left.forEach((key, each) -> {
      if (!each.makers().isEmpty()
          && key.namespace().equals(namespace)
          && pods().of(each.owners()).isEmpty()) {
        work.add(key);
      }
    });
  }

  /**
   * Performs the next action for an admission.
   *
   * @return whether a Workload is the record of such an admission
   */
  boolean reconcile(ObjectKey workload) {
    Left each = left.get(workload);
    if (each == null) {
      return false;
    }
    if (each.record().retryTime(true, context.now()).isEmpty()) {
      List<LivePod> live = pods().of(each.owners());
      live.forEach(known -> reader()
          .maker(known.pod())
          .ifPresent(by -> each.makers().put(ObjectKey.of(by), known.pod())));
      List<HasMetadata> makers = reader().makers(each.makers().values());
      if (!live.isEmpty() || !makers.isEmpty()) {
        hold(each, live, makers);
      } else if (each.awaitsPods() && context.now().isBefore(each.due())) {
        work.delay(workload, each.due());
      } else {
        end(each.record());
      }
    }
    each.record().retryTime(true, context.now()).ifPresent(time -> work.delay(workload, time));
    return true;
  }

  private void hold(Left each, List<LivePod> live, List<HasMetadata> makers) {
    JobRecord record = each.record();
    boolean isDue = !context.now().isBefore(each.due());
    Optional<GenericKubernetesResource> object = records().object(record.key());
    // A later controller can count the pods by it.
    boolean isRecorded = object.filter(found -> !JobParts.isDeleted(found)).isPresent();
    List<LivePod> running = live.stream()
        .filter(pod -> !pod.isGated() && !JobParts.isDeleted(pod.pod()))
        .toList();
    Optional<String> excess = new JobCount(context).excess(record, running);
    boolean runs = excess.isEmpty()
        && makers.stream().noneMatch(maker -> isOf(each, maker))
        && record.id().map(book()::desiredState).equals(Optional.of(DesiredState.RUN))
        && object.filter(found -> !WorkloadObjects.isActive(found)).isEmpty()
        && (isRecorded || !isDue);
    String message = live.isEmpty()
        ? "the job is gone, and " + ObjectKey.of(makers.get(0)) + " may start its pods again"
        : "the job is gone, and " + live.size() + " of its pods are still there";
    if (!runs) {
      record.become(JobState.STOPPING, excess.map(why -> message + "; " + why).orElse(message));
      if (!context.suspendMakers(makers, "Runs, and its pods hold quota that they must not have")) {
        record.failed(context.now());
      }
      live.forEach(pod -> delete(record, pod));
      return;
    }
    record.become(JobState.ADMITTED, message + "; it holds its quota until they have ended");
    live.stream().filter(LivePod::isGated).forEach(pod -> delete(record, pod));
    if (isDue) {
      names.write(record, record.key(), live);
    } else {
      work.delay(record.key(), each.due());
    }
  }

  /** {@return whether a job is the owner of an admission, and therefore not gone} */
  private static boolean isOf(Left each, HasMetadata job) {
    return each.owners()
        .contains(WorkloadPods.owner(ObjectKey.of(job).namespace(), JobParts.uid(job)));
  }

  private void delete(JobRecord record, LivePod live) {
    if (!JobParts.isDeleted(live.pod())) {
      String why = "Its job is gone, and the quota of " + record.key() + " is needed or given back";
      context.delete(record, live.pod(), why);
    }
  }

  /**
   * Gives the quota back. A Workload with an owner is deleted with it, by the garbage collector.
   */
  private void end(JobRecord record) {
    Optional<GenericKubernetesResource> object = records()
        .object(record.key())
        .filter(
            found -> !JobParts.isDeleted(found) && WorkloadObjects.owners(found).isEmpty());
    if (object.isEmpty() || writes().delete(record, object.get()) == Result.DONE) {
      left.remove(record.key());
      book().forget(record);
      work.cancel(record.key());
      work.add(record.key());
    }
  }
}
