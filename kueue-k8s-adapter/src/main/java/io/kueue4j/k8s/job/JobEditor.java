package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Starts and stops jobs with pure functions: each returns an edited copy, which the caller writes
 * to the cluster, and never modifies its argument.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * JobEditor editor = JobEditor.of(JobKinds.standard());
 * JobSnapshot before = editor.snapshot(job);                            // keep it
 * Job started = editor.start(job, workload, admission, flavors);
 * Job stopped = editor.stop(started, before);                           // equal to job
 * }</pre>
 *
 * <p>Every method throws {@link IllegalArgumentException} for a job of an unknown kind, and
 * {@link io.kueue4j.core.model.InvalidConfigurationException} for a job whose pod sets cannot be
 * read.
 *
 * @since 0.1.0
 */
public final class JobEditor {
  private final JobKinds kinds;
  private final boolean gatesSlices;

  private JobEditor(JobKinds kinds, boolean gatesSlices) {
    this.kinds = kinds;
    this.gatesSlices = gatesSlices;
  }

  /** {@return an editor for jobs of these kinds} */
  public static JobEditor of(JobKinds kinds) {
    return new JobEditor(kinds, false);
  }

  /**
   * {@return an editor for a cluster: a start changes only what the API server lets change}
   *
   * <p>The affinity of a JobSet is immutable. If pods of a JobSet are assigned several TPU slices,
   * its template gets the scheduling gate {@code kueue4j.io/tpu-slices} instead, and the caller
   * adds the affinity to each pod by {@link #releaseSlicePods}.
   */
  public JobEditor withSliceGates() {
    return new JobEditor(kinds, true);
  }

  /**
   * {@return copies of the pods with the scheduling gate {@code kueue4j.io/tpu-slices}, without it,
   * which select the nodes of the slices of their pod set; pods of pod sets without slices stay
   * gated and are absent}
   *
   * <p>A pure function: call it with all pods of the workload whenever a new one appears.
   *
   * @param admission the admission of the workload of the pods
   * @param pods the pods of the workload, labelled with their pod set
   */
  public static List<Pod> releaseSlicePods(Admission admission, Iterable<? extends Pod> pods) {
    return SlicePods.release(admission, pods);
  }

  /**
   * {@return the parts of {@code job} that a start may change, for {@link #stop}; take it before
   * the start}
   *
   * @throws IllegalArgumentException if the kind of the job is not among the kinds of this editor
   */
  public <J extends HasMetadata> JobSnapshot snapshot(J job) {
    JobKind<J> kind = kinds.get(job);
    return new JobSnapshot(
        kind.podSets(job).stream()
            .map(PodTemplateEditor::snapshot)
            .collect(ImmutableList.toImmutableList()),
        kind.savedFields(job));
  }

  /**
   * {@return a copy of {@code job} that may run as admitted, for a workload without admission
   * checks that want something of its pods}
   *
   * <p>As {@link #start(HasMetadata, Workload, Admission, Map, List)} without updates.
   *
   * @param flavors the flavors by name, at least the flavors of the admission
   * @throws JobStartException as there
   * @throws IllegalArgumentException as there
   */
  public <J extends HasMetadata> J start(
      J job, Workload workload, Admission admission, Map<String, ResourceFlavor> flavors) {
    return start(job, workload, admission, flavors, ImmutableList.of());
  }

