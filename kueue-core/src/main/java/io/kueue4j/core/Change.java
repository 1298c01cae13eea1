package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Quantity;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * One change after which the engine admits a workload that waits: what to do, in figures and in
 * words, and the calls that do it.
 *
 * <p>It has been made on a copy of the engine, and {@link AdmissionEngine#tryAdmit} has admitted
 * the workload there; of {@link ChangeKind#WAIT_FOR_TURN} and {@link ChangeKind#RAISE_PRIORITY}
 * cycles have. Quotas are raised by the smallest amounts: with one unit less of any of them the
 * workload is not admitted.
 */
@Value.Immutable
public abstract class Change {
  Change() {}

  /**
   * A nominal quota, or a borrowing or lending limit, that is raised. Amounts are those of the
   * resource: milli-units of cpu, whole units of everything else.
   *
   * @param owner whose it is, kind and name, such as {@code ClusterQueue research}
   * @param flavor the flavor
   * @param resource the resource
   * @param from what it is, 0 if there is none yet
   * @param to what it has to be
   */
  public record Raise(String owner, String flavor, String resource, long from, long to) {
    /** {@return the raise as a sentence part for people} */
    public String message() {
      return resource + " in flavor " + flavor + " from " + Quantity.format(resource, from) + " to "
          + Quantity.format(resource, to) + " (+" + Quantity.format(resource, to - from) + ")";
    }
  }

  static Builder builder(ChangeKind kind) {
    return ImmutableChange.builder().kind(kind);
  }

  /** {@return what is changed} */
  public abstract ChangeKind kind();

  /** {@return the change as a sentence part for people, to follow "would be admitted if"} */
  public abstract String message();

  /** {@return the quotas and limits that are raised} */
  public abstract ImmutableList<Raise> raises();

  /** {@return the configuration objects as they would have to be, to be applied in one step} */
  public abstract ImmutableList<ConfigObject> objects();

  /** {@return the workload as it would have to be, absent if it may stay as it is} */
  public abstract Optional<Workload> workload();

  /** {@return the workloads that would have to stop, or to finish} */
  public abstract ImmutableList<WorkloadId> stops();

  /**
   * Makes the change: applies the objects, updates the workload, finishes what would have to stop.
   *
   * @param engine an engine that has not changed since the change was found
   */
  public void applyTo(AdmissionEngine engine) {
    if (!objects().isEmpty()) {
      engine.apply(objects());
    }
    workload().ifPresent(engine::update);
    if (kind() == ChangeKind.END_BACKOFF) {
      workload()
          .ifPresent(ready ->
              engine.lifecycle().requeue(ready.id(), "BackoffFinished", "The backoff was ended"));
    }
    stops().forEach(engine::finish);
  }

  /** {@return {@link #message()}} */
  @Override
  public String toString() {
    return message();
  }

  /** Builds changes. */
  abstract static class Builder {
    Builder() {}

    @CanIgnoreReturnValue
    abstract Builder kind(ChangeKind kind);

    @CanIgnoreReturnValue
    abstract Builder message(String message);

    @CanIgnoreReturnValue
    abstract Builder addAllRaises(Iterable<? extends Raise> raises);

    @CanIgnoreReturnValue
    abstract Builder addObjects(ConfigObject... objects);

    @CanIgnoreReturnValue
    abstract Builder addAllObjects(Iterable<? extends ConfigObject> objects);

    @CanIgnoreReturnValue
    abstract Builder workload(Workload workload);

    @CanIgnoreReturnValue
    abstract Builder addAllStops(Iterable<? extends WorkloadId> stops);

    abstract Change build();
  }
}
