package io.kueue4j.k8s;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.internal.job.ManifestJob;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobReferences;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.JobWorkloads;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Admission of the jobs of a cluster, or of its manifests: Kubernetes objects in, edited jobs out.
 *
 * <p>It takes objects of any kind, in any order, as text or as live objects of a client, and finds
 * what refers to what: queues, flavors and the rest of the configuration go to the engine; priority
 * classes, LimitRanges, RuntimeClasses, claims, training runtimes and Kueue's Configuration are
 * known for the jobs that refer to them; nodes count with what other pods take of them; jobs become
 * workloads in their queues; Workloads that Kueue has stored go on where they stood.
 *
 * <pre>{@code
 * KubernetesAdmission admission = KubernetesAdmission.create();
 * ApplyResult result = admission.apply(ManifestSource.of(Path.of("queues.yaml")));
 * result.refused().forEach(System.err::println);
 * admission.apply(ManifestSource.of(client.batch().v1().jobs().list().getItems())).throwIfRefused();
 *
 * Decisions cycle = admission.engine().runCycle();
 * cycle.admitted().forEach(admitted -> write(admission.start(admitted.workload())));
 * cycle.mustStop().forEach(workload -> write(admission.stop(workload)));
 * }</pre>
 *
 * <p>An object that is wrong never keeps others from being applied: {@link ApplyResult} lists each
 * object with what was done, or why it was refused. Decisions are made by the {@link #engine()};
 * queries, cycles, and what happens to workloads later are its calls.
 *
 * <p>The pieces may be used by themselves: {@link ManifestReader} reads objects,
 * {@link ConfigurationBatch} applies configuration, {@link JobReferences} knows what jobs refer to,
 * {@link ManifestJob} finds jobs, {@link JobWorkloads} converts and {@link JobEditor} starts and
 * stops them.
 *
 * <p>No client, no threads. Not thread-safe; the engine is.
 *
 * @since 0.1.0
 */
public final class KubernetesAdmission {
  private final AdmissionEngine engine;
  private final ClusterState state;
  private final JobEditor editor;

  private KubernetesAdmission(Builder builder) {
    engine = builder.engine.orElseGet(AdmissionEngine::create);
    state = new ClusterState(
        engine,
        JobReferences.create(engine.settings(), builder.jobKinds.build()),
        builder.defaultNamespace,
        builder.jobSettings,
        builder.tpuSlices);
    editor = JobEditor.of(state.kinds());
  }

  /** {@return one with an engine of its own and the defaults of {@link Builder}} */
  public static KubernetesAdmission create() {
    return builder().build();
  }

  /** {@return a new builder} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the engine that decides; jobs are submitted to it by {@link #apply}}
   *
   * <p>Use {@link #finish} in place of the engine's call, so that the job is forgotten here, too.
   */
  public AdmissionEngine engine() {
    return engine;
  }

  /**
   * Adds or replaces live objects, in any order: configuration is applied, stored Workloads are
   * restored, and jobs are submitted. See {@link #apply(List)} for the details.
   *
   * @return what was done with each object, such as why it was refused
   * @throws NullPointerException if one is null
   * @throws RuntimeException what {@link Builder#jobSettings} throws when jobs are converted
   */
  public ApplyResult apply(HasMetadata... objects) {
    return apply(ManifestSource.of(objects));
  }

  /**
   * Adds or replaces the objects of the sources, in any order: configuration is applied, stored
   * Workloads are restored, and jobs are submitted. See {@link #apply(List)} for the details.
   *
   * @return what was done with each object, such as why it was refused
   * @throws NullPointerException if one is null
   * @throws RuntimeException what {@link Builder#jobSettings} throws when jobs are converted
   */
  public ApplyResult apply(ManifestSource... sources) {
    return apply(ImmutableList.copyOf(sources));
  }

  /**
   * Adds or replaces objects. Neither the order of the sources nor the order of the objects in them
   * matters, but of several objects of one kind, namespace and name the last counts.
   *
   * <p>Configuration is applied first, as far as it is valid, in one step; then Workloads are
   * restored, then jobs submitted. A job that is known and waits is read again. A job that holds
   * quota is taken for the one that was started, and remembered as it is now. One that has ended
   * gives its quota back. A job that was refused, or whose Workload did not exist, is tried again
   * by each later call that brings objects which jobs refer to.
   *
   * <p>A text that is not YAML is refused as a whole.
   *
   * @return what was done with each object; an object that is wrong is refused and causes no
   *     exception
   * @throws NullPointerException if one is null
   * @throws RuntimeException what {@link Builder#jobSettings} throws when jobs are converted;
   *     configuration has been applied and Workloads have been restored then
   */
  public ApplyResult apply(List<ManifestSource> sources) {
    return new ApplyCall(state, editor).apply(sources);
  }

  /**
   * Deletes objects that are no longer in the cluster, such as a watch reports. A job leaves the
   * engine, and its quota is free; a pod or node counts no more.
   *
   * @param objects the objects as they were; only kind, namespace and name matter, but for pods and
   *     nodes, of which another with the same name and a later uid stays
   * @return what was done with each object; refused is configuration that something still needs,
   *     such as a ClusterQueue with workloads that hold its quota
   * @throws NullPointerException if one is null
   */
  public ApplyResult delete(HasMetadata... objects) {
    return new DeleteCall(state).delete(ManifestSource.of(objects));
  }

  /**
   * {@return the settings by which jobs are converted, with all objects that jobs refer to and that
   * have been applied so far}
   *
   * <p>They are needed to write the Workload object of a job, which a controller stores to go on
   * after a restart:
   *
   * <pre>{@code
   * AdmissionEngine engine = admission.engine();
   * Workload workload = engine.workload(id).orElseThrow();
   * GenericKubernetesResource object = WorkloadWriter.of(
   *         KueueApiVersion.V1BETA2, admission.jobWorkloads())
   *     .write(admission.job(id).orElseThrow(), workload);
   * store(WorkloadStatusWriter.write(
   *     object, workload, engine.lifecycle().status(id), engine.admission(id)));
   * }</pre>
   *
   * @throws RuntimeException what {@link Builder#jobSettings} throws
   */
  public JobWorkloads jobWorkloads() {
    return state.workloads();
  }

  /**
   * {@return the job of a workload as it was applied last, absent if there is none}
   *
   * <p>The pods of one group are a {@link io.kueue4j.k8s.job.PodGroup}.
   */
  public Optional<HasMetadata> job(WorkloadId workload) {
    return state.job(workload).flatMap(KnownJob::job);
  }

  /**
   * {@return a copy of the job of an admitted workload that may run as admitted: not suspended, on
   * the nodes of its flavors, with the number of pods that it was given; to be written to the
   * cluster}
   *
   * @param workload a workload that was admitted
   * @throws IllegalArgumentException if no job of this workload has been applied
   * @throws IllegalStateException if the workload is not admitted, or has to stop
   * @throws JobStartException if the job has other pod sets than the admission or sets a node label
   *     to another value, or if its pods are started in its place, as the pods of a Deployment
   */
  public HasMetadata start(WorkloadId workload) {
    KnownJob known = state.requireJob(workload);
    WorkloadStatus status = engine.lifecycle().status(workload);
    Optional<Admission> admission = engine.admission(workload);
    checkState(
        admission.isPresent()
            && status.isTrue(ConditionType.ADMITTED)
            && !status.isTrue(ConditionType.EVICTED),
        "workload %s is not admitted, or has to stop; start it when a cycle has admitted it",
        workload);
    return editor.start(
        known.job().orElseThrow(), known.workload(), admission.get(), state.flavors());
  }

  /**
   * {@return a copy of the job of a workload that is suspended and as it was before its start, to
   * be written to the cluster; call {@link AdmissionEngine#podsStopped} when its pods have stopped}
   *
   * <p>If the job was applied for the first time while it held quota already, as after a restart,
   * what it was before is not known here: the copy is suspended and otherwise unchanged.
   * {@link JobEditor#stop} takes a snapshot that was stored.
   *
   * @throws IllegalArgumentException if no job of this workload has been applied
   * @throws JobStartException if the pod sets of the job have changed since its start, or if it is
   *     pods, which are stopped by deleting them
   */
  public HasMetadata stop(WorkloadId workload) {
    KnownJob known = state.requireJob(workload);
    HasMetadata job = known.job().orElseThrow();
    return known
        .before()
        .map(before -> editor.stop(job, before))
        .orElseGet(() -> editor.suspend(job));
  }

  /**
   * Reports that a workload has finished, successfully or not: it leaves the engine and its quota
   * is free.
   *
   * @return the decisions that follow, as of {@link AdmissionEngine#finish}
   */
  @CanIgnoreReturnValue
  public Decisions finish(WorkloadId workload) {
    return state.finish(workload);
  }

  /** Builds {@link KubernetesAdmission}s; not thread-safe. */
  public static final class Builder {
    private final ImmutableList.Builder<JobKind<?>> jobKinds = ImmutableList.builder();
    private Optional<AdmissionEngine> engine = Optional.empty();
    private String defaultNamespace = "default";
    private Consumer<? super JobWorkloads.Builder> jobSettings = settings -> {};
    private boolean tpuSlices;

    private Builder() {}

    /**
     * Sets the engine that decides; unless set, each has one of its own with Kueue's defaults. The
     * engine may have configuration and workloads already, but flavors of jobs that are to be
     * started have to be applied here.
     */
    @CanIgnoreReturnValue
    public Builder engine(AdmissionEngine engine) {
      this.engine = Optional.of(engine);
      return this;
    }

    /**
     * Adds a kind of jobs to the kinds of {@link JobKinds#all()}.
     *
     * @param kind a kind that is not among them; two of one group and kind make {@link #build} fail
     */
    @CanIgnoreReturnValue
    public Builder addJobKind(JobKind<?> kind) {
      jobKinds.add(checkNotNull(kind, "kind"));
      return this;
    }

    /**
     * Sets the namespace of objects that name none; {@code default} unless set.
     *
     * @throws IllegalArgumentException if it is empty
     */
    @CanIgnoreReturnValue
    public Builder defaultNamespace(String namespace) {
      checkArgument(!namespace.isEmpty(), "the default namespace is empty, expected a name");
      defaultNamespace = namespace;
      return this;
    }

    /**
     * Sets what changes further settings of how jobs are converted, nothing unless set.
     *
     * @param jobSettings receives a builder that knows the objects that jobs refer to; called by
     *     {@link KubernetesAdmission#apply(List)} and {@link KubernetesAdmission#jobWorkloads},
     *     which throw what it throws
     */
    @CanIgnoreReturnValue
    public Builder jobSettings(Consumer<? super JobWorkloads.Builder> jobSettings) {
      this.jobSettings = jobSettings;
      return this;
    }

    /**
     * Sets whether TPU chips are given as slices: nodes with GKE's labels make up pools, and jobs
     * ask for slices of them; {@code false} unless set.
     */
    @CanIgnoreReturnValue
    public Builder tpuSlices(boolean tpuSlices) {
      this.tpuSlices = tpuSlices;
      return this;
    }

    /**
     * {@return the admission, without any object}
     *
     * @throws IllegalArgumentException if a kind of jobs was added that is known already
     */
    public KubernetesAdmission build() {
      return new KubernetesAdmission(this);
    }
  }
}
