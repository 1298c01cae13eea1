package io.kueue4j.core.model;

import com.google.common.primitives.Longs;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A toleration of a pod or a flavor.
 *
 * <p>Rules: F-10, M-2.
 *
 * @param key the taint key, empty for every key
 * @param operator how the values are compared
 * @param value the value to compare with, may be empty
 * @param effect the effect tolerated, absent for every effect
 * @param tolerationSeconds how long a NoExecute taint is tolerated; ignored by admission
 * @since 0.1.0
 */
public record Toleration(
    String key,
    Operator operator,
    String value,
    Optional<TaintEffect> effect,
    OptionalLong tolerationSeconds) {

  /** How a toleration compares its value with that of a taint; named as in Kubernetes. */
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
    return new Toleration(key, Operator.EXISTS, "", Optional.empty(), OptionalLong.empty());
  }

  /** {@return the toleration of every taint with {@code key} and {@code value}} */
  public static Toleration equal(String key, String value) {
    return new Toleration(key, Operator.EQUAL, value, Optional.empty(), OptionalLong.empty());
  }

  /** {@return whether this tolerates {@code taint}} */
  public boolean tolerates(Taint taint) {
    if (effect.isPresent() && effect.get() != taint.effect()) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    return switch (operator) {
      case EXISTS -> true;
      case EQUAL -> value.equals(taint.value());
      case LESS_THAN, GREATER_THAN -> comparesWith(taint.value());
    };
  }

  private boolean comparesWith(String taintValue) {
    Long actual = Longs.tryParse(taintValue);
    Long bound = Longs.tryParse(value);
    if (actual == null || bound == null) {
      return false;
    }
    return operator == Operator.LESS_THAN ? actual < bound : actual > bound;
  }
}
