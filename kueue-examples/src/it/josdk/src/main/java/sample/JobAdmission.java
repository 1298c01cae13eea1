package sample;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.ApplyResult;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.job.JobStartException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which Jobs may run. Idempotent: what follows from an object depends on its state, not on
 * how often it has been seen.
 *
 * <p>Thread-safe; decisions are made one at a time, for all Jobs of the cluster.
 */
final class JobAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(JobAdmission.class);

  private static final int MAX_CYCLES = 1_000;

  /** A Job as it has to be written: its status, or everything else. */
  record Edit(Job job, boolean isOfStatus) {}

  private final KubernetesAdmission admission = KubernetesAdmission.create();
  private final AdmissionEngine engine = admission.engine();
  private final Map<String, String> uids = new HashMap<>();
  private Consumer<HasMetadata> affected = job -> {};
  private boolean hasResumed;

  /** Sets the receiver of Jobs that must start or stop because of other objects. */
  synchronized void onAffected(Consumer<HasMetadata> affected) {
    this.affected = affected;
  }

  /** Applies new or changed flavors, queues and priority classes. */
  synchronized void configure(Collection<? extends HasMetadata> objects) {
    decide(apply(objects.toArray(HasMetadata[]::new)).decisions(), List.of());
  }

  /** Applies the deletion of configuration. */
  synchronized void remove(HasMetadata configuration) {
    decide(admission.delete(configuration).decisions(), List.of());
  }

  /**
   * Gives Jobs that are running when this process starts their quota, before others are tried; does
   * nothing when called again. The node labels that their start has set lead to the same flavors.
   */
  synchronized void resume(Supplier<Stream<Job>> jobs) {
    if (!hasResumed) {
      List<Job> running = jobs.get().filter(job -> !isSuspended(job)).toList();
      running.forEach(job -> uids.put(name(job), job.getMetadata().getUid()));
      decide(apply(running.toArray(HasMetadata[]::new)).decisions(), List.of());
      hasResumed = true;
    }
  }

  /** Applies the deletion of a Job. */
  synchronized void delete(Job job) {
    uids.remove(name(job));
    decide(admission.delete(job).decisions(), List.of());
  }

  /** {@return what to write, absent if the Job has to stay as it is} */
  synchronized Optional<Edit> reconcile(Job job) {
    String uid = job.getMetadata().getUid();
    if (!uid.equals(uids.getOrDefault(name(job), uid))) {
      // The SDK does not report a deletion if another Job of that name follows at once.
      delete(job);
    }
    uids.put(name(job), uid);
    ApplyResult applied = apply(job);
    Optional<WorkloadId> workload = applied.workloads().stream().findFirst();
    Optional<Edit> edit = Optional.empty();
    Decisions decisions = applied.decisions();
    if (workload.isPresent() && hasStopped(job)) {
      edit = restore(workload.get(), job);
      if (edit.isEmpty()) {
        // Releases its quota; no effect unless it had to stop.
        decisions = decisions.and(engine.podsStopped(workload.get()));
      }
    }
    decide(decisions, applied.workloads());
    return edit.or(() -> workload.flatMap(each -> edit(each, job)));
  }

  /** {@return when to decide again even if no object changes, such as at the end of a backoff} */
  Optional<Instant> next() {
    return engine.nextTick();
  }

  private ApplyResult apply(HasMetadata... objects) {
    ApplyResult result = admission.apply(objects);
    result.problems().forEach(problem -> LOG.warn("refused: {}", problem));
    return result;
  }

  /** Decides about all Jobs, and reports those that start or stop except the reconciled one. */
  private void decide(Decisions before, List<WorkloadId> reconciled) {
    Decisions decisions =
        before.and(engine.tick()).and(engine.runUntilStable(MAX_CYCLES).decisions());
    Set<WorkloadId> changed = new LinkedHashSet<>(decisions.mustStop());
    decisions.admitted().forEach(admitted -> changed.add(admitted.workload()));
    reconciled.forEach(changed::remove);
    changed.forEach(workload -> admission.job(workload).ifPresent(affected));
  }

  /**
   * {@return the next write of those that make a suspended Job what it was before its start} The
   * API server accepts changes of the template only while a Job is suspended and has no start time.
   */
  private Optional<Edit> restore(WorkloadId workload, Job job) {
    if (job.getStatus() != null && job.getStatus().getStartTime() != null) {
      return Optional.of(
          new Edit(job.edit().editStatus().withStartTime(null).endStatus().build(), true));
    }
    if (!engine.isStopping(workload)) {
      return Optional.empty();
    }
    Job restored = (Job) admission.stop(workload);
    return restored.equals(job) ? Optional.empty() : Optional.of(new Edit(restored, false));
  }

  private Optional<Edit> edit(WorkloadId workload, Job job) {
    WorkloadStatus status = engine.lifecycle().status(workload);
    boolean mayRun = status.isTrue(ConditionType.ADMITTED) && !status.isTrue(ConditionType.EVICTED);
    if (mayRun != isSuspended(job) || mayRun && !hasStopped(job)) {
      return Optional.empty();
    }
    if (!mayRun) {
      return Optional.of(
          new Edit(job.edit().editSpec().withSuspend(true).endSpec().build(), false));
    }
    try {
      return Optional.of(new Edit((Job) admission.start(workload), false));
    } catch (JobStartException e) {
      LOG.warn("{} cannot run as admitted: {}", workload, e.getMessage());
      engine.release(workload);
      return Optional.empty();
    }
  }

  private static boolean hasStopped(Job job) {
    return isSuspended(job)
        && (job.getStatus() == null
            || job.getStatus().getActive() == null
            || job.getStatus().getActive() == 0);
  }

  private static String name(Job job) {
    return job.getMetadata().getNamespace() + "/" + job.getMetadata().getName();
  }

  private static boolean isSuspended(Job job) {
    return Boolean.TRUE.equals(job.getSpec().getSuspend());
  }
}
