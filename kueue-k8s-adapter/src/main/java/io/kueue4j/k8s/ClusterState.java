package io.kueue4j.k8s;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobReferences;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.topology.NodeTracker;
import io.kueue4j.k8s.topology.TpuNodePools;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What a {@link KubernetesAdmission} knows between two calls. */
final class ClusterState {
  /** What the engine has decided in the current call. */
  private Decisions decisions = Decisions.none();

  private final AdmissionEngine engine;
  private final JobReferences references;
  private final ManifestReader reader;
  private final String defaultNamespace;
  private final Consumer<? super JobWorkloads.Builder> jobSettings;
  private final boolean tpuSlices;
  private final UnaryOperator<String> nameGenerator =
      JobWorkloads.builder().build().nameGenerator();
  private final NodeTracker nodes = NodeTracker.create();
  private final Map<String, ConfigObject> configuration = new LinkedHashMap<>();
  private final Map<WorkloadId, KnownJob> jobs = new LinkedHashMap<>();
  private final SetMultimap<String, WorkloadId> workloadsOfJobs = LinkedHashMultimap.create();
  private final Map<String, Map<String, Manifest>> podGroups = new LinkedHashMap<>();
  private final Map<String, Manifest> unresolved = new LinkedHashMap<>();

  ClusterState(
      AdmissionEngine engine,
      JobReferences references,
      String defaultNamespace,
      Consumer<? super JobWorkloads.Builder> jobSettings,
      boolean tpuSlices) {
    this.engine = engine;
    this.references = references;
    this.defaultNamespace = defaultNamespace;
    this.jobSettings = jobSettings;
    this.tpuSlices = tpuSlices;
    reader = ManifestReader.builder()
        .jobKinds(references.kinds())
        .defaultNamespace(defaultNamespace)
        .noteUnusedKinds(true)
        .build();
  }

  AdmissionEngine engine() {
    return engine;
  }

  JobReferences references() {
    return references;
  }

  ManifestReader reader() {
    return reader;
  }

  NodeTracker nodes() {
    return nodes;
  }

  JobKinds kinds() {
    return references.kinds();
  }

  /** {@return the settings to convert jobs with, which know all objects so far} */
  JobWorkloads workloads() {
    JobWorkloads.Builder settings = references
        .workloads()
        .defaultNamespace(defaultNamespace)
        .tpuSlices(tpuSlices)
        .nameGenerator(nameGenerator);
    jobSettings.accept(settings);
    return settings.build();
  }

  /**
   * Applies configuration, and the nodes that have changed.
   *
   * @return the rules that objects break, by their keys
   */
  Map<String, List<Violation>> configure(Collection<ConfigObject> changed) {
    List<ConfigObject> objects = new ArrayList<>(changed);
    boolean areNodesGone = false;
    for (String name : nodes.changedNodes()) {
      nodes.node(name).ifPresent(objects::add);
      areNodesGone |= nodes.node(name).isEmpty() && configuration.remove("Node " + name) != null;
    }
    if (areNodesGone && tpuSlices) {
      // Their pools are made anew, of the nodes that are left.
      objects.addAll(0, flavors().values());
    }
    Map<String, List<Violation>> refused = ConfigurationBatch.apply(
        engine,
        objects,
        given -> tpuSlices ? TpuNodePools.configure(configuration, given) : given,
        this::decided);
    objects.stream()
        .filter(object -> !refused.containsKey(object.key()))
        .forEach(object -> configuration.put(object.key(), object));
    nodes.applyTo(engine, this::decided);
    return refused;
  }

  /** Keeps decisions until the current call returns them. */
  void decided(Decisions more) {
    decisions = decisions.and(Decisions.of(more.all()));
  }

  /** {@return what the engine has decided because of changes} */
  Decisions takeDecisions() {
    Decisions taken = decisions;
    decisions = Decisions.none();
    return taken;
  }

  /** Applies the nodes that have changed. */
  void configureNodes() {
    Map<String, List<Violation>> unused = configure(ImmutableList.of());
  }

  /** {@return the flavors by name} */
  ImmutableMap<String, ResourceFlavor> flavors() {
    return configuration.values().stream()
        .filter(ResourceFlavor.class::isInstance)
        .map(ResourceFlavor.class::cast)
        .collect(ImmutableMap.toImmutableMap(ResourceFlavor::name, flavor -> flavor));
  }

  /** {@return a workload and its job, absent if it did not come from here} */
  Optional<KnownJob> job(WorkloadId workload) {
    return Optional.ofNullable(jobs.get(workload));
  }

