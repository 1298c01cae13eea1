package io.kueue4j.examples.controller.state;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.SubmissionPolicy;
import java.util.function.Function;
import org.immutables.value.Value;

/** The options of a controller; immutable. */
@Value.Immutable
@Value.Style(
    jdkOnly = false,
    visibility = Value.Style.ImplementationVisibility.PACKAGE,
    builderVisibility = Value.Style.BuilderVisibility.PACKAGE)
public abstract class ControllerOptions implements WithControllerOptions {
  ControllerOptions() {}

  /**
   * {@return Kueue's settings, all kinds of jobs, and no policy; queues are named by labels, and
   * jobs that are preempted repeatedly are delayed}
   */
  public static ControllerOptions defaults() {
    return ImmutableControllerOptions.builder().build();
  }

  /** {@return the settings of the engine} */
  @Value.Default
  public Settings settings() {
    return Settings.defaults();
  }

  /** {@return the supported kinds of jobs, given the training runtimes of the cluster} */
  @Value.Default
  public Function<JobKinds.TrainingRuntimes, JobKinds> kinds() {
    return JobKinds::all;
  }

  /** {@return the policies that jobs must satisfy to be queued} */
  public abstract ImmutableList<SubmissionPolicy> policies();

  /** {@return whether a job may name its queue by an annotation} */
  @Value.Default
  public boolean legacyQueueAnnotation() {
    return false;
  }

  /** {@return whether jobs that are preempted repeatedly are delayed} */
  @Value.Default
  public boolean restartBackoff() {
    return true;
  }

  /** {@return whether TPU chips are given as slices of the pools that the nodes make up} */
  @Value.Default
  public boolean tpuSlices() {
    return false;
  }

  /** {@return these options with more kinds of jobs} */
  public ControllerOptions withMoreKinds(Iterable<? extends JobKind<?>> more) {
    return withKinds(
        runtimes -> JobKinds.of(Iterables.concat(kinds().apply(runtimes).asList(), more)));
  }
}
