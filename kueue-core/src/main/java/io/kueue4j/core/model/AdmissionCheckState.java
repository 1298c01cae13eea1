package io.kueue4j.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.immutables.value.Value;

/**
 * The state of an admission check for one workload, and what the check adds to the pods.
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
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class AdmissionCheckState {
  /**
   * What an admission check adds to the pods of a pod set when they start. Its node selector and
   * tolerations also restrict the placement of pods that are placed after the check has passed.
   *
   * <p>Kueue: {@code Workload.status.admissionChecks[].podSetUpdates[]}. Rules: L-7, T-14, T-77.
   *
   * @since 0.1.0
   */
  @Value.Immutable
  public abstract static class PodSetUpdate {
    PodSetUpdate() {}

    /** {@return a new builder; the name is required} */
    public static Builder builder() {
      return new Builder();
    }

    /** {@return the pod set} */
    public abstract String name();

    /** {@return the labels to add, by key} */
    @Value.NaturalOrder
    public abstract SortedMap<String, String> labels();

    /** {@return the annotations to add, by key} */
    @Value.NaturalOrder
    public abstract SortedMap<String, String> annotations();

    /** {@return the node labels to add to the node selector, by key} */
    @Value.NaturalOrder
    public abstract SortedMap<String, String> nodeSelector();

    /** {@return the tolerations to add} */
    public abstract List<Toleration> tolerations();

    /**
     * Builds {@link PodSetUpdate}s; reusable, not thread-safe.
     *
     * <p>Building fails with an {@link IllegalArgumentException} if a label, an annotation or a key
     * of the node selector was added twice.
     */
    public static final class Builder extends ImmutablePodSetUpdate.Builder {
      Builder() {}
    }
  }

  AdmissionCheckState() {}

  /**
   * The state of an admission check for a workload.
   *
   * <p>Kueue: {@code Workload.status.admissionChecks[].state}. Rules: L-7.
   *
   * @since 0.1.0
   */
  public enum CheckState {
    /** The check is in progress. */
    PENDING("Pending"),
    /** The check has passed. */
    READY("Ready"),
    /** The check has failed for now: the workload is evicted and tried again. */
    RETRY("Retry"),
    /** The check has failed for good: the workload is deactivated. */
    REJECTED("Rejected");

    private final String text;

    CheckState(String text) {
      this.text = text;
    }

    /** {@return the name in Kueue's status} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** {@return a new builder; name and state are required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a state with defaults for everything else} */
  public static AdmissionCheckState of(String name, CheckState state) {
    return builder().name(name).state(state).build();
  }

  /** {@return the name of the AdmissionCheck} */
  public abstract String name();

  /** {@return the state of the check} */
  public abstract CheckState state();

  /**
   * {@return the time of the last change of {@link #state()}. The engine sets it when a state is
   * reported to it, and reads it only from a status that it restores}
   */
  @Value.Default
  public Instant lastTransitionTime() {
    return Instant.EPOCH;
  }

  /** {@return an explanation of the state for people, may be empty} */
  @Value.Default
  public String message() {
    return "";
  }

  /** {@return how long the workload waits after {@link CheckState#RETRY}, absent for no delay} */
  public abstract Optional<Duration> requeueAfter();

  /** {@return how often the check ended in {@link CheckState#RETRY}; counted by the engine} */
  @Value.Default
  public int retryCount() {
    return 0;
  }

  /** {@return what is added to the pods when the workload starts} */
  public abstract List<PodSetUpdate> podSetUpdates();

  /** Builds {@link AdmissionCheckState}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableAdmissionCheckState.Builder {
    Builder() {}
  }
}
