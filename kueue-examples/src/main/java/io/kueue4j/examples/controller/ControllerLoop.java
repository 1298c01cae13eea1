package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import com.google.common.collect.Comparators;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.AdmissionEngineBuilder;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.configuration.QueueStatusPublisher;
import io.kueue4j.examples.controller.job.JobContext;
import io.kueue4j.examples.controller.job.JobReconciler;
import io.kueue4j.examples.controller.job.KnownJobs;
import io.kueue4j.examples.controller.job.LeftJobs;
import io.kueue4j.examples.controller.job.WorkList;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.PendingEvents;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.Workers;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the jobs of a cluster: receives events of the cluster, lets an engine decide, and writes
 * the decisions to the jobs.
 *
 * <p>No essential state is only in memory. The admission of a job is recorded before it runs, and
 * removed only when its pods are gone ({@link WorkloadRecords}); so a controller that starts finds
 * the complete state of a former controller in the cluster. Events may arrive twice, late, or out
 * of order.
 *
 * <p>The same calls and clock readings cause the same writes. Thread-safe; one thread does the
 * work.
 */
public final class ControllerLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);

  /** How often a step decides; only jobs that preempt each other before they start need more. */
  private static final int MAX_RUNS = 100;

  /** Limits a step, so that it does not run for seconds without processing new events. */
  private static final int MAX_WRITES = 64;

  /** How many jobs are read before a decision; decisions need not wait for thousands. */
  private static final int MAX_NEWS = 500;

  /** How often a job is written in a certain time; more than any job needs. */
  private static final int MAX_ROUNDS = 30;

  private static final Duration ROUNDS_TIME = Duration.ofMinutes(1);

  private final Workers workers;
  private final KnownJobs jobs;
  private final WorkList work = new WorkList();

  /** Jobs being reconciled, and those among them that have become due again meanwhile. */
  private final Set<ObjectKey> busy = new HashSet<>();

  private final Set<ObjectKey> again = new HashSet<>();

  /** How often each job was written lately. */
  private final Multiset<ObjectKey> rounds = HashMultiset.create();

  private Instant roundsEnd = Instant.MIN;

  /** Jobs with a recorded promise that were not read yet; others must not start before them. */
  private final Queue<ObjectKey> promised = new ArrayDeque<>();

  private final JobContext context;
  private final JobReconciler reconciler;
  private final EngineDecisions decisions;

  /** Creates a loop without any objects. */
  ControllerLoop(
      ControllerOptions options,
      ClusterWrites writes,
      InstantSource clock,
      Optional<KueueMetrics> metrics,
      Workers workers) {
    this.workers = workers;
    AdmissionEngineBuilder builder = AdmissionEngine.builder()
        .clock(clock)
        // Otherwise a tenant gets quota again by deactivating jobs whose pods stop slowly.
        .settings(Settings.builder()
            .from(options.settings())
            .holdsQuotaUntilStopped(true)
            .build());
    metrics.ifPresent(kueueMetrics ->
        builder.listener(kueueMetrics, failure -> LOG.error("a change was not counted", failure)));
    EngineBook book = new EngineBook(builder.build(), clock);
    ClusterConfiguration configuration = new ClusterConfiguration(book.engine(), book::hear);
    ObjectCache cache = new ObjectCache();
    JobReader reader = new JobReader(options, cache, configuration);
    JobEventRecorder events = new JobEventRecorder(writes, clock);
    PendingEvents pendingEvents = new PendingEvents(book, events);
    JobWrites jobWrites = new JobWrites(writes, this::stored, clock, events, workers);
    context = new JobContext(
        book,
        configuration,
        reader,
        new WorkloadRecords(book, reader, jobWrites),
        new WorkloadPods(options.settings().kueueVersion()),
        jobWrites,
        events);
    jobs = new KnownJobs(context, cache, work, new LeftJobs(context, work), options.tpuSlices());
    decisions = new EngineDecisions(book, work, pendingEvents, metrics);
    reconciler = new JobReconciler(context, options, jobs, work);
  }

  /** {@return a loop without any objects, with one worker and no metrics} */
  public static ControllerLoop create(
      ControllerOptions options, ClusterWrites writes, InstantSource clock) {
    return new ControllerLoop(options, writes, clock, Optional.empty(), Workers.one());
  }

  /**
   * Starts with all relevant objects of the cluster. Restores jobs with a recorded admission first,
   * and reads the oldest of the others first; writes nothing.
   */
  public synchronized void start(List<HasMetadata> everything) {
    everything.stream()
        .sorted(Comparator.comparing(
            object -> Strings.nullToEmpty(object.getMetadata().getCreationTimestamp())))
        .forEach(object -> accept(ClusterEvent.changed(object)));
    jobs.configure();
    jobs.restorePods();
    WorkloadRecords records = context.records();
    jobs.all().filter(record -> records.isRecorded(record.job())).forEach(reconciler::restore);
    jobs.restoreLeft();
    jobs.all()
        .filter(record -> records.promises().start(record).isPresent())
        .forEach(record -> promised.add(record.key()));
    context.configuration().restoreUsage();
  }

  /** Receives an event of the cluster; outdated events are ignored. */
  public synchronized void accept(ClusterEvent event) {
    jobs.see(event);
  }

  /** Receives what a worker has written, while the thread that works holds the lock. */
  private void stored(HasMetadata object) {
    jobs.see(ClusterEvent.changed(object));
  }

  /**
   * Does what is due now: reads news, decides, and writes decisions to jobs; what only users wait
   * for is written last. A step ends early after some writes, so that news need not wait for long.
   *
   * @return when to call again without new events, {@link Instant#MAX} if that is not necessary
   */
  public synchronized Instant step() {
    Instant now = context.now();
    if (!now.isBefore(roundsEnd)) {
      rounds.clear();
      roundsEnd = now.plus(ROUNDS_TIME);
    }
    work.wake(now);
    jobs.configure();
    context.configuration().restoreUsage();
    long limit = workers.calls() + MAX_WRITES;
    if (!promised.isEmpty()) {
      workOff(promised.size(), () -> Optional.ofNullable(promised.poll()), Long.MAX_VALUE);
      decisions.promisesRestored();
    }
    workOff(work.news().size(), atMost(MAX_NEWS, work.news()::poll), limit);
    boolean isDue = !decisions.nextTick().isAfter(now);
    int runs = 0;
    boolean hasDecided;
    do {
      hasDecided = decisions.decide(isDue && runs == 0);
      reconcileAll(limit);
      runs++;
    } while (hasDecided && runs < MAX_RUNS && workers.calls() < limit);
    decisions.report();
    if (work.isEmpty()) {
      workers.workOff(work.behind().size(), () -> workNext(work.behind()::poll, this::show, limit));
    }
    if (!work.isEmpty() || work.behind().size() > 0 || context.book().isTouched()) {
      return now;
    }
    return Comparators.min(decisions.nextTick(), work.next().orElse(Instant.MAX));
  }

  private static <T> Supplier<Optional<T>> atMost(int count, Supplier<Optional<T>> poll) {
    AtomicInteger left = new AtomicInteger(count);
    return () -> left.getAndDecrement() > 0 ? poll.get() : Optional.empty();
  }

  /**
   * Reconciles until no job is due, including jobs that become due by decisions of the engine.
   *
   * @param limit the number of writes after which to end early
   */
  private void reconcileAll(long limit) {
    do {
      workOff(work.size(), work::poll, limit);
    } while (!work.isEmpty() && workers.calls() < limit);
  }

  private void workOff(int known, Supplier<Optional<ObjectKey>> poll, long limit) {
    workers.workOff(known, () -> workNext(poll, this::reconcile, limit));
    decisions.followChanges();
  }

  /** {@return whether there was a job to work on, and the limit was not reached} */
  private boolean workNext(
      Supplier<Optional<ObjectKey>> poll, Consumer<ObjectKey> action, long limit) {
    Optional<ObjectKey> key = workers.calls() < limit ? poll.get() : Optional.empty();
    if (key.isEmpty()) {
      return false;
    }
    if (!busy.add(key.get())) {
      // Another thread waits for a write of it, and reconciles it again afterwards.
      again.add(key.get());
      return true;
    }
    try {
      action.accept(key.get());
    } catch (RuntimeException e) {
      failed(key.get(), e);
    } finally {
      busy.remove(key.get());
      if (again.remove(key.get())) {
        work.add(key.get());
      }
    }
    return true;
  }

  /** An unexpected failure of one job must not block all others. */
  private void failed(ObjectKey key, RuntimeException failure) {
    LOG.error(key + " cannot be dealt with", failure);
    Optional<JobRecord> record = jobs.get(key);
    record.ifPresent(job -> {
      job.become(JobState.INVALID, "cannot be dealt with: " + failure);
      job.failed(context.now());
    });
    work.delay(
        key, record.flatMap(this::retryTime).orElse(context.now().plus(WorkList.FAILURE_DELAY)));
  }

  private void reconcile(ObjectKey key) {
    jobs.get(key).ifPresentOrElse(this::reconcile, () -> jobs.settle(key));
  }

  private void show(ObjectKey key) {
    jobs.get(key).filter(record -> retryTime(record).isEmpty()).ifPresent(record -> {
      reconciler.show(record);
      retryTime(record).ifPresent(retry -> work.delay(key, retry));
    });
  }

  private void reconcile(JobRecord record) {
    record.seeRunning(context.reader().runs(record.job()));
    Optional<Instant> delayed = retryTime(record);
    if (delayed.isPresent()) {
      work.delay(record.key(), delayed.get());
      return;
    }
    long changes = record.changes();
    long writes = record.writes();
    Optional<Workload> workload = record.workload();
    Optional<Stopping> stopping = record.stopping();
    record.setWaitTime(Instant.MIN);
    reconciler.reconcile(record);
    if (writes != record.writes() && rounds.add(record.key(), 1) >= MAX_ROUNDS) {
      LOG.warn(record.key() + " changes again after each write; it is written again later. Does a"
          + " webhook or another client change it back?");
      record.failed(context.now());
    }
    Optional<Instant> retry = retryTime(record);
    if (retry.isPresent()) {
      work.delay(record.key(), retry.get());
    } else if (changes != record.changes()
        || (workload.isPresent() && !workload.equals(record.workload()))
        || !stopping.equals(record.stopping())) {
      work.add(record.key());
    } else if (record.waitTime().isAfter(context.now())) {
      work.delay(record.key(), record.waitTime());
    }
  }

  /** {@return until when a job is put off after a failed write, empty if it is due} */
  private Optional<Instant> retryTime(JobRecord record) {
    return record.retryTime(context.book().holdsQuota(record), context.now());
  }

  /** {@return the engine that decides, for queries only} */
  public AdmissionEngine engine() {
    return context.book().engine();
  }

  /** {@return the current state of the controller} */
  public synchronized ControllerView view() {
    return ControllerView.of(context, jobs);
  }

  /** {@return the present queues} */
  synchronized QueueStatusPublisher.Queues queues() {
    return QueueStatusPublisher.Queues.of(
        context.now(), engine().view(), jobs.cache(), context.configuration().problems());
  }
}
