package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.seal.SealKeys;
import io.kueue4j.examples.controller.seal.Sealing;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.kueue4j.k8s.topology.NodeTracker;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Admits the jobs of a cluster: is told what the cluster says, asks an engine, and writes what was
 * decided to the jobs.
 *
 * <p>Nothing that matters is only in memory. What a job holds quota for is written to the job
 * before it runs, in the same write that lets it run, and taken away only when its pods are gone;
 * so a controller that starts finds in the cluster all that another knew which ended, wherever that
 * was. News may come twice, late, or in another order than it happened.
 *
 * <p>The same calls and clock readings give the same writes. Safe for several threads; one does the
 * work.
 */
public final class ControllerLoop {
  private static final System.Logger LOG = System.getLogger(ControllerLoop.class.getName());
  private static final int MAX_CYCLES = 1000;

  /** So that a step does not go on for minutes without hearing of what has happened since. */
  private static final int MAX_STARTS = 1000;

  private final InstantSource clock;
  private final Workers workers;
  private final ObjectCache cache = new ObjectCache();
  private final Map<ObjectKey, JobRecord> jobs = new TreeMap<>();
  private final Map<String, ObjectKey> jobsByUid = new HashMap<>();
  private final Map<String, String> nodeProblems = new TreeMap<>();
  private final WorkList work = new WorkList();

  /** The jobs that somebody is at, and those of them that have become work again meanwhile. */
  private final Set<ObjectKey> busy = new HashSet<>();

  private final Set<ObjectKey> again = new HashSet<>();
  private final WorkloadPods pods = new WorkloadPods();
  private final PodGroups groups = new PodGroups();
  private final Set<ObjectKey> serving = new TreeSet<>();
  private final NodeTracker nodes = NodeTracker.create();
  private final NodeHealth health = new NodeHealth();
  private final AdmissionEngine engine;
  private final Supplier<Decisions> cycle;
  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final EngineBook book;
  private final JobNotes notes;
  private final JobReconciler reconciler;
  private final JobViews views;
  private final Sealing sealing;
  private Optional<Instant> nextTick = Optional.empty();
  private boolean healthChanged;

  private ControllerLoop(
      ControllerOptions options,
      ClusterWrites writes,
      InstantSource clock,
      Optional<KueueMetrics> metrics,
      Workers workers,
      Sealing sealing) {
    this.clock = clock;
    this.sealing = sealing;
    this.workers = workers;
    AdmissionEngine.Builder builder =
        AdmissionEngine.builder().clock(clock).settings(options.settings());
    metrics.ifPresent(told -> builder.listener(
        told, failure -> LOG.log(System.Logger.Level.ERROR, "a change was not counted", failure)));
    engine = builder.build();
    Supplier<Decisions> plain = engine::runCycle;
    cycle = metrics.<Supplier<Decisions>>map(told -> () -> told.attempt(plain)).orElse(plain);
    book = new EngineBook(engine, clock);
    configuration = new ClusterConfiguration(engine, book::hear);
    reader = new JobReader(options, cache, configuration);
    JobEvents events = new JobEvents(writes, clock, options.identity());
    RefusedNotes refused = new RefusedNotes(events, clock);
    notes = new JobNotes(reader, new Seals(sealing.keys()), refused, clock);
    views = new JobViews(book, configuration, reader, refused);
    reconciler = new JobReconciler(
        options,
        book,
        configuration,
        reader,
        notes,
        refused,
        pods,
        groups,
        health,
        new JobWrites(writes, stored -> see(ClusterEvent.modified(stored)), clock, events, workers),
        events,
        clock);
  }

  /**
   * {@return a loop that knows nothing of the cluster yet, and neither seals nor verifies notes}
   */
  public static ControllerLoop create(
      ControllerOptions options, ClusterWrites writes, InstantSource clock) {
    return create(options, writes, clock, Sealing.none());
  }

  /** {@return a loop that knows nothing of the cluster yet} */
  public static ControllerLoop create(
      ControllerOptions options, ClusterWrites writes, InstantSource clock, Sealing sealing) {
    return create(options, writes, clock, Optional.empty(), Workers.one(), sealing);
  }

