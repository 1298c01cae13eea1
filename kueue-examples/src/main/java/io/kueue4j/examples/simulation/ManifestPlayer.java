package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.monitoring.MonitorView;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.status.QueueStatusWriter;
import io.kueue4j.k8s.tpu.TpuNodePools;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Plays manifests on an engine: configuration first, then the jobs one second apart, cycles after
 * each until nothing is left to try. Not thread-safe.
 *
 * <pre>{@code
 * ManifestPlayer player = ManifestPlayer.of(ManifestFiles.read(files).manifests());
 * player.jobs().forEach(player::create);
 * Phase phase = player.phase("all jobs created");
 * }</pre>
 */
public final class ManifestPlayer {
  private static final Duration BETWEEN_EVENTS = Duration.ofSeconds(1);

  private final VirtualClock clock;
  private final AdmissionEngine engine;
  private final Settings settings;
  private final JobManifests manifests;
  private final boolean tpuSlices;
  private ImmutableList<Manifests> given = ImmutableList.of();
  private ImmutableMap<String, ConfigObject> configuration = ImmutableMap.of();
  private final List<ManifestIssue> replaced;
  private final List<ManifestIssue> withoutUsage;

  private final Map<WorkloadId, PlayedJob> created = new LinkedHashMap<>();
  private final List<Event> events = new ArrayList<>();

  private ManifestPlayer(Manifests manifests, Settings settings, boolean tpuSlices) {
    this.tpuSlices = tpuSlices;
    this.settings = settings;
    this.clock = VirtualClock.create();
    this.engine = AdmissionEngine.builder().clock(clock).settings(settings).build();
    this.withoutUsage = settings.admissionFairSharing().isPresent()
        ? ImmutableList.of()
        : Latest.servedByUsage(manifests);
    this.manifests = JobManifests.of(manifests, settings, tpuSlices);
    this.replaced = Latest.replaced(manifests);
  }

  private ManifestPlayer(ManifestPlayer other) {
    this.tpuSlices = other.tpuSlices;
    this.settings = other.settings;
    this.clock = other.clock.copy();
    this.engine = other.engine.view().whatIf(clock);
    this.withoutUsage = other.withoutUsage;
    this.manifests = other.manifests;
    this.replaced = other.replaced;
    this.given = other.given;
    this.configuration = other.configuration;
    other.created.forEach((id, entry) -> created.put(id, new PlayedJob(entry)));
  }

  /**
   * {@return a simulation with the configuration among {@code manifests}, before any job}
   *
   * @throws InputException if configuration or jobs break rules; says every place
   */
  public static ManifestPlayer of(Manifests manifests) {
    return of(manifests, Settings.defaults());
  }

  /**
   * {@return a simulation with other settings than Kueue's as installed}
   *
   * @throws InputException if configuration or jobs break rules; says every place
   */
  public static ManifestPlayer of(Manifests manifests, Settings settings) {
    return of(manifests, settings, false);
  }

  /**
   * {@return a simulation in which TPU chips may be given as slices: nodes with GKE's labels make
   * up pools, and jobs ask for slices of these}
   *
   * @throws InputException if configuration or jobs break rules; says every place
   */
  public static ManifestPlayer of(Manifests manifests, Settings settings, boolean tpuSlices) {
    ManifestPlayer simulation = new ManifestPlayer(manifests, settings, tpuSlices);
    simulation.put(manifests);
    simulation.restore(simulation.manifests.stored(), PastUsage.of(manifests, settings));
    return simulation;
  }

