package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.ControllerLoop;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.configuration.ConfigurationProblems;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.PodGroups;
import io.kueue4j.examples.controller.object.WatchedNodes;
import io.kueue4j.examples.controller.record.KnownWorkloads;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.k8s.job.PodGroup;
import java.util.HashMap;
import java.util.HashSet;
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
public final class KnownJobs implements JobStep {
  private final Map<ObjectKey, JobRecord> jobs = new TreeMap<>();

  /** The jobs by what their pods belong to. */
  private final Map<String, ObjectKey> jobsByOwner = new HashMap<>();

  private final Set<ObjectKey> serving = new TreeSet<>();
  private final PodGroups groups = new PodGroups();
  private final WatchedNodes nodes = new WatchedNodes();
  private final JobContext context;
  private final ObjectCache cache;
  private final ConfigurationProblems problems;
  private final boolean givesSlices;
  private final WorkList work;
  private final LeftJobs left;

  /**
   * Creates one without objects.
   *
   * @param cache the versions of objects that were seen, which it keeps up to date
   * @param work the jobs that are due, to which it adds
   * @param left takes over the admissions of jobs that are gone
   * @param givesSlices whether TPU chips are given as slices of the pools that the nodes make up
   */
  public KnownJobs(
      JobContext context, ObjectCache cache, WorkList work, LeftJobs left, boolean givesSlices) {
    this.context = context;
    this.cache = cache;
    problems = new ConfigurationProblems(context.configuration(), nodes);
    this.work = work;
    this.left = left;
    this.givesSlices = givesSlices;
  }

  @Override
  public JobContext context() {
    return context;
  }

  /** {@return the jobs to decide on, by key} */
  public Stream<JobRecord> all() {
    return jobs.values().stream();
  }

  /** {@return a job, empty if there is none to decide on} */
  public Optional<JobRecord> get(ObjectKey key) {
    return Optional.ofNullable(jobs.get(key));
  }

  /** {@return the objects that were seen} */
  public ObjectCache cache() {
    return cache;
  }

  /** {@return the groups of pods} */
  PodGroups groups() {
    return groups;
  }

  /** {@return the nodes} */
  WatchedNodes nodes() {
    return nodes;
  }

  /** {@return the jobs to decide on, and the admissions that jobs have left} */
  public Stream<JobRecord> withLeft() {
    return Stream.concat(all(), left.all());
  }

  /** {@return the problems of queues and nodes} */
  public ConfigurationProblems problems() {
    return problems;
  }

  /** Finds the pods that only Workloads name. */
  public void restorePods() {
    records().inForce().forEach(new PodNames(context)::restore);
  }

  /** Finds the admissions in the cluster that jobs have left before the controller started. */
  public void restoreLeft() {
    records().inForce().stream()
        .filter(object -> !records().hasJob(object, this::get))
        .forEach(left::restore);
  }

  /** Performs the next action for a Workload that its job has left, or that is being deleted. */
  public void settle(ObjectKey workload) {
    if (!left.reconcile(workload) && !records().releaseDeleted(workload, this::get)) {
      work.delay(workload, context.now().plus(WorkList.FAILURE_DELAY));
    }
  }

  /** Passes what was seen of queues, flavors and nodes to the engine. */
  public void configure() {
    boolean configured = configuration().apply();
    if (configured) {
      reader().referencesChanged();
      all().filter(record -> record.workload().isEmpty()).map(JobRecord::key).forEach(work::add);
    }
    boolean placed = nodes.applyTo(book().engine(), book()::hear);
    if (configured || placed) {
      if (givesSlices) {
        configuration().applyPools(nodes.all());
      }
      book().setTouched(true);
    }
    problems.log();
    if (nodes.takeHealthChange()) {
      all()
          .filter(record -> record.state() == JobState.ADMITTED)
          .map(JobRecord::key)
          .forEach(work::add);
    }
  }

  /** Forgets a job that is gone; its admission may last. */
  private void drop(JobRecord record) {
    left.take(record);
    jobs.remove(record.key());
    jobsByOwner.remove(WorkloadPods.owner(record));
    serving.remove(record.key());
    // The Workloads that are being deleted may have lost their job.
    records().deleted().forEach(work::add);
  }