  /** {@return the same, whose decisions are counted, and which lets so many workers write} */
  static ControllerLoop create(
      ControllerOptions options,
      ClusterWrites writes,
      InstantSource clock,
      Optional<KueueMetrics> metrics,
      Workers workers,
      Sealing sealing) {
    return new ControllerLoop(options, writes, clock, metrics, workers, sealing);
  }

  /**
   * Begins with all objects of the cluster that matter. What holds quota by what is written to it
   * is taken in first; nothing is written.
   */
  public synchronized void start(List<HasMetadata> everything) {
    everything.forEach(object -> accept(ClusterEvent.added(object)));
    configure();
    jobs.values().stream()
        .filter(record ->
            !JobAnnotations.get(record.job(), JobAnnotations.ADMISSION).isEmpty())
        .sorted(Comparator.comparing(notes::reservedTime).thenComparing(JobRecord::key))
        .forEach(record -> reconciler.restore(record, sealing.acceptsUnsealed()));
    reconciler.begin();
  }

  /**
   * Seals notes with other keys from now on, and verifies by them. What was verified before stays
   * valid, and is sealed anew in the steps to come.
   */
  public synchronized void setKeys(SealKeys keys) {
    notes.setKeys(keys);
    jobs.keySet().forEach(work::add);
  }

  /** {@return whether some notes may have to be sealed by the key that seals now} */
  public synchronized boolean isSealing() {
    return notes.isRenewing();
  }

  /** Takes news of the cluster; what is older than what is known is passed over. */
  public synchronized void accept(ClusterEvent event) {
    see(event);
  }

  /** The same for whoever has its turn already. */
  private void see(ClusterEvent event) {
    ObjectKey key = ObjectKey.of(event.object());
    boolean isThere = event.kind() != ClusterEvent.Kind.DELETED;
    // Of what is gone nobody may know more than the name.
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
  }

  private void track(Node node, boolean isThere) {
    track(ObjectKey.of(node), () -> {
      if (isThere) {
        nodes.update(node);
        healthChanged |= health.see(node);
      } else {
        nodes.delete(node);
        healthChanged |= health.lose(node);
      }
    });
  }

  private void track(ObjectKey key, Runnable change) {
    try {
      change.run();
      nodeProblems.remove(key.toString());
    } catch (InvalidConfigurationException e) {
      nodeProblems.put(key.toString(), String.valueOf(e.getMessage()));
    }
  }

