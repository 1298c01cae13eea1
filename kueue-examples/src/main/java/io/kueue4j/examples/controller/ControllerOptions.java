package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.SubmissionPolicy;
import io.kueue4j.k8s.job.TrainingRuntimes;
import java.util.function.Function;

/**
 * What is decided once for a controller.
 *
 * @param settings the settings of the engine
 * @param kinds the kinds of jobs that are admitted, by the training runtimes of the cluster
 * @param policies what jobs must fulfil to be queued
 * @param legacyQueueAnnotation whether a job may name its queue by an annotation
 * @param identity what the controller calls itself in the events that it records
 * @param restartBackoff how long jobs wait that are preempted again and again
 */
public record ControllerOptions(
    Settings settings,
    Function<TrainingRuntimes, JobKinds> kinds,
    ImmutableList<SubmissionPolicy> policies,
    boolean legacyQueueAnnotation,
    String identity,
    RestartBackoff restartBackoff) {

  /**
   * {@return Kueue's settings, all kinds of jobs, and no policy; queues are named by labels, and
   * jobs that are preempted again and again wait}
   */
  public static ControllerOptions defaults() {
    return new ControllerOptions(
        Settings.defaults(),
        JobKinds::all,
        ImmutableList.of(),
        false,
        "kueue4j-controller",
        RestartBackoff.defaults());
  }

  /** {@return the same with other settings of the engine} */
  public ControllerOptions withSettings(Settings newSettings) {
    return new ControllerOptions(
        newSettings, kinds, policies, legacyQueueAnnotation, identity, restartBackoff);
  }

  /** {@return the same with other policies} */
  public ControllerOptions withPolicies(SubmissionPolicy... newPolicies) {
    return new ControllerOptions(
        settings,
        kinds,
        ImmutableList.copyOf(newPolicies),
        legacyQueueAnnotation,
        identity,
        restartBackoff);
  }

  /** {@return the same; a job may name its queue by an annotation or not} */
  public ControllerOptions withLegacyQueueAnnotation(boolean accepted) {
    return new ControllerOptions(settings, kinds, policies, accepted, identity, restartBackoff);
  }

  /** {@return the same with more kinds of jobs} */
  public ControllerOptions withKinds(Iterable<? extends JobKind<?>> more) {
    return new ControllerOptions(
        settings,
        runtimes -> JobKinds.of(Iterables.concat(kinds.apply(runtimes).asList(), more)),
        policies,
        legacyQueueAnnotation,
        identity,
        restartBackoff);
  }

  /** {@return the same with another name of the controller} */
  public ControllerOptions withIdentity(String newIdentity) {
    return new ControllerOptions(
        settings, kinds, policies, legacyQueueAnnotation, newIdentity, restartBackoff);
  }

  /** {@return the same with another wait for jobs that are preempted again and again} */
  public ControllerOptions withRestartBackoff(RestartBackoff newBackoff) {
    return new ControllerOptions(
        settings, kinds, policies, legacyQueueAnnotation, identity, newBackoff);
  }
}
