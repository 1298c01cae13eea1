package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import java.util.List;
import java.util.Optional;

/**
 * SparkApplications of {@code sparkoperator.k8s.io}: a {@code driver} and the initial executors.
 * Rules: J-14.
 *
 * <p>Their pods have no template; a start writes into fields of the application. A node selector of
 * the whole application excludes node selectors of driver and executors, so a start moves it to
 * these.
 */
final class SparkApplicationKind extends GenericJobKind {
  private static final RawPath SELECTOR = RawPath.of("spec.nodeSelector");
  private static final RawPath INSTANCES = RawPath.of("spec.executor.instances");
  private static final RawPath MODE = RawPath.of("spec.mode");
  private static final RawPath DYNAMIC = RawPath.of("spec.dynamicAllocation.enabled");
  private static final RawPath MIN_EXECUTORS = RawPath.of("spec.dynamicAllocation.minExecutors");
  private static final String STATE = "status.applicationState.state";
  private static final String SUBMISSION_FAILED = "SUBMISSION_FAILED";
  private static final String ERROR = "status.applicationState.errorMessage";
  private static final DeclaredJobKind.StatusCheck ENDED = DeclaredJobKind.StatusCheck.value(
          STATE, "COMPLETED", "FAILED", SUBMISSION_FAILED)
      .message(ERROR);
  private static final DeclaredJobKind.StatusCheck NOT_SUBMITTED =
      DeclaredJobKind.StatusCheck.value(STATE, SUBMISSION_FAILED);
  private static final DeclaredJobKind.StatusCheck RESTARTED =
      DeclaredJobKind.StatusCheck.value("spec.restartPolicy.type", "OnFailure", "Always");
  private static final DeclaredJobKind.StatusCheck COMPLETED =
      DeclaredJobKind.StatusCheck.value(STATE, "COMPLETED");
  private static final DeclaredJobKind.StatusCheck RUNNING =
      DeclaredJobKind.StatusCheck.value(STATE, "RUNNING");
  private static final RawPath EXECUTORS = RawPath.of("status.executorState.*");

  private final Settings settings;

  SparkApplicationKind() {
    this(Settings.defaults());
  }

  private SparkApplicationKind(Settings settings) {
    super("sparkoperator.k8s.io", "SparkApplication", RawPath.of("spec.suspend"));
    this.settings = settings;
  }

  @Override
  public JobKind<GenericKubernetesResource> forSettings(Settings newSettings) {
    return new SparkApplicationKind(newSettings);
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    return ImmutableList.of(
        placed(fields, "driver", 1),
        placed(fields, "executor", fields.count(INSTANCES).orElse(0)));
  }

  @Override
  void check(JobFields fields) {
    String mode = fields.text(MODE).orElse("cluster");
    if (!mode.equals("cluster")) {
      fields.problem(MODE, "\"" + mode + "\"; expected cluster: other drivers run elsewhere");
    }
    if (fields.bool(DYNAMIC).orElse(false) && !ElasticJobs.isElastic(fields.job())) {
      fields.problem(
          DYNAMIC, "true, which changes the number of executors after admission; expected false");
    }
  }

  @Override
  ImmutableList<RawPath> alsoWritten() {
    return ImmutableList.of(SELECTOR);
  }

  @Override
  public GenericKubernetesResource withPodSets(
      GenericKubernetesResource job, List<JobPodSet> podSets) {
    GenericKubernetesResource edited = super.withPodSets(job, podSets);
    // A null field is absent for the API server, and keeps the position of the field for a stop.
    return edited.equals(job) || !RawTree.has(root(job), SELECTOR)
        ? edited
        : with(edited, RawTree.with(root(edited), SELECTOR, null));
  }

  /** {@return how the job ended} A failed submission may be tried again. */
  @Override
  public Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
    if (settings.includes(KueueFix.SPARK_RESUBMISSION)
        && NOT_SUBMITTED.holds(root(job))
        && RESTARTED.holds(root(job))) {
      return Optional.empty();
    }
    return ENDED
        .find(root(job))
        .map(message -> new JobKind.Outcome(COMPLETED.holds(root(job)), message));
  }

  @Override
  public boolean isActive(GenericKubernetesResource job) {
    return RUNNING.holds(root(job));
  }

  /**
   * {@return whether the driver and its executors run} Executors that have completed count. With
   * dynamic allocation the least number of executors suffices.
   */
  @Override
  public boolean podsReady(GenericKubernetesResource job) {
    long ready = RawTree.all(root(job), EXECUTORS).stream()
        .filter(state -> state.equals("RUNNING") || state.equals("COMPLETED"))
        .count();
    return RUNNING.holds(root(job)) && ready >= expectedExecutors(new JobFields(job));
  }

  private int expectedExecutors(JobFields fields) {
    int instances = fields.count(INSTANCES).orElse(0);
    boolean isDynamic = settings.includes(KueueFix.SPARK_MINIMUM_EXECUTORS)
        && fields.bool(DYNAMIC).orElse(false);
    return isDynamic ? fields.count(MIN_EXECUTORS).orElse(instances) : instances;
  }

  private PlacedPodSet placed(JobFields fields, String role, int count) {
    String container = "spark-kubernetes-" + role;
    RawPath path = RawPath.of("spec." + role);
    RawPath template = path.field("template");
    PodTemplateSpec empty = new PodTemplateSpecBuilder()
        .withNewSpec()
        .addNewContainer()
        .withName(container)
        .endContainer()
        .endSpec()
        .build();
    PodTemplateSpec metadata = new PodTemplateSpecBuilder()
        .withMetadata(fields.template(template).getMetadata())
        .build();
    return new PlacedPodSet(
        JobPodSet.of(
            role, path.text(), SparkPods.template(fields, role, container, settings), count),
        InjectionPlace.flat(path, metadata)
            .withSchedulingGates(template.fields("spec.schedulingGates"))
            .withSkeleton(template, RawValues.of(empty)));
  }
}
