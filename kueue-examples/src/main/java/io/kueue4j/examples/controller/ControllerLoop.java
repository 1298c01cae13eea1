package io.kueue4j.examples.controller;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.AdmissionEngineBuilder;
import io.kueue4j.core.decision.AdmissionResult.Pending;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  /** Limits a step, so that it does not run for minutes without processing new events. */
  private static final int MAX_STARTS = 1000;

  /**
   * More than any job needs in a step, so that one whose writes do not last cannot block others.
   */
  private static final int MAX_ROUNDS = 50;

  /** The delay after a Workload without a job could not be written. */
  private static final Duration WORKLOAD_DELAY = Duration.ofSeconds(5);

  private final InstantSource clock;
  private final Workers workers;
  private final KnownJobs jobs;
  private final WorkList work = new WorkList();

  /** Jobs being reconciled, and those among them that have become due again meanwhile. */
  private final Set<ObjectKey> busy = new HashSet<>();

  private final Set<ObjectKey> again = new HashSet<>();

  /** How often each job was reconciled in this step. */
  private final Multiset<ObjectKey> rounds = HashMultiset.create();

  private final AdmissionEngine engine;
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

  private ControllerLoop(
      ControllerOptions options,
      ClusterWrites writes,
      InstantSource clock,
      Optional<KueueMetrics> metrics,
      Workers workers) {
    this.clock = clock;
    this.workers = workers;
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
    JobEvents events = new JobEvents(writes, clock, options.identity());
    decisionLog = new DecisionLog(book);
    pendingEvents = new PendingEvents(book, events, clock);
    RefusedAdmissions refused = new RefusedAdmissions(events, clock);
    JobWrites jobWrites = new JobWrites(writes, this::stored, clock, events, workers);
    records = new WorkloadRecords(book, reader, jobWrites, clock);
    WorkloadPods pods = new WorkloadPods(options.settings().kueueVersion());
    RecordChecks checks = new RecordChecks(configuration);
    left = new LeftJobs(book, records, checks, pods, jobWrites, events, work, clock);
    jobs = new KnownJobs(cache, configuration, problems, reader, book, records, work, pods, left);
    views = new JobViews(book, configuration, reader, refused);
    reconciler = new JobReconciler(
        options,
        book,
        configuration,
        reader,
        records,
        checks,
        refused,
        pods,
        jobs.groups(),
        jobs.health(),
        jobWrites,
        events,
        clock);
  }

  /** {@return a loop without any objects} */
  public static ControllerLoop create(
      ControllerOptions options, ClusterWrites writes, InstantSource clock) {
    return create(options, writes, clock, Optional.empty(), Workers.one());
  }

  /** {@return a loop without any objects, with metrics and the given number of workers} */
  static ControllerLoop create(
      ControllerOptions options,
      ClusterWrites writes,
      InstantSource clock,
      Optional<KueueMetrics> metrics,
      Workers workers) {
    return new ControllerLoop(options, writes, clock, metrics, workers);
  }

  /**
   * Starts with all relevant objects of the cluster. Restores jobs with a recorded admission first;
   * writes nothing.
   */
  public synchronized void start(List<HasMetadata> everything) {
    everything.forEach(object -> accept(ClusterEvent.added(object)));
    configure();
    jobs.records()
        .filter(record -> records.isRecorded(record.job()))
        .sorted(Comparator.comparing(records::reservedTime).thenComparing(JobRecord::key))
        .forEach(reconciler::restore);
    left.restore(object -> records.hasJob(object, jobs::get));
    configuration.restoreUsage();
    reconciler.begin();
  }

  /** Receives an event of the cluster; outdated events are ignored. */
  public synchronized void accept(ClusterEvent event) {
    jobs.see(event);
  }

  /** Receives what a worker has written, while the thread that works holds the lock. */
  private void stored(HasMetadata object) {
    jobs.see(ClusterEvent.modified(object));
  }

  /**
   * Does all work that is possible now: writes decisions to jobs, and runs cycles as long as they
   * change something.
   *
   * @return when to call again without new events, {@link Instant#MAX} if that is not necessary
   */
  public synchronized Instant step() {
    Instant now = clock.instant();
    rounds.clear();
    work.wake(now);
    configure();
    configuration.restoreUsage();
    reconcileAll();
    if (decide(now)) {
      return now;
    }
    return nextTick
        .filter(tick -> work.next().filter(tick::isAfter).isEmpty())
        .or(work::next)
        .orElse(Instant.MAX);
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

  /** Reconciles until no job is due, including those that become due by decisions of the engine. */
  private void reconcileAll() {
    do {
      workers.workOff(work.size(), this::reconcileNext);
      book.takeChanges().forEach(this::follow);
      pendingEvents.report(book.takePending());
    } while (!work.isEmpty());
  }

  /** {@return whether there was a job that was due} */
  private boolean reconcileNext() {
    Optional<ObjectKey> key = work.poll();
    if (key.isEmpty()) {
      return false;
    }
    if (!busy.add(key.get())) {
      // Another thread waits for a write of it, and reconciles it again afterwards.
      again.add(key.get());
      return true;
    }
    try {
      Optional<JobRecord> record = jobs.get(key.get());
      if (record.isPresent()) {
        reconcile(record.get());
      } else if (left.has(key.get())) {
        left.reconcile(key.get());
      } else if (!records.releaseDeleted(key.get(), jobs::get)) {
        work.delay(key.get(), clock.instant().plus(WORKLOAD_DELAY));
      }
    } finally {
      busy.remove(key.get());
      if (again.remove(key.get())) {
        work.add(key.get());
      }
    }
    return true;
  }

  private void reconcile(JobRecord record) {
    Optional<Instant> delayed = retryTime(record);
    if (delayed.isPresent()) {
      work.delay(record.key(), delayed.get());
      return;
    }
    long changes = record.changes();
    Optional<Workload> workload = record.workload();
    Optional<Stopping> stopping = record.stopping();
    record.setWaitTime(Instant.MIN);
    try {
      reconciler.reconcile(record);
    } catch (IllegalArgumentException | IllegalStateException e) {
      // An unexpected failure of one job must not block all others.
      LOG.error(record.key() + " cannot be dealt with", e);
      record.become(JobState.INVALID, "cannot be dealt with: " + e);
      record.failed(clock.instant());
    }
    rounds.add(record.key());
    if (rounds.count(record.key()) >= MAX_ROUNDS) {
      LOG.warn(record.key() + " changes again after each write; it is written again later. Does a"
          + " webhook or another client change it back?");
      record.failed(clock.instant());
    }
    Optional<Instant> retry = retryTime(record);
    if (retry.isPresent()) {
      work.delay(record.key(), retry.get());
    } else if (changes != record.changes()
        || !workload.equals(record.workload())
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
   * Runs cycles until they change nothing.
   *
   * <p>A queue admits one workload in a cycle; the next cycle runs before the writes of the
   * previous one if workers are idle.
   *
   * @return whether there may be more to decide
   */
  private boolean decide(Instant now) {
    boolean isDue = nextTick.filter(tick -> !tick.isAfter(now)).isPresent();
    follow(engine.tick());
    nextTick = engine.nextTick();
    reconcileAll();
    if (!book.takeTouched() && !isDue) {
      return false;
    }
    Set<WorkloadId> tried = new HashSet<>();
    int withoutNews = 0;
    int starts = 0;
    for (int cycles = 0; cycles < MAX_CYCLES && starts < MAX_STARTS; cycles++) {
      Decisions decided = cycle.get();
      boolean changed = follow(decided);
      starts += decided.admitted().size();
      if (!changed || work.isEmpty() || work.size() >= workers.count()) {
        reconcileAll();
      }
      changed |= book.takeTouched();
      if (changed) {
        // Jobs that did not fit before may fit now.
        tried.clear();
      }
      boolean news = changed;
      for (Pending pending : decided.pending()) {
        news |= tried.add(pending.workload());
      }
      pendingEvents.report(decided.pending());
      withoutNews = news ? 0 : withoutNews + 1;
      if (withoutNews > (decided.isEmpty() ? 0 : configuration.maxFlavors())) {
        nextTick = engine.nextTick();
        return false;
      }
    }
    book.touch();
    return true;
  }

  /**
   * Marks the jobs of decisions as due.
   *
   * @return whether any decision changes something
   */
  private boolean follow(Decisions cycle) {
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
    cycle.replaced().forEach(this::wake);
    cycle.pending().forEach(pending -> wake(pending.workload()));
    return !cycle.admitted().isEmpty() || !cycle.preempted().isEmpty();
  }

  private void wake(Admission admission) {
    wake(admission.workload());
  }

  private void wake(WorkloadId id) {
    book.record(id).ifPresent(record -> work.add(record.key()));
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

  /** {@return why an object of the configuration admits nothing or is not in force as it is} */
  synchronized Optional<String> problem(ObjectKey key) {
    return problems.of(key);
  }
}
