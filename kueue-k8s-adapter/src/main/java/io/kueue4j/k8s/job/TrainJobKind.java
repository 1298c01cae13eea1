package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * TrainJobs of {@code trainer.kubeflow.org}: the pod sets of the JobSet in the runtime that a job
 * refers to; the paths of their templates are paths in the runtime. A start writes a patch of the
 * runtime into the job, which belongs to Kueue. Rules: J-15.
 */
final class TrainJobKind extends GenericJobKind {
  /** The manager that owns the patch. */
  static final String MANAGER = "kueue.x-k8s.io/manager";

  private static final RawPath PATCHES = RawPath.of("spec.runtimePatches");
  private static final String JOBS = "trainingRuntimeSpec.template.spec.replicatedJobs";
  private static final RawPath STATUSES = RawPath.of("status.jobsStatus");

  private final JobKinds.TrainingRuntimes runtimes;

  TrainJobKind(JobKinds.TrainingRuntimes runtimes) {
    super("trainer.kubeflow.org", "TrainJob", RawPath.of("spec.suspend"));
    this.runtimes = runtimes;
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    ImmutableList<TrainingPods.Replicated> jobs = jobs(fields);
    RawPath patch = patch(fields.root());
    List<String> patched = TrainingPatches.order(fields.items(patch.fields(JOBS)), jobs);
    List<Object> content = TrainingPatches.named(patched);
    boolean written = RawTree.get(fields.root(), patch) != null;
    ImmutableList.Builder<PlacedPodSet> placed = ImmutableList.builder();
    for (TrainingPods.Replicated job : jobs) {
      RawPath template =
          patch.fields(JOBS).item(patched.indexOf(job.name())).fields("template.spec.template");
      InjectionPlace place = InjectionPlace.patch(template, job.template());
      placed.add(new PlacedPodSet(
          job.podSet(withPatch(fields, template, job.template())),
          written
              ? place.withSkeleton(patch.fields(JOBS), content)
              : place.withSkeleton(patch, TrainingPatches.of(content))));
    }
    return placed.build();
  }

  /** {@return the skeletons, last jobs of the patch first, so that removing one moves no other} */
  @Override
  ImmutableList<RawPath> alsoMade(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    RawPath patch = patch(root(job));
    RawPath patched = patch.fields(JOBS);
    ImmutableList.Builder<RawPath> made = ImmutableList.builder();
    for (int i = TrainingPatches.order(fields.items(patched), jobs(fields)).size(); i > 0; i--) {
      made.add(patched.item(i - 1));
    }
    return made.add(patched, patch).build();
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return true;
  }

  @Override
  public Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
    return DeclaredJobKind.StatusCheck.condition("Complete")
        .find(root(job))
        .map(message -> new JobKind.Outcome(true, message))
        .or(() -> DeclaredJobKind.StatusCheck.condition("Failed")
            .find(root(job))
            .map(message -> new JobKind.Outcome(false, message)));
  }

  @Override
  public boolean isActive(GenericKubernetesResource job) {
    return DeclaredJobKind.StatusCheck.positive("status.jobsStatus.*.active").holds(root(job));
  }

  /** {@return whether all jobs are ready} Counts jobs, not pods, as for JobSets. */
  @Override
  public boolean podsReady(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    long wanted =
        jobs(fields).stream().mapToLong(TrainingPods.Replicated::replicas).sum();
    long ready = 0;
    for (int i = 0; i < fields.items(STATUSES).size(); i++) {
      ready += fields.count(STATUSES.item(i).field("ready")).orElse(0)
          + fields.count(STATUSES.item(i).field("succeeded")).orElse(0);
    }
    return wanted > 0 && wanted == ready;
  }

  @Override
  public ImmutableSortedMap<String, Integer> reclaimablePods(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    Map<String, Integer> reclaimable = new TreeMap<>();
    for (TrainingPods.Replicated replicated : jobs(fields)) {
      for (int i = 0; i < fields.items(STATUSES).size(); i++) {
        RawPath status = STATUSES.item(i);
        int succeeded = fields.count(status.field("succeeded")).orElse(0);
        if (fields.text(status.field("name")).orElse("").equals(replicated.name())
            && succeeded > 0
            && succeeded <= replicated.replicas()) {
          reclaimable.put(
              replicated.podSetName(), PodCounts.product(succeeded, replicated.podsPerJob()));
        }
      }
    }
    return ImmutableSortedMap.copyOf(reclaimable);
  }

  private ImmutableList<TrainingPods.Replicated> jobs(JobFields fields) {
    RawPath reference = RawPath.of("spec.runtimeRef");
    String kind = fields
        .text(reference.field("kind"))
        .orElse(JobKinds.TrainingRuntimes.CLUSTER_TRAINING_RUNTIME);
    String name = fields.text(reference.field("name")).orElse("");
    Optional<GenericKubernetesResource> runtime = runtimes.find(
        Strings.nullToEmpty(JobMetadata.metadata(fields.job()).getNamespace()), kind, name);
    if (runtime.isEmpty()) {
      fields.problem(
          reference.field("name"),
          "there is no " + kind + " \"" + name + "\"; create it, or name one that exists");
      return ImmutableList.of();
    }
    return TrainingPods.read(fields, runtime.get(), patch(fields.root()));
  }

  /** {@return the path of Kueue's patch, after the others if there is none yet} */
  private static RawPath patch(Object root) {
    List<?> patches = RawTree.get(root, PATCHES) instanceof List<?> list ? list : List.of();
    for (int i = 0; i < patches.size(); i++) {
      if (patches.get(i) instanceof Map<?, ?> patch && MANAGER.equals(patch.get("manager"))) {
        return PATCHES.item(i);
      }
    }
    return PATCHES.item(patches.size());
  }

  private static PodTemplateSpec withPatch(
      JobFields fields, RawPath template, PodTemplateSpec base) {
    RawPath metadata = template.field("metadata");
    RawPath spec = template.field("spec");
    return new PodAdditions(
            fields.texts(metadata.field("labels")),
            fields.texts(metadata.field("annotations")),
            fields.texts(spec.field("nodeSelector")),
            fields.objects(spec.field("tolerations"), Toleration.class),
            fields.objects(spec.field("schedulingGates"), PodSchedulingGate.class))
        .addTo(base);
  }
}