  /** Restores stored Workloads and past usage, submits jobs that wait, and goes on from there. */
  private void restore(ImmutableList<StoredWorkload> stored, PastUsage usage) {
    stored.forEach(workload -> workload.lastChange().ifPresent(clock::advanceTo));
    usage.lastUpdate().ifPresent(clock::advanceTo);
    List<String> problems = new ArrayList<>();
    for (StoredWorkload workload : stored) {
      SimulatedJob job = workload.job();
      PlayedJob entry = new PlayedJob(job, job.workload().creationTime().orElseGet(clock::instant));
      created.put(workload.id(), entry);
      entry.admission = workload.imported().admission();
      if (workload.finished()) {
        entry.status = JobStatus.FINISHED;
        entry.last = workload.imported().status();
      } else {
        restore(workload, entry).ifPresent(problems::add);
      }
    }
    if (!problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(problems));
    }
    usage.restoreTo(engine);
    if (!stored.isEmpty()) {
      // What waits beside them is there already, and keeps its turn before what has to stop.
      manifests.existing().forEach((job, time) -> {
        clock.advanceTo(time);
        submit(job, time);
      });
      settle();
    }
  }

  /** {@return why the workload cannot be restored, empty if it was} */
  private Optional<String> restore(StoredWorkload workload, PlayedJob entry) {
    WorkloadId id = workload.id();
    if (entry.admission.isPresent()) {
      entry.status = JobStatus.ADMITTED;
    }
    try {
      Decisions decided = workload.imported().restoreTo(engine);
      // What has to stop does so at once.
      if (workload.isStopping() && engine.admission(id).isPresent()) {
        decided = decided.and(engine.podsStopped(id));
      }
      followAll(decided);
    } catch (IllegalArgumentException e) {
      return Optional.of(
          workload.manifest().issue("status", String.valueOf(e.getMessage())).toString());
    }
    if (entry.admission.isPresent() && engine.admission(id).isEmpty()) {
      entry.status = JobStatus.PENDING;
      entry.admission = Optional.empty();
    }
    return Optional.empty();
  }

  /** Applies the configuration among {@code manifests}, and what pods among them take of nodes. */
  private void put(Manifests changed) {
    ImmutableList<Manifests> all =
        ImmutableList.<Manifests>builder().addAll(given).add(changed).build();
    List<ConfigObject> latest = Latest.inForce(all, changed);
    try {
      engine.apply(tpuSlices ? TpuNodePools.configure(configuration, latest) : latest);
    } catch (InvalidConfigurationException e) {
      throw new InputException(Latest.message(e, changed), e);
    }
    given = all;
    configuration = ImmutableMap.<String, ConfigObject>builder()
        .putAll(configuration)
        .putAll(Maps.uniqueIndex(latest, ConfigObject::key))
        .buildKeepingLast();
  }

  /**
   * {@return the configuration of one kind that is in force, nodes with what pods take of them that
   * are bound to them}
   */
  public <T extends ConfigObject> ImmutableList<T> configuration(Class<T> type) {
    return configuration.values().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .collect(toImmutableList());
  }

  /** {@return the jobs among the manifests that are still to be created, in their order} */
  public ImmutableList<SimulatedJob> jobs() {
    return manifests.jobs().stream()
        .filter(job -> !created.containsKey(job.workload().id()))
        .collect(toImmutableList());
  }

  /**
   * {@return the jobs among other manifests, as they would be if they were created here; what is no
   * job is passed over}
   *
   * @throws InputException if one breaks rules; says every place
   */
  public ImmutableList<SimulatedJob> read(Manifests other) {
    return manifests.read(other).jobs();
  }

  /**
   * {@return which jobs cannot be admitted, are none of admission's business, or refer to something
   * that does not exist, and which configuration has no effect, and why}
   */
  public List<ManifestIssue> warnings() {
    return ImmutableList.<ManifestIssue>builder()
        .addAll(manifests.passedOver())
        .addAll(manifests.incomplete())
        .addAll(given.stream()
            .flatMap(objects -> ClusterNodes.warnings(objects, manifests::isOfJob).stream())
            .iterator())
        .addAll(replaced)
        .addAll(withoutUsage)
        .addAll(MissingObjects.of(manifests, configuration, given, tpuSlices))
        .build();
  }

  /** {@return the engine, to ask it more than {@link #phase} tells} */
  public AdmissionEngine engine() {
    return engine;
  }

  /** {@return the time of the last change} */
  public Instant now() {
    return clock.instant();
  }

  /** {@return the LocalQueue of a job, absent if there is none} */
  public Optional<LocalQueue> localQueue(SimulatedJob job) {
    String key = LocalQueue.of(job.namespace(), job.workload().queueName(), "").key();
    return Optional.ofNullable(configuration.get(key)).map(LocalQueue.class::cast);
  }

  /** Creates a job, one second after what happened before, and lets the engine decide. */
  public void create(SimulatedJob job) {
    clock.advance(BETWEEN_EVENTS);
    submit(job, clock.instant());
    settle();
  }

  private void submit(SimulatedJob job, Instant time) {
    PlayedJob entry = new PlayedJob(job, time);
    created.put(job.workload().id(), entry);
    Decisions decided = engine.submit(job.workload());
    followAll(decided);
    if (decided.result() instanceof AdmissionResult.Rejected rejected) {
      entry.status = JobStatus.REJECTED;
      entry.rejection = rejected.reasons();
      events.add(new Event(Event.Type.REJECTED, job, "", Joiner.on("; ").join(rejected.reasons())));
    }
  }

  /**
   * Finishes a job, one second after what happened before, and lets the engine decide.
   *
   * @param name the name of the job, or {@code namespace/name}
   * @throws InputException if there is no such job, or if it does not run
   */
  public void finish(String name) {
    PlayedJob entry = created.values().stream()
        .filter(known -> known.job.isCalled(name) && known.status == JobStatus.ADMITTED)
        .findFirst()
        .orElseThrow(() -> new InputException(created.values().stream()
            .filter(known -> known.job.isCalled(name))
            .findFirst()
            .map(known ->
                "job " + name + " cannot finish: it is " + known.status + ", expected Admitted")
            .orElseGet(() -> "there is no job " + name + " that could finish; "
                + SimulatedJob.existing(
                    created.values().stream().map(known -> known.job).toList()))));
    clock.advance(BETWEEN_EVENTS);
    WorkloadId id = entry.job.workload().id();
    entry.last = engine.lifecycle().status(id);
    engine.finish(id);
    entry.status = JobStatus.FINISHED;
    events.add(new Event(Event.Type.FINISHED, entry.job, "", ""));
    settle();
  }

  /**
   * {@return a simulation that goes on from here in private: nothing that happens in either is seen
   * in the other}
   */
  public ManifestPlayer whatIf() {
    return new ManifestPlayer(this);
  }

  /**
   * {@return what among manifests that are to be applied to a running simulation is not used, and
   * why}
   */
  public static List<ManifestIssue> warningsOfChange(Manifests changed) {
    return ImmutableList.<ManifestIssue>builder()
        .addAll(Latest.withoutConfiguration(changed))
        .addAll(Latest.replaced(changed))
        .build();
  }

  /**
   * Applies the configuration among manifests, one second after what happened before, and lets the
   * engine decide. Jobs among them are passed over.
   *
   * @throws InputException if it breaks rules; says every place, and nothing has changed
   */
  public void apply(Manifests changed) {
    clock.advance(BETWEEN_EVENTS);
    put(changed);
    settle();
  }

  /** {@return how things are, and what happened since the last call} */
  public Phase phase(String title) {
    return phase(title, true);
  }

  /**
   * {@return how things are, and what happened since the last call}
   *
   * @param title the title
   * @param explained whether jobs come with their explanations, which take much memory
   */
  public Phase phase(String title, boolean explained) {
    ImmutableList<Event> news = ImmutableList.copyOf(events);
    events.clear();
    return new Phase(title, reports(explained), engine.view().clusterQueues(), news);
  }

  /**
   * {@return the configuration, queues and workloads with their status, as Kueue would store them:
   * a simulation of these goes on from here}
   */
  public ImmutableList<GenericKubernetesResource> stored() {
    StoredObjects objects = new StoredObjects(engine, clock.instant());
    return ImmutableList.<GenericKubernetesResource>builder()
        .addAll(objects.configuration(
            given,
            QueueStatusWriter.of(settings).withConfiguration(configuration(ConfigObject.class))))
        .addAll(created.values().stream()
            .filter(entry -> entry.status != JobStatus.REJECTED)
            .map(entry -> write(entry, objects))
            .iterator())
        .build();
  }

  private GenericKubernetesResource write(PlayedJob entry, StoredObjects objects) {
    GenericKubernetesResource object = StoredWorkload.isOne(entry.job.manifest())
        ? ConfigurationWriter.given(entry.job.manifest())
        : manifests.write(entry.job, entry.created);
    return entry.status == JobStatus.FINISHED
        ? objects.finished(object, entry.job.workload(), entry.last, entry.admission)
        : objects.workload(object, entry.job.workload());
  }

  /** {@return how things are, for {@link io.kueue4j.examples.monitoring.MonitorPage}} */
  public MonitorView monitorView() {
    return SimulatedPage.of(engine.view(), clock.instant(), reports(false));
  }

  /** Runs cycles until there is nothing to try, or trying does not help. */
  private void settle() {
    StableRun run = engine.runUntilStable(Integer.MAX_VALUE, () -> {
      Decisions cycle = engine.runCycle();
      return cycle.and(follow(cycle));
    });
    if (run.end() == StableRun.End.PREEMPTION_LOOP) {
      throw new InputException(
          LoopText.of(run.loop()) + "; let queues reclaim or borrow from lower priorities only");
    }
  }

  /** Starts and stops jobs until nothing more follows. */
  private void followAll(Decisions decided) {
    for (Decisions next = decided; !next.isEmpty(); ) {
      next = follow(next);
    }
  }

  /**
   * Starts and stops jobs at once.
   *
   * @return what the engine decides then
   */
  private Decisions follow(Decisions cycle) {
    Decisions decided = Decisions.none();
    for (Admission admission : cycle.admitted()) {
      decided = decided.and(admitted(admission));
    }
    for (PreemptionVictim victim : cycle.preempted()) {
      decided = decided.and(preempted(victim));
    }
    return decided;
  }

  /** Its pods run at once. */
  private Decisions admitted(Admission admission) {
    PlayedJob entry = entry(admission.workload());
    entry.status = JobStatus.ADMITTED;
    entry.admission = Optional.of(admission);
    events.add(new Event(Event.Type.ADMITTED, entry.job, admission.clusterQueue(), ""));
    WorkloadId id = admission.workload();
    engine.lifecycle().admissionRecorded(id);
    return settings.podsReady().isPresent()
            && engine.lifecycle().status(id).isTrue(ConditionType.ADMITTED)
        ? engine.lifecycle().setPodsReady(id, true)
        : Decisions.none();
  }

  /** Its pods stop at once. */
  private Decisions preempted(PreemptionVictim victim) {
    PlayedJob entry = entry(victim.workload());
    entry.status = JobStatus.PENDING;
    entry.admission = Optional.empty();
    events.add(new Event(
        Event.Type.PREEMPTED,
        entry.job,
        victim.preemptor().name(),
        victim.reason().toString()));
    return engine.podsStopped(victim.workload());
  }

  private PlayedJob entry(WorkloadId workload) {
    return Objects.requireNonNull(created.get(workload), "only what was created is admitted");
  }

  private ImmutableList<JobReport> reports(boolean explained) {
    List<PlayedJob> known = created.values().stream()
        .filter(entry -> entry.status == JobStatus.PENDING || entry.status == JobStatus.ADMITTED)
        .toList();
    // Many jobs wait for the same reasons.
    Interner<List<String>> texts = Interners.newStrongInterner();
    Map<WorkloadId, JobReport> reports = new HashMap<>();
    engine
        .explainAll(
            Lists.transform(known, entry -> entry.job.workload().id()),
            explanation -> report(entry(explanation.workload()), explanation, explained, texts))
        .forEach(report -> reports.put(report.job().workload().id(), report));
    return created.entrySet().stream()
        .map(entry -> reports.getOrDefault(
            entry.getKey(),
            report(
                entry.getValue(),
                ReasonTexts.messages(entry.getValue().rejection),
                Optional.empty())))
        .collect(toImmutableList());
  }

  private JobReport report(
      PlayedJob entry, Explanation explanation, boolean explained, Interner<List<String>> texts) {
    boolean pending = entry.status == JobStatus.PENDING;
    List<String> reasons =
        pending ? ReasonTexts.whyPending(explanation) : ReasonTexts.messages(explanation.reasons());
    return report(
        entry,
        texts.intern(reasons),
        pending && explained ? Optional.of(explanation) : Optional.empty());
  }

  private JobReport report(
      PlayedJob entry, List<String> reasons, Optional<Explanation> explanation) {
    return new JobReport(
        entry.job,
        entry.status,
        localQueue(entry.job).map(LocalQueue::clusterQueue),
        entry.admission,
        reasons,
        explanation);
  }
}
