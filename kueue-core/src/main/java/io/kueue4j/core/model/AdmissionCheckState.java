package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * Where an admission check stands for one workload, and what it wants of the pods.
 *
 * <pre>{@code
 * AdmissionCheckState.builder()
 *     .name("nodes")
 *     .state(CheckState.READY)
 *     .addPodSetUpdates(PodSetUpdate.builder().name("main").putNodeSelector("pool", "7").build())
 *     .build();
 * }</pre>
 *
 * <p>Kueue: {@code Workload.status.admissionChecks[]}. Rules: L-6, L-7, L-8, L-9, T-14.
 */
@Value.Immutable
public abstract class AdmissionCheckState {
  AdmissionCheckState() {}

  /** {@return a new builder; name and state are required} */
  public static Builder builder() {
    return ImmutableAdmissionCheckState.builder();
  }

  /** {@return a state with the defaults of everything else} */
  public static AdmissionCheckState of(String name, CheckState state) {
    return builder().name(name).state(state).build();
  }

  /** {@return the AdmissionCheck} */
  public abstract String name();

  /** {@return how far it has come} */
  public abstract CheckState state();

  /**
   * {@return since when; an engine that is told a state counts from when it is told a new one, and
   * takes this from a status that it restores}
   */
  @Value.Default
  public Instant lastTransitionTime() {
    return Instant.EPOCH;
  }

  /** {@return what the check has to say, for people} */
  @Value.Default
  public String message() {
    return "";
  }

  /** {@return how long after {@link CheckState#RETRY} the workload waits, absent for not at all} */
  public abstract Optional<Duration> requeueAfter();

  /** {@return how often it has ended in {@link CheckState#RETRY}; counted by the engine} */
  @Value.Default
  public int retryCount() {
    return 0;
  }

  /** {@return what is added to the pods that it lets start} */
  public abstract ImmutableList<PodSetUpdate> podSetUpdates();

  /** Builds {@link AdmissionCheckState}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets how far it has come. */
    @CanIgnoreReturnValue
    public abstract Builder state(CheckState state);

    /** Sets since when. */
    @CanIgnoreReturnValue
    public abstract Builder lastTransitionTime(Instant time);

    /** Sets what the check has to say. */
    @CanIgnoreReturnValue
    public abstract Builder message(String message);

    /** Sets how long the workload waits after {@link CheckState#RETRY}. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAfter(Duration delay);

    /** Sets or clears how long the workload waits after {@link CheckState#RETRY}. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAfter(Optional<? extends Duration> delay);

    /** Sets how often it has ended in {@link CheckState#RETRY}. */
    @CanIgnoreReturnValue
    public abstract Builder retryCount(int count);

    /** Adds what is added to the pods. */
    @CanIgnoreReturnValue
    public abstract Builder addPodSetUpdates(PodSetUpdate... updates);

    /** Adds what is added to the pods. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPodSetUpdates(Iterable<? extends PodSetUpdate> updates);

    /** Adds what {@code state} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(AdmissionCheckState state);

    /** {@return the state} */
    public abstract AdmissionCheckState build();
  }
}
