package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The whole state of the model: specs, workloads and queues.
 *
 * <p>Rules: U-1, U-16, U-17a, U-19, U-21, Q-20.
 */
final class State {
  final Specs specs;
  final UsageHistories usage;

  /** The number of cycles that had heads to try. */
  long cycles;

  private final Map<WorkloadId, Job> jobs = new TreeMap<>();
  private final Map<String, QueueContents> queues = new TreeMap<>();

  /** Queues with requeue events that have not been handled yet. */
  private final Set<String> events = new TreeSet<>();

  State(Specs specs) {
    this.specs = specs;
    this.usage = new UsageHistories(specs);
  }

  Optional<Job> job(WorkloadId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  Collection<Job> jobs() {
    return jobs.values();
  }

  /** {@return the workloads that hold quota of a queue} */
  List<Job> holders(String queue) {
    return jobs.values().stream()
        .filter(job ->
            job.admission().filter(held -> held.clusterQueue().equals(queue)).isPresent())
        .toList();
  }

  void add(Job job) {
    jobs.put(job.id(), job);
  }

  QueueContents queue(String name) {
    return Objects.requireNonNull(queues.get(name), name);
  }

  Map<String, QueueContents> queues() {
    return queues;
  }

  /** {@return a snapshot of the present state} */
  Snapshot snapshot() {
    return Snapshot.of(specs, jobs.values(), usage);
  }

  // ----- queueing

  void put(ClusterQueue spec) {
    specs.put(spec);
    queues.computeIfAbsent(spec.name(), name -> new QueueContents(name, specs, usage));
  }

  void removeQueue(String name) {
    queue(name).all().forEach(queue(name)::remove);
    queues.remove(name);
    specs.removeQueue(name);
  }

  /** Puts a workload into its queue, or nowhere (U-1). */
  void place(Job job, Instant now) {
    enter(job, queue -> queue.push(job, now));
  }

  /** Puts a workload into the queue that its LocalQueue leads to now, or nowhere (U-1, U-15). */
  void bring(Job job) {
    enter(job, queue -> queue.bring(job));
  }

  private void enter(Job job, Consumer<QueueContents> enter) {
    Optional<String> target =
        job.mayBeQueued() ? specs.targetQueue(job.workload()) : Optional.empty();
    queues.forEach((name, contents) -> {
      if (contents.contains(job) && !target.equals(Optional.of(name))) {
        contents.remove(job);
      }
    });
    if (target.isPresent() && !queue(target.get()).contains(job)) {
      enter.accept(queue(target.get()));
    }
  }

  private Optional<QueueContents> queueOf(Job job) {
    return queues.values().stream().filter(contents -> contents.contains(job)).findFirst();
  }

  void removeFromQueue(Job job) {
    queues.values().forEach(contents -> contents.remove(job));
  }

  /** U-19, U-21, Q-20. */
  void change(Job job, Workload changed, Instant now) {
    boolean moves = !job.workload().queueName().equals(changed.queueName());
    if (moves || (!changed.active() && job.admission().isEmpty())) {
      usage.left(job);
    }
    job.change(changed);
    lookAgain(job, now);
  }

  /** Handles a change of a workload, or of its priority. */
  void lookAgain(Job job, Instant now) {
    if (job.admission().isPresent()) {
      queue(job.admission().get().clusterQueue()).advanceGeneration();
      return;
    }
    dropMemory(job);
    Optional<QueueContents> before = queueOf(job);
    place(job, now);
    queueAgain(job, before, now);
  }

  /** U-19: queues a workload that may be pending again. */
  void queueAgain(Job job, Instant now) {
    dropMemory(job);
    queueAgain(job, queueOf(job), now);
  }

  /** F-25: another version of a workload begins its walk anew, unless the memory is kept. */
  private void dropMemory(Job job) {
    ScanMemory memory = job.memory;
    if (memory != null && !keepsMemory(job, memory)) {
      job.memory = null;
    }
  }

  private static void queueAgain(Job job, Optional<QueueContents> before, Instant now) {
    before
        .filter(contents -> contents.contains(job))
        .ifPresent(contents -> contents.pushAgain(job, now));
  }

  private boolean keepsMemory(Job job, ScanMemory memory) {
    return specs.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)
        && memory.isOfShape(job.shape());
  }

  // ----- quota

  void reserve(Job job, Admission admission) {
    removeFromQueue(job);
    job.reserve(admission);
  }

  /** Releases the quota, if any is held. */
  void release(Job job) {
    job.admission().ifPresent(admission -> queue(admission.clusterQueue()).advanceGeneration());
    job.release();
  }

  void forget(Job job) {
    usage.left(job);
    noteEventOf(job);
    release(job);
    removeFromQueue(job);
    jobs.remove(job.id());
  }

  // ----- events

  void noteEventOf(Job job) {
    queueOfEvent(job).ifPresent(events::add);
  }

  /**
   * {@return the ClusterQueue that an event of a job reaches}
   *
   * <p>U-17a: none while the LocalQueue is stopped, but if it was removed the one with the quota.
   */
  Optional<String> queueOfEvent(Job job) {
    if (job.admission().isEmpty()) {
      return specs.targetQueue(job.workload());
    }
    boolean isLost = specs.openLocalQueue(job.workload()).isEmpty()
        && specs.localQueue(Specs.localQueueKey(job.workload())).isPresent();
    return isLost ? Optional.empty() : Optional.of(job.admission().get().clusterQueue());
  }

  void noteEvent(String queue) {
    events.add(queue);
  }

  /** W-7: must be called before usage changes. */
  void sampleUsage(Instant now) {
    usage.sampleUntil(now, jobs.values());
  }

  /** U-16: an event reaches the whole tree. U-20: backoffs end at their time. */
  void deliverEvents(Instant now) {
    sampleUsage(now);
    List<String> sources = List.copyOf(events);
    events.clear();
    for (String source : sources) {
      if (specs.hasQueue(source)) {
        specs.treeOf(source).forEach(name -> queue(name).requeueParked(now));
      }
    }
    queues.values().forEach(contents -> contents.endBackoffs(now));
  }

  /** recomputes the quota of queues. */
  void recompute(Collection<String> names) {
    names.stream().filter(queues::containsKey).forEach(name -> queue(name).advanceGeneration());
  }
}