  /**
   * {@return a copy of {@code job} that may run as admitted}
   *
   * <p>The copy is not suspended. Each pod template has the node labels of its flavors in the node
   * selector, their tolerations, labels with the pod set and the queues, and an annotation with the
   * workload. Pods with assigned domains have a scheduling gate, which is removed when
   * {@link PodPlacer} has assigned a domain to each. Pods on TPU slices select the node pools or
   * partitions of these by the node selector, or by required node affinity if there are several.
   * Then follows what admission checks add, such as the annotations by which an autoscaler finds
   * the pods of its request. If the job accepts fewer pods than it requests, it is changed to
   * request the admitted number.
   *
   * @param flavors the flavors by name, at least the flavors of the admission
   * @param updates what the admission checks of the workload add to its pods
   *     ({@link io.kueue4j.core.model.AdmissionCheckState#podSetUpdates}); updates of other pod
   *     sets are ignored
   * @throws JobStartException if the pod sets of job and admission differ, if a label, annotation
   *     or selected node label exists with another value, or if the pods of the job are started and
   *     not the job itself
   * @throws IllegalArgumentException if the admission is of another workload, or one of its flavors
   *     is missing
   */
  public <J extends HasMetadata> J start(
      J job,
      Workload workload,
      Admission admission,
      Map<String, ResourceFlavor> flavors,
      List<PodSetUpdate> updates) {
    checkArgument(
        admission.workload().equals(workload.id()),
        "the admission is of workload %s, expected one of %s",
        admission.workload(),
        workload.id());
    JobKind<J> kind = kinds.get(job);
    if (kind.startsByPods()) {
      throw JobStartException.startsByPods(JobMetadata.describe(job));
    }
    List<JobPodSet> podSets = kind.podSets(job);
    // Pod sets of a group are admitted together, so the order in the admission may differ.
    Map<String, PodSetAssignment> assignments =
        Maps.uniqueIndex(admission.podSetAssignments(), PodSetAssignment::name);
    List<String> names = Lists.transform(podSets, JobPodSet::name);
    boolean same = assignments.keySet().equals(ImmutableSet.copyOf(names));
    checkPodSets(
        job, podSets, "the admission", same ? names : ImmutableList.copyOf(assignments.keySet()));
    ImmutableList.Builder<JobPodSet> started = ImmutableList.builder();
    for (int i = 0; i < podSets.size(); i++) {
      PodSetAssignment assignment =
          Objects.requireNonNull(assignments.get(podSets.get(i).name()));
      PodSetInfo info = PodSetInfo.of(
          workload,
          admission,
          assignment,
          flavors,
          updates,
          gatesSlices && !kind.acceptsAffinity());
      JobPodSet edited = podSets.get(i).withTemplate(PodTemplateEditor.start(podSets.get(i), info));
      started.add(
          edited.minCount().isPresent() ? kind.resize(job, edited, assignment.count()) : edited);
    }
    return kind.withSuspend(kind.withPodSets(job, started.build()), false);
  }

  /**
   * {@return a copy of {@code job} that is suspended and restored to {@code snapshot}}
   *
   * <p>Labels, annotations, node selector, tolerations, scheduling gates, affinity and counts are
   * replaced as a whole, so nothing of the start remains. Labels set by the controller of the job
   * are kept.
   *
   * <p>The API server lets the templates of a batch Job change only while it is suspended and has
   * no start time: a controller writes {@link #suspend} first, then clears
   * {@code status.startTime}, then writes the rest.
   *
   * @throws JobStartException if the pod sets of job and snapshot differ, in which case
   *     {@link #suspend} still works; or if the job consists of pods, which are stopped by deletion
   * @throws IllegalArgumentException if the kind of the job is not among the kinds of this editor
   */
  public <J extends HasMetadata> J stop(J job, JobSnapshot snapshot) {
    JobKind<J> kind = stoppable(job);
    List<JobPodSet> podSets = kind.podSets(job);
    checkPodSets(
        job,
        podSets,
        "the snapshot",
        Lists.transform(snapshot.podSets(), JobSnapshot.PodTemplate::name));
    ImmutableList.Builder<JobPodSet> restored = ImmutableList.builder();
    for (int i = 0; i < podSets.size(); i++) {
      JobSnapshot.PodTemplate before = snapshot.podSets().get(i);
      JobPodSet edited = podSets
          .get(i)
          .withTemplate(
              PodTemplateEditor.restore(podSets.get(i).template(), before, kind.managedLabels()));
      restored.add(before.counts().map(edited::withCounts).orElse(edited));
    }
    J stopped = kind.withSavedFields(kind.withPodSets(job, restored.build()), snapshot.fields());
    return kind.withSuspend(stopped, true);
  }

  /**
   * {@return a copy of {@code job} that is suspended and otherwise unchanged}
   *
   * <p>For pods that do not run yet, and for templates of pods that are started one by one, the
   * copy has the form in which pods wait: with a scheduling gate, and the labels and annotations
   * for their admission.
   *
   * @throws JobStartException if the job is a running pod, or a group with one
   * @throws IllegalArgumentException if the kind of the job is not among the kinds of this editor
   */
  public <J extends HasMetadata> J suspend(J job) {
    JobKind<J> kind = kinds.get(job);
    if (!kind.isStoppable() && !kind.isSuspended(job)) {
      throw JobStartException.notStoppable(JobMetadata.describe(job));
    }
    return kind.withSuspend(job, true);
  }

  private <J extends HasMetadata> JobKind<J> stoppable(J job) {
    JobKind<J> kind = kinds.get(job);
    if (!kind.isStoppable()) {
      throw JobStartException.notStoppable(JobMetadata.describe(job));
    }
    return kind;
  }

  private static void checkPodSets(
      HasMetadata job, List<JobPodSet> podSets, String source, List<String> expected) {
    List<String> names = Lists.transform(podSets, JobPodSet::name);
    if (!names.equals(expected)) {
      throw JobStartException.podSetsDiffer(JobMetadata.describe(job), names, source, expected);
    }
  }
}
