package io.kueue4j.core.decision;

import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Quantity;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A change after which the engine admits a waiting workload, as values and as text. Found by
 * {@link Explanation#remedy()}; {@link io.kueue4j.core.AdmissionEngine#apply(Remedy)} makes the
 * change. Immutable.
 *
 * <p>Each remedy has been verified: the change was made on a copy of the engine, which admitted the
 * workload by {@code tryAdmit}, or in cycles for {@link RemedyKind#WAIT_FOR_TURN} and
 * {@link RemedyKind#RAISE_PRIORITY}. Quotas are raised by the smallest amounts: with one unit less
 * of any of them, the workload is not admitted.
 *
 * <pre>{@code
 * engine.explain(id).remedy().ifPresent(remedy -> {
 *   log("would be admitted if: " + remedy.message());
 *   engine.apply(remedy);
 * });
 * }</pre>
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Remedy {
  Remedy() {}

  /**
   * A nominal quota, or a borrowing or lending limit, that is raised. Amounts have the units of the
   * resource: milli-units of cpu, whole units of everything else.
   *
   * @param owner the kind and name of its owner, such as {@code ClusterQueue research}
   * @param flavor the flavor
   * @param resource the resource
   * @param from the current amount, 0 if there is none
   * @param to the required amount
   * @since 0.1.0
   */
  public record Raise(String owner, String flavor, String resource, long from, long to) {
    /** {@return the raise as a human-readable clause} */
    public String message() {
      return resource + " in flavor " + flavor + " from " + Quantity.format(resource, from) + " to "
          + Quantity.format(resource, to) + " (+" + Quantity.format(resource, to - from) + ")";
    }
  }

  /** {@return a builder of a remedy of that kind} */
  public static Builder builder(RemedyKind kind) {
    return new Builder().kind(kind);
  }

  /** {@return what is changed} */
  public abstract RemedyKind kind();

  /** {@return the change as a human-readable clause that completes "would be admitted if"} */
  public abstract String message();

  /** {@return the quotas and limits that are raised} */
  public abstract List<Raise> raises();

  /** {@return the changed configuration objects, to be applied in one step} */
  public abstract List<ConfigObject> objects();

  /** {@return the changed workload, absent if it need not change} */
  public abstract Optional<Workload> workload();

  /** {@return the workloads that would have to stop, or to finish} */
  public abstract List<WorkloadId> stops();

  /** {@return {@link #message()}} */
  @Override
  public String toString() {
    return message();
  }

  /**
   * Builds remedies.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutableRemedy.Builder {
    Builder() {}
  }
}
