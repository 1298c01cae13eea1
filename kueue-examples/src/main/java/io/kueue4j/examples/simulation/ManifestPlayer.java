package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.monitoring.MonitorView;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.yaml.Suggestion;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.status.QueueStatusWriter;
import io.kueue4j.k8s.topology.TpuNodePools;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

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
  private final JobManifests manifests;
  private final boolean tpuSlices;
  private ImmutableList<Manifests> given = ImmutableList.of();
  private ImmutableMap<String, ConfigObject> configuration = ImmutableMap.of();
  private final List<ManifestIssue> replaced;
  private final List<ManifestIssue> withoutUsage;
  private final PlayedJobs created;
  private final Set<String> failedNodes;

  private ManifestPlayer(
      Manifests manifests, Settings settings, boolean tpuSlices, Instant start, PodStops stops) {
    this.tpuSlices = tpuSlices;
    this.clock = VirtualClock.at(start);
    this.engine = AdmissionEngine.builder().clock(clock).settings(settings).build();
    this.created = new PlayedJobs(engine, stops);
    this.failedNodes = new HashSet<>();
    this.withoutUsage = settings.admissionFairSharing().isPresent()
        ? ImmutableList.of()
        : Latest.servedByUsage(manifests);
    this.manifests = JobManifests.of(manifests, settings, tpuSlices);
    this.replaced = Latest.replaced(manifests);
  }

  private ManifestPlayer(ManifestPlayer other) {
    this.tpuSlices = other.tpuSlices;
    this.clock = other.clock.copy();
    this.engine = other.engine.view().whatIf(clock);
    this.withoutUsage = other.withoutUsage;
    this.manifests = other.manifests;
    this.replaced = other.replaced;
    this.given = other.given;
    this.configuration = other.configuration;
    this.created = other.created.copy(engine);
    this.failedNodes = new HashSet<>(other.failedNodes);
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
    return of(manifests, settings, tpuSlices, VirtualClock.START, PodStops.AT_ONCE);
  }

  /**
   * {@return a simulation that starts at a time; if jobs exist by then that changed later, at the
   * time of their last change}
   *
   * @param stops when the pods of jobs stop that have to
   * @throws InputException if configuration or jobs break rules; says every place
   */
  public static ManifestPlayer of(
      Manifests manifests, Settings settings, boolean tpuSlices, Instant start, PodStops stops) {
    ManifestPlayer simulation = new ManifestPlayer(manifests, settings, tpuSlices, start, stops);
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
      created.add(entry);
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
        created.submit(job, time);
      });
      created.settle();
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
      if (created.stops() == PodStops.AT_ONCE && engine.isStopping(id)) {
        decided = decided.and(engine.podsStopped(id));
      }
      created.followAll(decided);
    } catch (IllegalArgumentException e) {
      return Optional.of(
          workload.manifest().issue("status", String.valueOf(e.getMessage())).toString());
    }
    if (engine.admission(id).isEmpty() || engine.isStopping(id)) {
      entry.status = JobStatus.PENDING;
      entry.admission = Optional.empty();
    }
    return Optional.empty();
  }

  /** Applies the configuration among {@code manifests}, and what pods among them take of nodes. */
  private Decisions put(Manifests changed) {
    ImmutableList<Manifests> all =
        ImmutableList.<Manifests>builder().addAll(given).add(changed).build();
    try {
      Decisions decided = put(Latest.inForce(all, changed));
      given = all;
      return decided;
    } catch (InvalidConfigurationException e) {
      throw new InputException(Latest.message(e, changed), e);
    }
  }

  private Decisions put(List<? extends ConfigObject> objects) {
    List<ConfigObject> latest = objects.stream().map(this::withFailure).collect(toImmutableList());
    Decisions decided =
        engine.apply(tpuSlices ? TpuNodePools.configure(configuration, latest) : latest);
    configuration = ImmutableMap.<String, ConfigObject>builder()
        .putAll(configuration)
        .putAll(Maps.uniqueIndex(latest, ConfigObject::key))
        .buildKeepingLast();
    return decided;
  }

  private ConfigObject withFailure(ConfigObject object) {
    return object instanceof Node node && failedNodes.contains(node.name())
        ? Node.builder().from(node).ready(false).build()
        : object;
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
        .filter(job -> !created.has(job.workload().id()))
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

  /**
   * Creates a job, one second after what happened before, and lets the engine decide.
   *
   * @throws InputException if there is one of its name that has not finished
   */
  public void create(SimulatedJob job) {
    created.checkIsNew(job);
    next(() -> created.submit(job, clock.instant()));
  }

  /**
   * Finishes a job, one second after what happened before, and lets the engine decide.
   *
   * @param name the name of the job, or {@code namespace/name}
   * @throws InputException if there is no such job, or if it does not run
   */
  public void finish(String name) {
    PlayedJob entry =
        created.find(name, "finish", "Admitted", job -> job.status == JobStatus.ADMITTED);
    next(() -> created.finish(entry));
  }

  /**
   * Deletes a job, one second after what happened before, and lets the engine decide.
   *
   * @param name the name of the job, or {@code namespace/name}
   * @throws InputException if there is no such job
   */
  public void delete(String name) {
    PlayedJob entry = created.find(name, "be deleted", "any status", job -> true);
    next(() -> created.delete(entry));
  }

  /**
   * Reports that the pods of an evicted job have stopped, one second after what happened before,
   * and lets the engine decide.
   *
   * @param name the name of the job, or {@code namespace/name}
   * @throws InputException if there is no such job, or if it need not stop
   */
  public void stopped(String name) {
    PlayedJob entry = created.find(
        name,
        "stop",
        "a job that was evicted and has not stopped",
        job -> engine.isStopping(job.job.workload().id()));
    next(() -> created.followAll(engine.podsStopped(entry.job.workload().id())));
  }

  /** Lets time pass. What is due on the way happens when it is due, and the engine decides then. */
  public void advance(Duration duration) {
    Instant end = clock.instant().plus(duration);
    Predicate<Instant> isBefore = time -> time.isAfter(clock.instant()) && time.isBefore(end);
    for (Optional<Instant> next = engine.nextTick().filter(isBefore);
        next.isPresent();
        next = engine.nextTick().filter(isBefore)) {
      tickAt(next.get());
    }
    tickAt(end);
  }

  private void tickAt(Instant time) {
    clock.advanceTo(time);
    created.followAll(engine.tick());
    created.settle();
  }

  /**
   * Lets a node fail, one second after what happened before, and lets the engine decide about the
   * jobs with pods there. Later manifests of the node do not change that.
   *
   * @throws InputException if there is no such node, or if it has failed
   */
  public void failNode(String name) {
    Node node = node(name);
    if (!failedNodes.add(name)) {
      throw new InputException("node " + name + " has failed before; expected recoverNode first");
    }
    next(() -> {
      created.followAll(put(ImmutableList.of(node)));
      created.nodeFailed(node.labels().getOrDefault(Topology.HOSTNAME, name));
    });
  }

  /**
   * Lets a failed node recover, one second after what happened before, and lets the engine decide.
   *
   * @throws InputException if there is no such node, or if it has not failed
   */
  public void recoverNode(String name) {
    Node node = node(name);
    if (!failedNodes.remove(name)) {
      throw new InputException("node " + name + " has not failed; expected failNode first");
    }
    next(() -> created.followAll(put(ImmutableList.of(node))));
  }

  /** Lets something happen, one second after what happened before, and the engine decide. */
  private void next(Runnable change) {
    clock.advance(BETWEEN_EVENTS);
    change.run();
    created.settle();
  }

  private Node node(String name) {
    List<Node> nodes = ClusterNodes.of(given);
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new InputException("there is no Node " + name
            + Suggestion.question(name, nodes.stream().map(Node::name))));
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
    next(() -> created.followAll(put(changed)));
  }

  /**
   * Removes a configuration object, one second after what happened before, and lets the engine
   * decide.
   *
   * @param key its kind and name, as {@link ConfigObject#key} says them
   * @throws InputException if there is none, if it is a Node, or if something depends on it
   */
  public void remove(String key) {
    ConfigObject object = configuration.get(key);
    if (object == null) {
      throw new InputException(
          "there is no " + key + Suggestion.question(key, configuration.keySet().stream()));
    }
    if (object instanceof Node) {
      throw new InputException(key + " cannot be removed; expected failNode for a node");
    }
    next(() -> created.followAll(removed(object)));
    configuration =
        ImmutableMap.copyOf(Maps.filterKeys(configuration, other -> !other.equals(key)));
  }

  private Decisions removed(ConfigObject object) {
    try {
      return engine.remove(object);
    } catch (IllegalStateException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Runs {@code observer} after each cycle from now on. */
  public void afterEachCycle(Runnable observer) {
    created.afterEachCycle(observer);
  }

  /** {@return the number of cycles so far that had something to try} */
  public int cycles() {
    return created.cycles();
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
    return phase(title, created.reports(job -> true, explained));
  }

  /**
   * {@return how things are, and what happened since the last call}
   *
   * @param title the title
   * @param explained the jobs that come with reasons and explanations; others have none, which
   *     saves most of the time if many wait
   */
  public Phase phase(String title, Predicate<SimulatedJob> explained) {
    return phase(title, created.reports(explained, true));
  }

  private Phase phase(String title, ImmutableList<JobReport> reports) {
    return new Phase(title, reports, engine.view().clusterQueues(), created.takeEvents());
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
            QueueStatusWriter.of(engine.settings())
                .withConfiguration(configuration(ConfigObject.class))))
        .addAll(created.all().stream()
            .filter(entry -> entry.status != JobStatus.REJECTED)
            .map(entry -> objects.workload(entry, manifests))
            .iterator())
        .build();
  }

  /** {@return how things are, for {@link io.kueue4j.examples.monitoring.MonitorPage}} */
  public MonitorView monitorView() {
    return SimulatedPage.of(engine.view(), clock.instant(), created.reports(job -> true, false));
  }
}
