package io.kueue4j.core.model;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Quantity;
import java.util.Optional;
import java.util.OptionalLong;
import org.immutables.value.Value;

/**
 * One reason why a workload was not admitted: what was asked of which resource in which flavor, and
 * what stood against it.
 *
 * <p>Amounts are those of the resource: milli-units of cpu, whole units of everything else.
 */
@Value.Immutable
public abstract class Reason {
  Reason() {}

  /** {@return a new builder; code is required} */
  public static Builder builder() {
    return ImmutableReason.builder();
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

  /** {@return what the workload asks for, the sets before this one included} */
  public abstract OptionalLong asked();

  /** {@return what the ClusterQueue uses now} */
  public abstract OptionalLong used();

  /** {@return what the ClusterQueue could take now, borrowing included} */
  public abstract OptionalLong available();

  /**
   * {@return the limit that was met: nominal quota, or for {@link ReasonCode#EXCEEDS_MAXIMUM} all
   * that could ever be had}
   */
  public abstract OptionalLong limit();

  /**
   * {@return the state of the quota around an amount that did not fit, at the time of asking; only
   * explanations have it}
   *
   * <p>It does not count when reasons are compared: they are equal if they say the same.
   */
  @Value.Auxiliary
  public abstract Optional<QuotaFigures> figures();

  /** {@return why slices of TPU chips have no room} */
  @Value.Auxiliary
  public abstract Optional<SliceFigures> sliceFigures();

  /** {@return what no figure says, in words; may be empty} */
  @Value.Default
  public String detail() {
    return "";
  }

  /** {@return the reason as a sentence for people} */
  public String message() {
    return switch (code()) {
      case EXCEEDS_MAXIMUM ->
        where() + "asks for " + amount(asked()) + ", more than the " + amount(limit())
            + " that the queue could ever have";
      case INSUFFICIENT_QUOTA -> where() + shortage();
      case NO_PREEMPTION_CANDIDATES ->
        where() + shortage() + ", and nothing may be preempted for it";
      case TAKEN_IN_CYCLE -> where() + shortage() + " after others were served first";
      case SLICES_DO_NOT_FIT ->
        where() + detail() + sliceFigures().map(SliceFigures::message).orElse("");
      default -> where() + detail();
    };
  }

  private String shortage() {
    long missing = asked().orElse(0) - available().orElse(0);
    return "asks for " + amount(asked()) + " of which " + amount(available()) + " is unused, "
        + Quantity.format(resource().orElse(""), missing) + " more needed (in use " + amount(used())
        + limit().stream()
            .mapToObj(value -> ", nominal quota " + amount(OptionalLong.of(value)))
            .findFirst()
            .orElse("")
        + ")";
  }

  private String where() {
    StringBuilder text = new StringBuilder();
    podSet().ifPresent(name -> text.append("pod set ").append(name).append(": "));
    resource().ifPresent(name -> text.append(name).append(flavor().isPresent() ? " in " : ": "));
    flavor().ifPresent(name -> text.append("flavor ").append(name).append(": "));
    return text.toString();
  }

  private String amount(OptionalLong value) {
    return Quantity.format(resource().orElse(""), value.orElse(0));
  }

  /** {@return {@link #message()}} */
  @Override
  public String toString() {
    return message();
  }

  /** Builds {@link Reason}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the kind. */
    @CanIgnoreReturnValue
    public abstract Builder code(ReasonCode code);

    /** Sets the pod set. */
    @CanIgnoreReturnValue
    public abstract Builder podSet(String podSet);

    /** Sets the flavor. */
    @CanIgnoreReturnValue
    public abstract Builder flavor(String flavor);

    /** Sets the resource. */
    @CanIgnoreReturnValue
    public abstract Builder resource(String resource);

    /** Sets what is asked for. */
    @CanIgnoreReturnValue
    public abstract Builder asked(long asked);

    /** Sets what is used. */
    @CanIgnoreReturnValue
    public abstract Builder used(long used);

    /** Sets what is available. */
    @CanIgnoreReturnValue
    public abstract Builder available(long available);

    /** Sets the limit. */
    @CanIgnoreReturnValue
    public abstract Builder limit(long limit);

    /** Sets the words. */
    @CanIgnoreReturnValue
    public abstract Builder detail(String detail);

    /** Sets the state of the quota. */
    @CanIgnoreReturnValue
    public abstract Builder figures(QuotaFigures figures);

    /** Adds what {@code reason} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(Reason reason);

    /** Sets why slices of TPU chips have no room. */
    @CanIgnoreReturnValue
    public abstract Builder sliceFigures(SliceFigures figures);

    /** {@return the reason} */
    public abstract Reason build();
  }
}