  private void follow(ObjectKey key, Pod pod, boolean isThere) {
    track(key, () -> {
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

  /** Groups are known by their pods; who makes pods that wait may have a group for them. */
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

  /** Takes a job as it is since {@code part} of it is another. */
  private void follow(ObjectKey key, Optional<HasMetadata> job, ObjectKey part) {
    JobRecord known = jobs.get(key);
    if (known != null && (job.isEmpty() || !uid(job.get()).equals(known.uid()))) {
      book.forget(known);
      jobs.remove(key);
      jobsByUid.remove(known.uid());
      serving.remove(key);
      known = null;
    }
    if (job.isEmpty()) {
      return;
    }
    if (known != null) {
      known.see(job.get(), part);
      work.add(key);
    } else if (reader.namesQueue(job.get())
        || !JobAnnotations.get(job.get(), JobAnnotations.ADMISSION).isEmpty()) {
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

  /**
   * Does all that can be done by now: writes what the engine wants of jobs, and lets it decide as
   * long as that changes something.
   *
   * @return when to call again if there is no news before, {@link Instant#MAX} if there need not be
   *     another call
   */
  public synchronized Instant step() {
    Instant now = clock.instant();
    work.wake(now);
    notes.takeRenewals().forEach(work::add);
    configure();
    reconcileAll();
    boolean moreToDecide = decide(now);
    boolean moreToSeal = isMoreToSeal();
    if (moreToDecide || moreToSeal) {
      return now;
    }
    return nextTick
        .filter(tick -> work.next().filter(tick::isAfter).isEmpty())
        .or(work::next)
        .orElse(Instant.MAX);
  }

  /** {@return whether notes wait for a later step to be sealed anew} */
  private boolean isMoreToSeal() {
    if (notes.isRenewing() && jobs.values().stream().noneMatch(notes::isOfOldKey)) {
      notes.renewed();
    }
    return notes.hasRenewals();
  }

  private void configure() {
    if (configuration.apply()) {
      book.touch();
      reader.referencesChanged();
      jobs.values().stream()
          .filter(record -> record.workload().isEmpty())
          .forEach(record -> work.add(record.key()));
    }
    if (!nodes.applyTo(engine, book::hear).isEmpty()) {
      book.touch();
    }
    if (healthChanged) {
      healthChanged = false;
      jobs.values().stream()
          .filter(record -> record.state() == JobState.ADMITTED)
          .forEach(record -> work.add(record.key()));
    }
  }

  /** Until no job is left that something is to be done about, by what the engine says to that. */
  private void reconcileAll() {
    do {
      workers.workOff(work.size(), this::reconcileNext);
      book.takeChanges().forEach(this::follow);
    } while (!work.isEmpty());
  }

  /** {@return whether there was a job whose turn it is} */
  private boolean reconcileNext() {
    Optional<ObjectKey> key = work.poll();
    if (key.isEmpty()) {
      return false;
    }
    if (!busy.add(key.get())) {
      // Somebody waits for a write of it, and takes it again afterwards.
      again.add(key.get());
      return true;
    }
    try {
      JobRecord record = jobs.get(key.get());
      if (record != null) {
        reconcile(record);
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
    if (record.retryTime().isAfter(clock.instant())) {
      work.delay(record.key(), record.retryTime());
      return;
    }
    long changes = record.changes();
    Optional<Workload> workload = record.workload();
    Optional<Stopping> stopping = record.stopping();
    record.setWaitTime(Instant.MIN);
    try {
      reconciler.reconcile(record);
    } catch (IllegalArgumentException | IllegalStateException e) {
      // A job that nobody has foreseen must not keep all others from being looked at.
      LOG.log(System.Logger.Level.ERROR, record.key() + " cannot be dealt with", e);
      record.become(JobState.INVALID, "cannot be dealt with: " + e);
      record.failed(clock.instant());
    }
    if (record.retryTime().isAfter(clock.instant())) {
      work.delay(record.key(), record.retryTime());
    } else if (changes != record.changes()
        || !workload.equals(record.workload())
        || !stopping.equals(record.stopping())) {
      work.add(record.key());
    } else if (record.waitTime().isAfter(clock.instant())) {
      work.delay(record.key(), record.waitTime());
    }
  }

  /**
   * Lets the engine decide until it has nothing new to say; {@return whether it may have more}
   *
   * <p>A queue admits one workload in a cycle; the next cycle comes before that is written, if
   * there are workers who would have nothing to do.
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
        // What did not fit before may fit now.
        tried.clear();
      }
      boolean news = changed;
      for (io.kueue4j.core.AdmissionResult.Pending pending : decided.pending()) {
        news |= tried.add(pending.workload());
      }
      withoutNews = news ? 0 : withoutNews + 1;
      if (withoutNews > (decided.isEmpty() ? 0 : configuration.maxFlavors())) {
        nextTick = engine.nextTick();
        return false;
      }
    }
    book.touch();
    return true;
  }

  /** Marks the jobs that were decided on; {@return whether anything was that changes something} */
  private boolean follow(Decisions cycle) {
    cycle.evicted().forEach(eviction -> wake(eviction.workload()));
    cycle.preempted().forEach(victim -> wake(victim.workload()));
    cycle.suspended().forEach(this::wake);
    cycle.finishedSlices().forEach(slice -> wake(slice.workload()));
    cycle.admitted().forEach(this::wake);
    cycle.reserved().forEach(this::wake);
    cycle.replaced().forEach(this::wake);
    return !cycle.admitted().isEmpty() || !cycle.preempted().isEmpty();
  }

  private void wake(Admission admission) {
    wake(admission.workload());
  }

  private void wake(WorkloadId id) {
    book.record(id).ifPresent(record -> work.add(record.key()));
  }

  /** {@return the engine that decides, to be asked and not to be told anything} */
  public AdmissionEngine engine() {
    return engine;
  }

  /** {@return what the controller knows by now} */
  public synchronized ControllerView view() {
    ImmutableSortedMap.Builder<String, String> problems = ImmutableSortedMap.naturalOrder();
    configuration.problems().forEach((key, problem) -> problems.put(key.toString(), problem));
    problems.putAll(nodeProblems);
    return views.of(clock.instant(), jobs.values(), problems.buildOrThrow());
  }
}
