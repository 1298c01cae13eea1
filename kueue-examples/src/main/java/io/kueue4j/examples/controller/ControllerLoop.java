package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.AdmissionEngineBuilder;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.configuration.ConfigurationProblems;
import io.kueue4j.examples.controller.configuration.QueueStatusPublisher;
import io.kueue4j.examples.controller.job.JobContext;
import io.kueue4j.examples.controller.job.JobReconciler;
import io.kueue4j.examples.controller.job.KnownJobs;
import io.kueue4j.examples.controller.job.LeftJobs;
import io.kueue4j.examples.controller.job.WorkList;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.record.RecordChecks;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.DecisionLog;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.PendingEvents;
import io.kueue4j.examples.controller.state.RefusedAdmissions;
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
import java.util.stream.Stream;
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
  private static final int MAX_CYCLES = 1000;

  /** How often a step decides; only jobs that preempt each other before they start need more. */
  private static final int MAX_RUNS = 100;

  /** Limits a step, so that it does not run for seconds without processing new events. */
  private static final int MAX_WRITES = 64;

  /** How many jobs are read before a decision; decisions need not wait for thousands. */
  private static final int MAX_NEWS = 500;

  /** How often a job is written in a certain time; more than any job needs. */
  private static final int MAX_ROUNDS = 30;

  private static final Duration ROUNDS_TIME = Duration.ofMinutes(1);

  /** The delay after a failure that concerns no job, such as a write of a Workload without one. */
  private static final Duration FAILURE_DELAY = Duration.ofSeconds(5);

  private final InstantSource clock;
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

  private final AdmissionEngine engine;
  private final Optional<KueueMetrics> metrics;
  private final Supplier<Decisions> cycle;
  private final ClusterConfiguration configuration;
  private final boolean givesSlices;
  private final ConfigurationProblems problems;
  private final JobReader reader;
  private final EngineBook book;
  private final PendingEvents pendingEvents;
  private final DecisionLog decisionLog;
  private final WorkloadRecords records;
  private final LeftJobs left;
  private final JobReconciler reconciler;
  private final JobViews views;

  private Optional<Instant> nextTick = Optional.empty();

  /** Creates a loop without any objects. */
  ControllerLoop(
      ControllerOptions options,
      ClusterWrites writes,
      InstantSource clock,
      Optional<KueueMetrics> metrics,
      Workers workers) {
    this.clock = clock;
    this.workers = workers;
    this.metrics = metrics;
    AdmissionEngineBuilder builder =
        AdmissionEngine.builder().clock(clock).settings(options.settings());
    metrics.ifPresent(kueueMetrics ->
        builder.listener(kueueMetrics, failure -> LOG.error("a change was not counted", failure)));
    engine = builder.build();
    Supplier<Decisions> plain = engine::runCycle;
    cycle = metrics
        .<Supplier<Decisions>>map(kueueMetrics -> () -> kueueMetrics.attempt(plain))
        .orElse(plain);
    book = new EngineBook(engine, clock);
    configuration = new ClusterConfiguration(engine, options.settings(), book::hear);
    givesSlices = options.tpuSlices();
    problems = new ConfigurationProblems(configuration);
    ObjectCache cache = new ObjectCache();
    reader = new JobReader(options, cache, configuration);
    JobEventRecorder events = new JobEventRecorder(writes, clock);
    decisionLog = new DecisionLog(book);
    pendingEvents = new PendingEvents(book, events);
    RefusedAdmissions refused = new RefusedAdmissions(events, clock);
    JobWrites jobWrites = new JobWrites(writes, this::stored, clock, events, workers);
    records = new WorkloadRecords(book, reader, jobWrites);
    WorkloadPods pods = new WorkloadPods(options.settings().kueueVersion());
    RecordChecks checks = new RecordChecks(configuration);
    JobContext context =
        new JobContext(book, configuration, reader, records, pods, jobWrites, events);
    left = new LeftJobs(context, checks, work);
    jobs = new KnownJobs(context, cache, problems, work, left);
    views = new JobViews(book, configuration, reader, refused);
    reconciler =
        new JobReconciler(context, options, checks, refused, jobs.groups(), jobs.health(), work);
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
        .forEach(object -> accept(ClusterEvent.added(object)));
    configure();
    jobs.records()
        .filter(record -> records.isRecorded(record.job()))
        .sorted(Comparator.comparing(records::reservedTime).thenComparing(JobRecord::key))
        .forEach(reconciler::restore);
    left.restore(object -> records.hasJob(object, jobs::get));
    jobs.records()
        .filter(record -> records.promises().start(record).isPresent())
        .forEach(record -> promised.add(record.key()));
    configuration.restoreUsage();
    reconciler.begin();
  }

  /**
   * Receives an event of the cluster; outdated events are ignored.
   *
   * @return whether it was not outdated
   */
  @CanIgnoreReturnValue
  public synchronized boolean accept(ClusterEvent event) {
    return jobs.see(event);
  }

  /** Receives what a worker has written, while the thread that works holds the lock. */
  private void stored(HasMetadata object) {
    boolean unused = jobs.see(ClusterEvent.modified(object));
  }

  /**
   * Does what is due now: reads news, decides, and writes decisions to jobs; what only users wait
   * for is written last. A step ends early after some writes, so that news need not wait for long.
   *
   * @return when to call again without new events, {@link Instant#MAX} if that is not necessary
   */
  public synchronized Instant step() {
    Instant now = clock.instant();
    forgetRounds(now);
    work.wake(now);
    configure();
    configuration.restoreUsage();
    long limit = workers.calls() + MAX_WRITES;
    if (!promised.isEmpty()) {
      workOff(promised.size(), () -> Optional.ofNullable(promised.poll()), Long.MAX_VALUE);
      metrics.ifPresent(counts -> engine.promises().forEach(counts::promiseRestored));
    }
    workOff(work.sizeNews(), atMost(MAX_NEWS, work::pollNews), limit);
    boolean isDue = nextTick.filter(tick -> !tick.isAfter(now)).isPresent();
    int runs = 0;
    boolean hasDecided;
    do {
      hasDecided = decide(isDue && runs == 0);
      reconcileAll(limit);
      runs++;
    } while (hasDecided && runs < MAX_RUNS && workers.calls() < limit);
    pendingEvents.report(work.isEmpty());
    if (work.isEmpty()) {
      workers.workOff(work.sizeBehind(), () -> workNext(work::pollBehind, this::show, limit));
    }
    if (!work.isEmpty() || work.sizeBehind() > 0 || book.isTouched()) {
      return now;
    }
    return nextTick
        .filter(tick -> work.next().filter(tick::isAfter).isEmpty())
        .or(work::next)
        .orElse(Instant.MAX);
  }

  private static <T> Supplier<Optional<T>> atMost(int count, Supplier<Optional<T>> poll) {
    AtomicInteger left = new AtomicInteger(count);
    return () -> left.getAndDecrement() > 0 ? poll.get() : Optional.empty();
  }

  private void forgetRounds(Instant now) {
    if (!now.isBefore(roundsEnd)) {
      rounds.clear();
      roundsEnd = now.plus(ROUNDS_TIME);
    }
  }

  private void configure() {
    boolean configured = configuration.apply();
    if (configured) {
      book.touch();
      reader.referencesChanged();
      jobs.records()
          .filter(record -> record.workload().isEmpty())
          .forEach(record -> work.add(record.key()));
    }
    boolean placed = !jobs.nodes().applyTo(engine, book::hear).isEmpty();
    if (placed) {
      book.touch();
    }
    if (givesSlices
        && (configured || placed)
        && configuration.applyPools(jobs.nodes().nodes())) {
      book.touch();
    }
    problems.log();
    if (jobs.takeHealthChanged()) {
      jobs.records()
          .filter(record -> record.state() == JobState.ADMITTED)
          .forEach(record -> work.add(record.key()));
    }
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
    book.takeChanges().forEach(this::follow);
    pendingEvents.hear(book.takePending());
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
      job.failed(clock.instant());
    });
    work.delay(key, record.flatMap(this::retryTime).orElse(clock.instant().plus(FAILURE_DELAY)));
  }

  private void reconcile(ObjectKey key) {
    Optional<JobRecord> record = jobs.get(key);
    if (record.isPresent()) {
      reconcile(record.get());
    } else if (left.has(key)) {
      left.reconcile(key);
    } else if (!records.releaseDeleted(key, jobs::get)) {
      work.delay(key, clock.instant().plus(FAILURE_DELAY));
    }
  }

  private void show(ObjectKey key) {
    jobs.get(key).filter(record -> retryTime(record).isEmpty()).ifPresent(record -> {
      reconciler.show(record);
      retryTime(record).ifPresent(retry -> work.delay(key, retry));
    });
  }

  private void reconcile(JobRecord record) {
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
      record.failed(clock.instant());
    }
    Optional<Instant> retry = retryTime(record);
    if (retry.isPresent()) {
      work.delay(record.key(), retry.get());
    } else if (changes != record.changes()
        || (workload.isPresent() && !workload.equals(record.workload()))
        || !stopping.equals(record.stopping())) {
      work.add(record.key());
    } else if (record.waitTime().isAfter(clock.instant())) {
      work.delay(record.key(), record.waitTime());
    }
  }

  /** {@return until when a job is put off after a failed write, empty if it is due} */
  private Optional<Instant> retryTime(JobRecord record) {
    return record.retryTime(book.holdsQuota(record)).filter(time -> time.isAfter(clock.instant()));
  }

  /**
   * Runs cycles until a further one would decide the same, if anything has changed or is due.
   *
   * @return whether any was run
   */
  private boolean decide(boolean isDue) {
    follow(engine.tick());
    boolean isToRun = book.takeTouched() || isDue;
    if (isToRun
        && engine.runUntilStable(MAX_CYCLES, this::runCycle).end() == StableRun.End.LIMIT_REACHED) {
      book.touch();
    }
    nextTick = engine.nextTick();
    return isToRun;
  }

  private Decisions runCycle() {
    Decisions decided = cycle.get();
    follow(decided);
    pendingEvents.hear(decided.pending());
    return decided;
  }

  /** Marks the jobs of decisions as due. */
  private void follow(Decisions cycle) {
    decisionLog.log(cycle);
    cycle.evicted().forEach(eviction -> wake(eviction.workload()));
    cycle.preempted().forEach(victim -> wake(victim.workload()));
    cycle.suspended().forEach(this::wake);
    cycle.finishedSlices().forEach(slice -> {
      wake(slice.workload());
      book.finished(slice);
    });
    cycle.admitted().forEach(this::wake);
    pendingEvents.forget(cycle.admitted());
    cycle.reserved().forEach(this::wake);
    cycle.promiseChanges().forEach(change -> {
      book.promised(change);
      wake(change.workload());
    });
    cycle.replaced().forEach(this::wake);
    cycle.pending().forEach(pending -> book.record(pending.workload()).ifPresent(this::waitOn));
  }

  /** Of a job that waited before, only what it waits for may have changed. */
  private void waitOn(JobRecord record) {
    if (record.state() == JobState.PENDING) {
      work.addBehind(record.key());
    } else {
      work.addDecided(record.key());
    }
  }

  private void wake(Admission admission) {
    wake(admission.workload());
  }

  private void wake(WorkloadId id) {
    book.record(id).ifPresent(record -> work.addDecided(record.key()));
  }

  /** {@return the engine that decides, for queries only} */
  public AdmissionEngine engine() {
    return engine;
  }

  /** {@return the current state of the controller} */
  public synchronized ControllerView view() {
    return views.of(
        clock.instant(), Stream.concat(jobs.records(), left.records()).toList(), problems.all());
  }

  /** {@return what writes the status of queues, to be called by the thread that does the work} */
  QueueStatusPublisher publisher(ClusterWrites writes, Duration interval) {
    return new QueueStatusPublisher(engine, jobs.cache(), writes, clock, interval, problems::of);
  }
}