  /** Receives an event; outdated events are ignored. */
  public void see(ClusterEvent event) {
    ObjectKey key = ObjectKey.of(event.object());
    Optional<HasMetadata> news = cache.follow(event);
    if (news.isEmpty()) {
      return;
    }
    HasMetadata object = news.get();
    boolean isThere = !event.isDeleted();
    Optional<HasMetadata> present = news.filter(unused -> isThere);
    if (ClusterConfiguration.concerns(key)) {
      configuration().note(key, present);
    }
    if (JobReader.concerns(key)) {
      reader().referencesChanged();
      jobs.keySet().stream()
          .filter(job -> key.namespace().isEmpty() || key.namespace().equals(job.namespace()))
          .forEach(work::add);
    }
    if (object instanceof Node node) {
      nodes.see(node, isThere);
    }
    if (object instanceof Pod pod) {
      follow(key, pod, isThere);
    }
    if (reader().isJob(key)) {
      wakeOwners(pods().seeOwner(object, isThere));
      left.wakeMade(key.namespace());
      follow(key, present.filter(job -> !groups.isMember(key)), key);
    }
    if (ServedKinds.WORKLOAD.isOf(key)) {
      work.add(key);
      ImmutableSet<String> members = members(key);
      records().see(key, present).forEach(job -> followWorkload(key, job));
      pods().seeGroup(PodGroups.key(key.namespace(), key.name()), members, members(key));
    }
  }

  /** {@return the uids of the pods that own the Workload of a group} */
  private ImmutableSet<String> members(ObjectKey workload) {
    return records()
        .object(workload)
        .filter(WorkloadObjects::isOfGroup)
        .map(WorkloadObjects::ownerUids)
        .orElse(ImmutableSet.of());
  }

  /** Updates a job after a change of its Workload. */
  private void followWorkload(ObjectKey workload, ObjectKey job) {
    JobRecord record = jobs.get(job);
    if (record != null) {
      record.seePart(workload);
      work.add(job);
    } else {
      // A job that does not name a queue any more is known by its recorded admission only.
      cache
          .get(job)
          .filter(object -> reader().isJob(job) && !groups.isMember(job))
          .ifPresent(object -> follow(job, Optional.of(object), job));
    }
  }

  private void follow(ObjectKey key, Pod pod, boolean isThere) {
    nodes.see(pod, isThere);
    Set<String> owners = new HashSet<>(pods().owners(key));
    pods().see(key, pod, isThere);
    group(key, pod, isThere);
    owners.addAll(pods().owners(key));
    WorkloadPods.workloads(pod).forEach(this::wake);
    wakeOwners(owners);
  }

  /**
   * Updates the group of a pod. Groups are identified by their pods; a controller of waiting pods
   * may assign a group to them.
   */
  private void group(ObjectKey key, Pod pod, boolean isThere) {
    boolean waits = isThere && reader().waits(pod);
    Set<ObjectKey> changed =
        isThere && reader().namesQueue(pod) ? groups.see(key, pod, waits) : groups.lose(key);
    String group = PodGroup.nameOf(pod);
    if (isThere && !waits && !group.isEmpty()) {
      pods().join(key, PodGroups.key(key.namespace(), group).toString());
    }
    for (ObjectKey name : changed) {
      follow(name, groups.group(name).map(HasMetadata.class::cast), key);
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
    if (known != null && (job.isEmpty() || !JobParts.uid(job.get()).equals(known.uid()))) {
      drop(known);
      known = null;
    }
    if (job.isEmpty()) {
      return;
    }
    if (known != null) {
      known.see(job.get(), part);
      work.add(key);
      records().deleted().forEach(work::add);
    } else if (reader().namesQueue(job.get()) || records().hasWorkload(job.get())) {
      JobRecord record = new JobRecord(key, job.get());
      jobs.put(key, record);
      jobsByOwner.put(WorkloadPods.owner(record), key);
      if (reader().startsByPods(job.get())) {
        serving.add(key);
      }
      work.add(key);
    }
  }

  private void wakeOwners(Set<String> owners) {
    owners.stream().flatMap(owner -> Stream.ofNullable(jobsByOwner.get(owner))).forEach(work::add);
    left.wake(owners);
  }

  private void wake(WorkloadId id) {
    book()
        .record(id)
        .map(record -> ImmutableList.of(record.key()))
        .orElseGet(() -> records().jobs(KnownWorkloads.key(id)))
        .forEach(work::add);
  }
}
