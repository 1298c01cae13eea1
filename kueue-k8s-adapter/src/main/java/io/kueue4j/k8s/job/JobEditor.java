package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Starts and stops jobs by pure functions: each returns an edited copy, which the caller writes to
 * the cluster, and never modifies its argument.
 *
 * <p>Immutable and safe for several threads.
 *
 * <pre>{@code
 * JobEditor editor = JobEditor.of(JobKinds.standard());
 * JobSnapshot before = editor.snapshot(job);                            // keep it
 * Job started = editor.start(job, workload, admission, flavors);
 * Job stopped = editor.stop(started, before);                           // equal to job
 * }</pre>
 *
 * <p>Every method throws {@link IllegalArgumentException} for a job of a kind that is not known,
 * and {@link io.kueue4j.core.model.InvalidConfigurationException} for one whose pod sets cannot be
 * read.
 */
public final class JobEditor {
  private final JobKinds kinds;

  private JobEditor(JobKinds kinds) {
    this.kinds = kinds;
  }

  /** {@return the editor of jobs of these kinds} */
  public static JobEditor of(JobKinds kinds) {
    return new JobEditor(kinds);
  }

  /**
   * {@return what a start may change of {@code job}, for {@link #stop}; take it before the start}
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
   * {@return a copy of {@code job} that may run as admitted}
   *
   * <p>The copy is not suspended. Each pod template has the node labels of its flavors in the node
   * selector, their tolerations, labels that name pod set and queues, and an annotation that names
   * the workload. Pods that were given domains have a scheduling gate, which is taken away when
   * {@link PodPlacer} has said where each goes. Pods on TPU slices select the node pools or
   * partitions of these, by the node selector, or by required node affinity if there are several.
   * If the job takes fewer pods than it asks for, it asks for those admitted.
   *
   * @param flavors the flavors by name, at least those of the admission
   * @throws JobStartException if the pod sets of job and admission differ, if a label, annotation
   *     or selected node label is there with another value, or if the job is not started itself but
   *     its pods
   * @throws IllegalArgumentException if the admission is of another workload, or a flavor of it is
   *     missing
   */
  public <J extends HasMetadata> J start(
      J job, Workload workload, Admission admission, Map<String, ResourceFlavor> flavors) {
    checkArgument(
        admission.workload().equals(workload.id()),
        "the admission is of workload %s, expected one of %s",
        admission.workload(),
        workload.id());
    JobKind<J> kind = kinds.get(job);
    if (kind.startsByPods()) {
      throw JobStartException.startsByPods(JobMetadata.describe(job));
    }
    ImmutableList<JobPodSet> podSets = kind.podSets(job);
    // Those of a pod set group are admitted together, so the admission may have an order of its
    // own.
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
      PodSetInfo info = PodSetInfo.of(workload, admission, assignment, flavors);
      JobPodSet edited = podSets.get(i).withTemplate(PodTemplateEditor.start(podSets.get(i), info));
      started.add(
          edited.minCount().isPresent() ? kind.resize(job, edited, assignment.count()) : edited);
    }
    return kind.withSuspend(kind.withPodSets(job, started.build()), false);
  }

  /**
   * {@return a copy of {@code job} that is suspended and as it was when {@code snapshot} was taken}
   *
   * <p>Labels, annotations, node selector, tolerations, scheduling gates, affinity and counts are
   * replaced, not undone one by one, so that nothing is left of a start. Labels that the controller
   * of the job has set stay.
   *
   * <p>The API server lets the templates of a batch Job change only while it is suspended and has
   * no start time: a controller writes {@link #suspend} first, clears {@code status.startTime}, and
   * writes the rest then.
   *
   * @throws JobStartException if the pod sets of job and snapshot differ, in which case
   *     {@link #suspend} still works; or if the job is pods, which are stopped by deleting them
   */
  public <J extends HasMetadata> J stop(J job, JobSnapshot snapshot) {
    JobKind<J> kind = stoppable(job);
    ImmutableList<JobPodSet> podSets = kind.podSets(job);
    checkPodSets(
        job,
        podSets,
        "the snapshot",
        Lists.transform(snapshot.podSets(), PodTemplateSnapshot::name));
    ImmutableList.Builder<JobPodSet> restored = ImmutableList.builder();
    for (int i = 0; i < podSets.size(); i++) {
      PodTemplateSnapshot before = snapshot.podSets().get(i);
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
   * {@return a copy of {@code job} that is suspended and otherwise the same}
   *
   * <p>Of pods that do not run yet, and templates of pods that are started one by one, this is the
   * form in which they wait: with a scheduling gate, and labels and annotations that say for what.
   *
   * @throws JobStartException if the job is a pod that runs, or a group with such
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
      HasMetadata job, ImmutableList<JobPodSet> podSets, String source, List<String> expected) {
    List<String> names = Lists.transform(podSets, JobPodSet::name);
    if (!names.equals(expected)) {
      throw JobStartException.podSetsDiffer(JobMetadata.describe(job), names, source, expected);
    }
  }
}
