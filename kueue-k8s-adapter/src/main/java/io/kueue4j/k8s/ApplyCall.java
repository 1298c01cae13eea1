package io.kueue4j.k8s;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ApplyResult.ObjectResult.Outcome;
import io.kueue4j.k8s.internal.job.ManifestJob;
import io.kueue4j.k8s.internal.kueue.ConfigManifest;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobSnapshot;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One call of {@link KubernetesAdmission#apply(List)}. */
final class ApplyCall {
  /** As many workloads of one job as Kueue makes. */
  private static final int MAX_WORKLOADS = 1_000_000;

  private final ClusterState state;
  private final AdmissionEngine engine;
  private final JobEditor editor;

  private final List<Entry> entries = new ArrayList<>();
  private final List<ManifestIssue> notes = new ArrayList<>();
  private final Map<Manifest, Entry> configuration = new LinkedHashMap<>();
  private final Map<String, ConfigManifest> latest = new LinkedHashMap<>();
  private final List<Entry> workloads = new ArrayList<>();
  private final Map<Manifest, Entry> jobs = new LinkedHashMap<>();
  private boolean referencesChanged;

  ApplyCall(ClusterState state, JobEditor editor) {
    this.state = state;
    this.engine = state.engine();
    this.editor = editor;
  }

  /** What becomes of an object in the course of the call. */
  private static final class Entry {
    private final Optional<Manifest> manifest;

    /** The problems, then what deserves attention beside. */
    private final List<ManifestIssue> issues;

    private int problemCount;
    private final Set<WorkloadId> workloads = new LinkedHashSet<>();
    private Outcome outcome = Outcome.IGNORED;

    /** Whether the job may be submitted when more objects are known. */
    private boolean isWaiting;

    Entry(Optional<Manifest> manifest, List<ManifestIssue> notes) {
      this.manifest = manifest;
      this.issues = new ArrayList<>(notes);
    }

    Manifest object() {
      return manifest.orElseThrow();
    }

    void refuse(List<ManifestIssue> problems) {
      outcome = Outcome.REFUSED;
      issues.addAll(problemCount, problems);
      problemCount += problems.size();
    }

    /** Takes over what became of the first pod of the same group. */
    void copy(Entry first) {
      outcome = first.outcome;
      isWaiting = first.isWaiting;
      workloads.addAll(first.workloads);
      if (outcome == Outcome.REFUSED || outcome == Outcome.IGNORED) {
        note("metadata", "is of the same group as " + first.object());
      }
    }

    boolean isUnresolved() {
      return isWaiting || outcome == Outcome.REFUSED;
    }

    void note(String field, String message) {
      issues.add(object().issue(field, message));
    }

    void add(WorkloadId workload, Outcome of) {
      workloads.add(workload);
      outcome = outcome == Outcome.REFUSED ? outcome : of;
    }

    ApplyResult.ObjectResult result() {
      return new ApplyResult.ObjectResult(
          manifest, outcome, ImmutableList.copyOf(workloads), ImmutableList.copyOf(issues));
    }
  }

  ApplyResult apply(List<ManifestSource> sources) {
    state.reader().readEach(sources).forEach(this::take);
    configure();
    workloads.forEach(entry -> attempt(entry, () -> restore(entry)));
    submit();
    return new ApplyResult(
        entries.stream().map(Entry::result).collect(toImmutableList()),
        ImmutableList.copyOf(notes),
        state.takeDecisions());
  }

  /** Takes what was read of one object, and puts it where the rest of the call finds it. */
  private void take(ReadObject read) {
    if (read.problems().isEmpty() && read.manifest().isEmpty()) {
      notes.addAll(read.notes());
      return;
    }
    Entry entry = new Entry(read.manifest(), read.notes());
    entries.add(entry);
    if (read.problems().isEmpty()) {
      attempt(entry, () -> take(entry, read.configuration()));
    } else {
      entry.refuse(read.problems());
    }
  }

  private void take(Entry entry, Optional<ConfigManifest> config) {
    Manifest manifest = entry.object();
    if (manifest.is("", "Node")) {
      state.nodes().update(manifest.as(Node.class));
      configuration.put(manifest, entry);
      latest.put(config.orElseThrow().object().key(), config.get());
    } else if (config.isPresent()) {
      configuration.put(manifest, entry);
      latest.put(config.get().object().key(), config.get());
    } else if (state.references().put(manifest)) {
      entry.outcome = Outcome.REMEMBERED;
      referencesChanged = true;
    }
    if (manifest.is(KueueApiVersion.GROUP, KueueReader.WORKLOAD)) {
      workloads.add(entry);
    } else if (manifest.is("", "Pod")) {
      takePod(entry, manifest.as(Pod.class));
    } else if (state.kinds().type(manifest.group(), manifest.kind()).isPresent()) {
      jobs.put(manifest, entry);
    }
  }

  private void takePod(Entry entry, Pod pod) {
    boolean isBound =
        pod.getSpec() != null && !Strings.isNullOrEmpty(pod.getSpec().getNodeName());
    if (entry.object().name().isPresent()) {
      state.nodes().update(pod);
    }
    if (ManifestJob.isJob(pod)) {
      jobs.put(entry.object(), entry);
    } else if (isBound) {
      entry.outcome = Outcome.REMEMBERED;
    } else {
      entry.note("kind", "neither is the pod bound to a node nor does it name a queue");
    }
  }

  private void configure() {
    List<ConfigObject> objects = latest.values().stream()
        .map(ConfigManifest::object)
        .filter(object -> !(object instanceof io.kueue4j.core.model.Node))
        .toList();
    Map<String, List<Violation>> refused = state.configure(objects);
    latest.forEach((key, config) -> {
      Entry entry = configuration.get(config.manifest());
      if (entry == null) {
        return;
      }
      if (refused.containsKey(key)) {
        entry.refuse(
            refused.get(key).stream().map(violation -> issue(config, violation)).toList());
        return;
      }
      entry.outcome = Outcome.CONFIGURED;
      attempt(entry, () -> referencesChanged |= state.references().put(entry.object()));
    });
    configuration.values().stream()
        .filter(entry -> entry.outcome == Outcome.IGNORED)
        .forEach(entry -> entry.note(
            "metadata.name", "replaced: an object of that name is given again, which counts"));
  }

  private static ManifestIssue issue(ConfigManifest config, Violation violation) {
    return config.object().key().equals(violation.object())
        ? config.manifest().issue(config.origin(violation.field()), violation.problem())
        : config.manifest().issue("", "makes others invalid: " + violation);
  }

  private void restore(Entry entry) {
    if (isFinished(entry.object())) {
      entry.outcome = Outcome.REMEMBERED;
      return;
    }
    ImportedWorkload imported = state.references().read(entry.object());
    WorkloadId id = imported.workload().id();
    if (!state.isKnown(id)) {
      state.decided(imported.restoreTo(engine));
      state.put(new KnownJob(imported.workload(), Optional.empty(), Optional.empty()));
    }
    entry.issues.addAll(imported.notes());
    entry.add(id, Outcome.SUBMITTED);
  }

  private static boolean isFinished(Manifest workload) {
    return Fields.of(workload, Issues.of(workload)).object("status").objects("conditions").stream()
        .anyMatch(condition -> condition.text("type").equals(Optional.of("Finished"))
            && condition.text("status").equals(Optional.of("True")));
  }

  private void submit() {
    ImmutableList<Manifest> before = referencesChanged ? state.unresolved() : ImmutableList.of();
    if (jobs.isEmpty() && before.isEmpty()) {
      return;
    }
    JobWorkloads settings = state.workloads();
    submit(ImmutableList.copyOf(jobs.keySet()), settings);
    Set<Manifest> still = ImmutableSet.copyOf(state.unresolved());
    List<Manifest> again = before.stream().filter(still::contains).toList();
    again.forEach(
        manifest -> jobs.put(manifest, new Entry(Optional.of(manifest), ImmutableList.of())));
    submit(again, settings);
    for (Manifest manifest : again) {
      Entry entry = jobs.get(manifest);
      if (entry != null && !entry.isUnresolved()) {
        entries.add(entry);
      }
    }
  }

  /** Submits jobs one by one, then the groups that pods among them belong to. */
  private void submit(List<Manifest> manifests, JobWorkloads settings) {
    Map<String, ImmutableList<Manifest>> groups = new LinkedHashMap<>();
    for (Manifest manifest : manifests) {
      Optional<String> group = group(manifest);
      if (group.isPresent()) {
        groups.put(
            manifest.namespace().orElse("") + "/" + group.get(),
            state.addMember(group.get(), manifest));
      } else {
        submitTogether(ImmutableList.of(manifest), settings);
      }
    }
    groups.values().forEach(members -> submitTogether(members, settings));
  }

  private static Optional<String> group(Manifest manifest) {
    return manifest.is("", "Pod")
        ? Optional.of(PodGroup.nameOf(manifest.as(Pod.class))).filter(name -> !name.isEmpty())
        : Optional.empty();
  }

  /** Submits a job of one object, or of the pods of a group; some of them may be from before. */
  private void submitTogether(ImmutableList<Manifest> manifests, JobWorkloads settings) {
    List<Entry> given = new ArrayList<>();
    for (Manifest manifest : manifests) {
      Entry entry = jobs.get(manifest);
      if (entry != null) {
        given.add(entry);
      }
    }
    Entry first = given.get(0);
    attempt(
        first,
        () -> ManifestJob.findAll(manifests, state.kinds())
            .forEach(job -> submit(job.job(), first, settings)));
    given.stream().skip(1).forEach(entry -> entry.copy(first));
    given.forEach(entry -> state.setUnresolved(entry.object(), entry.isUnresolved()));
    if (first.outcome == Outcome.FINISHED) {
      group(first.object()).ifPresent(group -> state.removeGroup(group, first.object()));
    }
  }

  private void submit(HasMetadata job, Entry entry, JobWorkloads settings) {
    List<JobConversion> conversions = settings.convertAll(job);
    if (conversions.size() > MAX_WORKLOADS) {
      entry.refuse(ImmutableList.of(entry
          .object()
          .issue(
              "spec.replicas",
              conversions.size() + " workloads; expected at most " + MAX_WORKLOADS
                  + " of one job")));
      return;
    }
    boolean hasEnded = outcome(job).isPresent();
    Optional<JobSnapshot> snapshot = Optional.empty();
    for (JobConversion conversion : conversions) {
      JobConversion resolved = state.references().resolve(job, conversion);
      if (resolved instanceof JobConversion.Converted converted) {
        WorkloadId id = converted.workload().id();
        if (hasEnded) {
          state.decided(state.finish(id));
          entry.add(id, Outcome.FINISHED);
        } else {
          snapshot = snapshot.or(() -> Optional.of(editor.snapshot(job)));
          submit(converted, new KnownJob(converted.workload(), Optional.of(job), snapshot), entry);
        }
      } else if (resolved instanceof JobConversion.NotManaged notManaged) {
        entry.note("metadata", notManaged.message());
        entry.isWaiting |= notManaged.reason() == JobConversion.Reason.NO_PREBUILT_WORKLOAD;
      } else if (resolved instanceof JobConversion.Invalid invalid && !hasEnded) {
        entry.refuse(invalid.violations().stream()
            .map(violation -> entry.object().issue(violation.field(), violation.problem()))
            .toList());
      }
    }
  }

  private <J extends HasMetadata> Optional<JobKind.Outcome> outcome(J job) {
    return state.kinds().find(job).flatMap(kind -> kind.outcome(job));
  }

  private void submit(JobConversion.Converted converted, KnownJob job, Entry entry) {
    Workload workload = converted.workload();
    WorkloadId id = workload.id();
    if (engine.admission(id).isPresent()) {
      // It is the job that was started: it no longer says what it asked for.
      KnownJob running =
          state.job(id).orElseGet(() -> new KnownJob(workload, Optional.empty(), Optional.empty()));
      state.put(running.withJob(job.job().orElseThrow()));
      entry.add(id, Outcome.SUBMITTED);
      return;
    }
    boolean isKnown = state.isKnown(id);
    Map<String, Integer> ended =
        isKnown ? engine.lifecycle().status(id).reclaimablePods() : ImmutableMap.of();
    if (!ended.isEmpty() && !ended.equals(converted.reclaimablePods())) {
      // They need not fit into the pod sets of now.
      state.decided(engine.lifecycle().setReclaimablePods(id, ImmutableMap.of()));
    }
    Decisions decided = isKnown ? engine.update(workload) : engine.submit(workload);
    state.decided(decided);
    if (decided.result() instanceof AdmissionResult.Rejected rejected) {
      if (isKnown) {
        state.decided(engine.lifecycle().setReclaimablePods(id, ended));
      }
      entry.refuse(rejected.reasons().stream()
          .map(reason -> entry.object().issue("", reason.message()))
          .toList());
      return;
    }
    state.decided(engine.lifecycle().setReclaimablePods(id, converted.reclaimablePods()));
    state.put(job);
    entry.add(id, Outcome.SUBMITTED);
    for (String name : converted.unknownRuntimeClasses()) {
      entry.note(
          "spec", "there is no RuntimeClass " + name + "; its overhead is missing in the requests");
    }
  }

  /** Takes a step with one object, which is refused if the step fails. */
  private static void attempt(Entry entry, Runnable step) {
    try {
      step.run();
    } catch (ManifestException e) {
      entry.refuse(e.problems());
    } catch (InvalidConfigurationException e) {
      entry.refuse(e.violations().stream()
          .map(violation -> entry.object().issue(violation.field(), violation.problem()))
          .toList());
    } catch (IllegalArgumentException e) {
      entry.refuse(ImmutableList.of(entry.object().issue("", String.valueOf(e.getMessage()))));
    } catch (RuntimeException e) {
      // Kinds of jobs may be the caller's.
      entry.refuse(ImmutableList.of(entry.object().issue("", "cannot be used: " + e)));
    }
  }
}
