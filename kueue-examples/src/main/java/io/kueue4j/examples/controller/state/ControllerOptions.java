package io.kueue4j.examples.controller.state;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.controller.object.RestartBackoff;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.SubmissionPolicy;
import java.util.function.Function;

/**
 * The options of a controller.
 *
 * @param settings the settings of the engine
 * @param kinds the supported kinds of jobs, given the training runtimes of the cluster
 * @param policies the policies that jobs must satisfy to be queued
 * @param legacyQueueAnnotation whether a job may name its queue by an annotation
 * @param restartBackoff the delay for jobs that are preempted repeatedly
 * @param tpuSlices whether TPU chips are given as slices of the pools that the nodes make up
 */
public record ControllerOptions(
    Settings settings,
    Function<JobKinds.TrainingRuntimes, JobKinds> kinds,
    ImmutableList<SubmissionPolicy> policies,
    boolean legacyQueueAnnotation,
    RestartBackoff restartBackoff,
    boolean tpuSlices) {

  /**
   * {@return Kueue's settings, all kinds of jobs, and no policy; queues are named by labels, and
   * jobs that are preempted repeatedly are delayed}
   */
  public static ControllerOptions defaults() {
    return new ControllerOptions(
        Settings.defaults(),
        JobKinds::all,
        ImmutableList.of(),
        false,
        RestartBackoff.defaults(),
        false);
  }

  /** {@return these options with other settings of the engine} */
  public ControllerOptions withSettings(Settings newSettings) {
    return new ControllerOptions(
        newSettings, kinds, policies, legacyQueueAnnotation, restartBackoff, tpuSlices);
  }

  /** {@return these options with other policies} */
  public ControllerOptions withPolicies(SubmissionPolicy... newPolicies) {
    return new ControllerOptions(
        settings,
        kinds,
        ImmutableList.copyOf(newPolicies),
        legacyQueueAnnotation,
        restartBackoff,
        tpuSlices);
  }

  /** {@return these options with queue names accepted or not accepted in annotations} */
  public ControllerOptions withLegacyQueueAnnotation(boolean accepted) {
    return new ControllerOptions(settings, kinds, policies, accepted, restartBackoff, tpuSlices);
  }

  /** {@return these options with more kinds of jobs} */
  public ControllerOptions withKinds(Iterable<? extends JobKind<?>> more) {
    return new ControllerOptions(
        settings,
        runtimes -> JobKinds.of(Iterables.concat(kinds.apply(runtimes).asList(), more)),
        policies,
        legacyQueueAnnotation,
        restartBackoff,
        tpuSlices);
  }

  /** {@return these options with another delay for jobs that are preempted repeatedly} */
  public ControllerOptions withRestartBackoff(RestartBackoff newBackoff) {
    return new ControllerOptions(
        settings, kinds, policies, legacyQueueAnnotation, newBackoff, tpuSlices);
  }

  /** {@return these options with TPU chips given as slices, or only counted} */
  public ControllerOptions withTpuSlices(boolean given) {
    return new ControllerOptions(
        settings, kinds, policies, legacyQueueAnnotation, restartBackoff, given);
  }
}
