package io.kueue4j.core.model;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import io.kueue4j.core.tpu.FitFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.immutables.value.Value;

/**
 * One reason why a workload was not admitted. A reason about quota states the resource, the flavor,
 * and the amounts requested and available.
 *
 * <p>Amounts are milli-units of cpu, whole units of everything else.
 *
 * <p>Rules: TPU-F-7, TPU-F-19.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Reason {
  Reason() {}

  /** {@return a new builder; code is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a reason that concerns the workload as a whole} */
  public static Reason of(ReasonCode code, String detail) {
    return builder().code(code).detail(detail).build();
  }

  /** {@return the kind} */
  public abstract ReasonCode code();

  /** {@return the pod set concerned} */
  public abstract Optional<String> podSet();

  /** {@return the flavor concerned} */
  public abstract Optional<String> flavor();

  /** {@return the resource concerned} */
  public abstract Optional<String> resource();

  /**
   * {@return the amount that the workload requests, including the pod sets before this one:
   * milli-units of cpu, whole units of everything else, as in all amounts of a reason}
   */
  public abstract OptionalLong asked();

  /** {@return the amount that the ClusterQueue uses} */
  public abstract OptionalLong used();

  /** {@return the amount that is still available to the ClusterQueue, including borrowing} */
  public abstract OptionalLong available();

  /**
   * {@return the limit that binds: the nominal quota, or for {@link ReasonCode#EXCEEDS_MAXIMUM} the
   * most that the queue could ever get}
   */
  public abstract OptionalLong limit();

  /**
   * {@return the state of the quota around an amount that did not fit; only explanations have it}
   *
   * <p>Ignored by {@link #equals}.
   */
  @Value.Auxiliary
  public abstract Optional<QuotaFigures> figures();

  /** {@return what prevents TPU slices from fitting, with the largest free slice} */
  @Value.Auxiliary
  public abstract Optional<FitFailure> sliceFailure();

  /**
   * {@return the fewest moves of other TPU slices that would make room, in an order in which the
   * new hosts of each are free; empty if none were searched or a few do not suffice. Only
   * explanations search for them}
   */
  @Value.Auxiliary
  public abstract List<SliceMove> sliceMoves();

  /** {@return details in words, may be empty} */
  @Value.Default
  public String detail() {
    return "";
  }

  /** {@return the reason as a sentence for people} */
  public String message() {
    return switch (code()) {
      case EXCEEDS_MAXIMUM ->
        where() + requests() + ", more than the queue could ever get (" + amount(limit()) + ")";
      case INSUFFICIENT_QUOTA -> where() + shortage("");
      case NO_PREEMPTION_CANDIDATES ->
        where() + shortage(", and no workload may be preempted for it");
      case TAKEN_IN_CYCLE -> where() + shortage(" after earlier workloads of the same cycle");
      case SLICES_DO_NOT_FIT ->
        where() + detail() + sliceFailure().map(this::inFigures).orElse("");
      default -> where() + detail();
    };
  }

  private String shortage(String circumstances) {
    String figures = requests() + ", " + amount(available()) + " available";
    long missing = asked().orElse(0) - available().orElse(0);
    if (missing <= 0) {
      // An explanation has the amounts of now, and a walk over flavors may begin behind a flavor
      // that an earlier attempt tried.
      return figures
          + (code() == ReasonCode.TAKEN_IN_CYCLE
              ? ", which earlier workloads of the same cycle took or held"
              : " now, but did not fit when it was last tried");
    }
    return figures + ", "
        + Quantity.format(resource().orElse(""), missing) + " more needed (in use " + amount(used())
        + limit().stream()
            .mapToObj(value -> ", nominal quota " + amount(OptionalLong.of(value)))
            .findFirst()
            .orElse("")
        + ")" + circumstances;
  }

  private String inFigures(FitFailure failure) {
    String largest =
        failure.largest().map(shape -> "; largest free " + shape).orElse("; nothing is free");
    String help = sliceMoves().isEmpty()
        ? ""
        : sliceMoves().stream()
            .map(move -> "%s (%s) from host %d of pool %s to host %d of pool %s"
                .formatted(
                    move.slice().owner(),
                    move.to().shape(),
                    move.slice().placement().origin(),
                    move.slice().placement().pool().id(),
                    move.to().origin(),
                    move.to().pool().id()))
            .collect(joining(" and ", "; moving ", " would make room"));
    return failure.message() + largest + help;
  }

  private String where() {
    StringBuilder text = new StringBuilder();
    podSet().ifPresent(name -> text.append("pod set ").append(name).append(": "));
    resource().ifPresent(name -> text.append(name).append(flavor().isPresent() ? " in " : ": "));
    flavor().ifPresent(name -> text.append("flavor ").append(name).append(": "));
    return text.toString();
  }

  /** {@return what is requested} An amount beyond the range is no request of everything. */
  private String requests() {
    return Amount.isUnlimited(asked().orElse(0))
        ? "requests too much to count"
        : "requests " + amount(asked());
  }

  private String amount(OptionalLong value) {
    return Quantity.format(resource().orElse(""), value.orElse(0));
  }

  /** {@return {@link #message()}} */
  @Override
  public String toString() {
    return message();
  }

  /** Builds {@link Reason}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableReason.Builder {
    Builder() {}
  }

  /**
   * The state of the quota of one resource in one flavor, as a ClusterQueue sees it at one moment.
   *
   * <p>Amounts are milli-units of cpu, whole units of everything else.
   *
   * @param requested the amount that the workload requests, including the pod sets before the one
   *     concerned
   * @param used the amount that the ClusterQueue uses
   * @param available the amount that is still available to the ClusterQueue, including borrowing
   * @param nominal the nominal quota of the ClusterQueue
   * @param limit the limit that binds
   * @param holders the workloads whose usage counts against that limit: workloads of the
   *     ClusterQueue first, then the others of its tree, each by amount, largest first; at most
   *     {@value #MAX_HOLDERS}
   * @param otherHolderCount the number of further such workloads
   * @since 0.1.0
   */
  public record QuotaFigures(
      long requested,
      long used,
      long available,
      long nominal,
      Limit limit,
      List<Holder> holders,
      int otherHolderCount) {
    /** Copies what it is given. */
    public QuotaFigures {
      holders = ImmutableList.copyOf(holders);
    }

    /** The maximum number of holders listed. */
    public static final int MAX_HOLDERS = 5;

    /** The kind of a limit. */
    public enum LimitKind {
      /** The nominal quota of a ClusterQueue without cohort. */
      CLUSTER_QUEUE_QUOTA("quota of ClusterQueue"),
      /** The borrowing limit of the ClusterQueue. */
      CLUSTER_QUEUE_BORROWING_LIMIT("borrowing limit of ClusterQueue"),
      /** The borrowing limit of a cohort above it. */
      COHORT_BORROWING_LIMIT("borrowing limit of Cohort"),
      /** All quota in the cohort tree that is lent. */
      COHORT_QUOTA("quota of Cohort");

      private final String text;

      LimitKind(String text) {
        this.text = text;
      }

      /** {@return the kind in words, to be followed by a name} */
      @Override
      public String toString() {
        return text;
      }
    }

    /**
     * A limit.
     *
     * @param kind the kind
     * @param owner the ClusterQueue or Cohort whose limit it is
     * @param amount the limit itself
     * @param used the amount that counts against it; for a borrowing limit, the borrowed amount
     */
    public record Limit(LimitKind kind, String owner, long amount, long used) {
      /** {@return the limit as part of a sentence for people} */
      public String message(String resource) {
        return kind + " " + owner + ": " + Quantity.format(resource, used) + " of "
            + Quantity.format(resource, amount) + " in use";
      }
    }

    /**
     * A workload that holds quota.
     *
     * @param workload the workload
     * @param clusterQueue the ClusterQueue whose quota it holds
     * @param amount the amount that it holds
     */
    public record Holder(WorkloadId workload, String clusterQueue, long amount) {
      /** {@return the holder as part of a sentence for people} */
      public String message(String resource) {
        return workload + " in " + clusterQueue + " (" + Quantity.format(resource, amount) + ")";
      }
    }
  }
}