  /**
   * {@return a workload with its job}
   *
   * @throws IllegalArgumentException if there is no job of this workload
   */
  KnownJob requireJob(WorkloadId workload) {
    return job(workload)
        .filter(known -> known.job().isPresent())
        .orElseThrow(() -> new IllegalArgumentException("there is no job of workload " + workload
            + "; expected a workload of a job that was applied"));
  }

  /** {@return the workloads of a job, or of a Workload that jobs may have in common} */
  ImmutableList<WorkloadId> workloads(Manifest object) {
    if (object.is(KueueApiVersion.GROUP, KueueReader.WORKLOAD)) {
      return ImmutableList.of(
          WorkloadId.of(object.namespace().orElse(""), object.name().orElse("")));
    }
    return ImmutableList.copyOf(workloadsOfJobs.get(key(
        object.group(),
        object.kind(),
        object.namespace().orElse(""),
        object.name().orElse(""))));
  }

  /** {@return the configuration object with that key, absent if none was applied} */
  Optional<ConfigObject> configuration(String key) {
    return Optional.ofNullable(configuration.get(key));
  }

  /**
   * Removes a configuration object.
   *
   * @throws IllegalStateException if something needs it; nothing has changed
   */
  void remove(ConfigObject object) {
    decided(engine.remove(object));
    configuration.remove(object.key());
  }

  void put(KnownJob job) {
    WorkloadId id = job.workload().id();
    forget(id);
    jobs.put(id, job);
    job.job().ifPresent(object -> workloadsOfJobs.put(key(object), id));
  }

  private void forget(WorkloadId workload) {
    KnownJob known = jobs.remove(workload);
    if (known != null) {
      known.job().ifPresent(object -> workloadsOfJobs.remove(key(object), workload));
    }
  }

  /** {@return whether the workload was known} */
  boolean delete(WorkloadId workload) {
    forget(workload);
    Decisions deleted = engine.delete(workload);
    decided(deleted);
    return !deleted.removed().isEmpty();
  }

  Decisions finish(WorkloadId workload) {
    forget(workload);
    return engine.finish(workload);
  }

  private String key(HasMetadata job) {
    String apiVersion = Strings.nullToEmpty(job.getApiVersion());
    int slash = apiVersion.indexOf('/');
    ObjectMeta metadata = Objects.requireNonNullElseGet(job.getMetadata(), ObjectMeta::new);
    String namespace = Strings.nullToEmpty(metadata.getNamespace());
    return key(
        slash < 0 ? "" : apiVersion.substring(0, slash),
        Strings.nullToEmpty(job.getKind()),
        namespace.isEmpty() ? defaultNamespace : namespace,
        Strings.nullToEmpty(metadata.getName()));
  }

  private static String key(String group, String kind, String namespace, String name) {
    return group + "/" + kind + " " + namespace + "/" + name;
  }

  /** {@return whether the engine knows a workload, which may have left it without a call here} */
  boolean isKnown(WorkloadId workload) {
    boolean known = engine.workload(workload).isPresent();
    if (!known) {
      forget(workload);
    }
    return known;
  }

  /**
   * Adds a pod to its group.
   *
   * @return all pods of the group that have been applied
   */
  ImmutableList<Manifest> addMember(String group, Manifest pod) {
    Map<String, Manifest> members =
        podGroups.computeIfAbsent(groupKey(group, pod), key -> new LinkedHashMap<>());
    members.put(pod.name().orElse("pod " + members.size()), pod);
    return ImmutableList.copyOf(members.values());
  }

  /** Forgets a pod of a group. */
  void removeMember(String group, Manifest pod) {
    Map<String, Manifest> members = podGroups.get(groupKey(group, pod));
    if (members != null && members.remove(pod.name().orElse("")) != null && members.isEmpty()) {
      removeGroup(group, pod);
    }
  }

  /** Forgets the group of a pod. */
  void removeGroup(String group, Manifest pod) {
    podGroups.remove(groupKey(group, pod));
  }

  private static String groupKey(String group, Manifest pod) {
    return pod.namespace().orElse("") + "/" + group;
  }

  /** Remembers, or forgets, a job that could not be submitted and may be when more is known. */
  void setUnresolved(Manifest job, boolean isUnresolved) {
    if (job.name().isEmpty()) {
      return;
    }
    String key =
        key(job.group(), job.kind(), job.namespace().orElse(""), job.name().get());
    if (isUnresolved) {
      unresolved.put(key, job);
    } else {
      unresolved.remove(key);
    }
  }

  ImmutableList<Manifest> unresolved() {
    return ImmutableList.copyOf(unresolved.values());
  }
}
