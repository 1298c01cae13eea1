package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.topology.NodeTracker;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The jobs to decide on, and the other objects of the cluster that matter for them, as known by
 * events. Marks the jobs that an event concerns as due.
 *
 * <p>Not thread-safe; the lock of {@link ControllerLoop} protects it.
 */
final class KnownJobs {
  private final Map<ObjectKey, JobRecord> jobs = new TreeMap<>();
  private final Map<String, ObjectKey> jobsByUid = new HashMap<>();
  private final Set<ObjectKey> serving = new TreeSet<>();
  private final WorkloadPods pods = new WorkloadPods();
  private final PodGroups groups = new PodGroups();
  private final NodeTracker nodes = NodeTracker.create();
  private final NodeHealth health = new NodeHealth();
  private final ObjectCache cache;
  private final ClusterConfiguration configuration;
  private final ConfigurationProblems problems;
  private final JobReader reader;
  private final EngineBook book;
  private final WorkloadRecords workloads;
  private final WorkList work;
  private boolean healthChanged;

  /**
   * Creates one without objects.
   *
   * @param cache the versions of objects that were seen, which it keeps up to date
   * @param work the jobs that are due, to which it adds
   */
  KnownJobs(
      ObjectCache cache,
      ClusterConfiguration configuration,
      ConfigurationProblems problems,
      JobReader reader,
      EngineBook book,
      WorkloadRecords workloads,
      WorkList work) {
    this.cache = cache;
    this.configuration = configuration;
    this.problems = problems;
    this.reader = reader;
    this.book = book;
    this.workloads = workloads;
    this.work = work;
  }

  /** {@return the jobs to decide on, by key} */
  Stream<JobRecord> records() {
    return jobs.values().stream();
  }

  /** {@return a job, empty if there is none to decide on} */
  Optional<JobRecord> get(ObjectKey key) {
    return Optional.ofNullable(jobs.get(key));
  }

  /** {@return the pods of jobs} */
  WorkloadPods pods() {
    return pods;
  }

  /** {@return the groups of pods} */
  PodGroups groups() {
    return groups;
  }

  /** {@return the nodes, with what runs on them} */
  NodeTracker nodes() {
    return nodes;
  }

  /** {@return the health of the nodes} */
  NodeHealth health() {
    return health;
  }

  /** {@return whether the health of nodes has changed since the last call} */
  boolean takeHealthChanged() {
    boolean changed = healthChanged;
    healthChanged = false;
    return changed;
  }

  /** Forgets a job that is gone, without a write. */
  private void drop(JobRecord record) {
    book.forget(record);
    jobs.remove(record.key());
    jobsByUid.remove(record.uid());
    serving.remove(record.key());
    workloads.forget(record.key());
    addDeletedWorkloads();
  }

  /** Makes the Workloads due that are being deleted: their jobs may be gone. */
  private void addDeletedWorkloads() {
    workloads.deleted().forEach(work::add);
  }

  /** Receives an event; outdated events are ignored. */
  void see(ClusterEvent event) {
    ObjectKey key = ObjectKey.of(event.object());
    boolean isThere = event.kind() != ClusterEvent.Kind.DELETED;
    // Only the name of a deleted object may be known.
    HasMetadata object = isThere ? event.object() : cache.get(key).orElse(event.object());
    if (isThere ? !cache.see(object) : !cache.lose(event.object())) {
      return;
    }
    Optional<HasMetadata> present = isThere ? Optional.of(object) : Optional.empty();
    if (ClusterConfiguration.concerns(key)) {
      configuration.note(key, present);
    }
    if (JobReader.concerns(key)) {
      reader.referencesChanged();
      jobs.keySet().forEach(work::add);
    }
    if (object instanceof Node node) {
      track(node, isThere);
    }
    if (object instanceof Pod pod) {
      follow(key, pod, isThere);
    }
    if (reader.isJob(key)) {
      follow(key, present.filter(job -> !groups.isMember(key)), key);
    }
    if (WorkloadRecords.concerns(key)) {
      workloads.see(key, present).forEach(job -> followWorkload(key, job));
    }
  }

  /** Updates a job after a change of its Workload. */
  private void followWorkload(ObjectKey workload, ObjectKey job) {
    work.add(workload);
    JobRecord record = jobs.get(job);
    if (record != null) {
      record.seeWorkload(workload);
      work.add(job);
    } else {
      // A job that does not name a queue any more is known by its recorded admission only.
      cache
          .get(job)
          .filter(object -> reader.isJob(job) && !groups.isMember(job))
          .ifPresent(object -> follow(job, Optional.of(object), job));
    }
  }

  private void track(Node node, boolean isThere) {
    problems.track(ObjectKey.of(node), () -> {
      if (isThere) {
        nodes.update(node);
        healthChanged |= health.see(node);
      } else {
        nodes.delete(node);
        healthChanged |= health.lose(node);
      }
    });
  }

  private void follow(ObjectKey key, Pod pod, boolean isThere) {
    problems.track(key, () -> {
      if (isThere) {
        nodes.update(pod);
      } else {
        nodes.delete(pod);
      }
    });
    if (isThere) {
      pods.see(key, pod);
    } else {
      pods.lose(key);
    }
    group(key, pod, isThere);
    WorkloadPods.workloads(pod).forEach(this::wake);
    for (String uid : WorkloadPods.owners(pod)) {
      ObjectKey owner = jobsByUid.get(uid);
      if (owner != null) {
        work.add(owner);
      }
    }
  }

  /**
   * Updates the group of a pod. Groups are identified by their pods; a controller of waiting pods
   * may assign a group to them.
   */
  private void group(ObjectKey key, Pod pod, boolean isThere) {
    boolean waits = isThere && JobFacts.waits(reader.kinds(), pod);
    Set<ObjectKey> changed =
        isThere && reader.namesQueue(pod) ? groups.see(key, pod, waits) : groups.lose(key);
    for (ObjectKey group : changed) {
      follow(group, groups.group(group).map(HasMetadata.class::cast), key);
    }
    if (waits && changed.isEmpty()) {
      serving.stream()
          .filter(maker -> maker.namespace().equals(key.namespace()))
          .forEach(work::add);
    }
  }

  /** Updates a job after a change of {@code part}. */
  private void follow(ObjectKey key, Optional<HasMetadata> job, ObjectKey part) {
    JobRecord known = jobs.get(key);
    if (known != null && (job.isEmpty() || !uid(job.get()).equals(known.uid()))) {
      drop(known);
      known = null;
    }
    if (job.isEmpty()) {
      return;
    }
    if (known != null) {
      known.see(job.get(), part);
      work.add(key);
      addDeletedWorkloads();
    } else if (reader.namesQueue(job.get()) || workloads.isRecorded(job.get())) {
      JobRecord record = new JobRecord(key, job.get());
      jobs.put(key, record);
      if (!record.uid().isEmpty()) {
        jobsByUid.put(record.uid(), key);
      }
      if (reader.startsByPods(job.get())) {
        serving.add(key);
      }
      work.add(key);
    }
  }

  private static String uid(HasMetadata object) {
    return Strings.nullToEmpty(object.getMetadata().getUid());
  }

  private void wake(WorkloadId id) {
    book.record(id).ifPresent(record -> work.add(record.key()));
  }
}
