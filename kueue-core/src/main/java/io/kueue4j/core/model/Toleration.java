package io.kueue4j.core.model;

import com.google.common.primitives.Longs;
import java.util.Optional;
import java.util.OptionalLong;
import org.immutables.value.Value;

/**
 * A toleration of a pod or a flavor.
 *
 * <p>Rules: F-10, M-2.
 *
 * <pre>{@code
 * Toleration spot = Toleration.builder()
 *     .key("spot")
 *     .operator(Toleration.Operator.EXISTS)
 *     .effect(Taint.Effect.NO_SCHEDULE)
 *     .build();
 * }</pre>
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Toleration {
  Toleration() {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** How a toleration compares its value with the value of a taint; named as in Kubernetes. */
  public enum Operator {
    /** Any value. */
    EXISTS("Exists"),
    /** The same value; the default. */
    EQUAL("Equal"),
    /** The taint's value is an integer less than the toleration's. */
    LESS_THAN("Lt"),
    /** The taint's value is an integer greater than the toleration's. */
    GREATER_THAN("Gt");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** {@return the toleration of every taint with {@code key}} */
  public static Toleration exists(String key) {
    return builder().key(key).operator(Operator.EXISTS).build();
  }

  /** {@return the toleration of every taint with {@code key} and {@code value}} */
  public static Toleration equal(String key, String value) {
    return builder().key(key).value(value).build();
  }

  /** {@return the taint key; empty, the default, for every key} */
  @Value.Default
  public String key() {
    return "";
  }

  /** {@return how the values are compared; for equality by default} */
  @Value.Default
  public Operator operator() {
    return Operator.EQUAL;
  }

  /** {@return the value to compare with; empty by default} */
  @Value.Default
  public String value() {
    return "";
  }

  /** {@return the effect tolerated, absent for every effect} */
  public abstract Optional<Taint.Effect> effect();

  /** {@return how long a NoExecute taint is tolerated, in seconds; ignored by admission} */
  public abstract OptionalLong tolerationSeconds();

  /** {@return whether this tolerates {@code taint}} */
  public boolean tolerates(Taint taint) {
    if (effect().isPresent() && effect().get() != taint.effect()) {
      return false;
    }
    if (!key().isEmpty() && !key().equals(taint.key())) {
      return false;
    }
    return switch (operator()) {
      case EXISTS -> true;
      case EQUAL -> value().equals(taint.value());
      case LESS_THAN, GREATER_THAN -> comparesWith(taint.value());
    };
  }

  private boolean comparesWith(String taintValue) {
    Long actual = Longs.tryParse(taintValue);
    Long bound = Longs.tryParse(value());
    if (actual == null || bound == null) {
      return false;
    }
    return operator() == Operator.LESS_THAN ? actual < bound : actual > bound;
  }

  /** Builds {@link Toleration}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableToleration.Builder {
    Builder() {}
  }
}
