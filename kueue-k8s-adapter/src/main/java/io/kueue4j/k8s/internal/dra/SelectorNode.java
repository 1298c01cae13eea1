package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An expression of the Common Expression Language (CEL). Its values are Boolean, Long, String,
 * BigDecimal (a quantity), {@link DeviceVersion}, List, Map, and {@link Device} with its parts.
 */
@FunctionalInterface
interface SelectorNode {
  /** The variable for the device. */
  String DEVICE = "device";

  /**
   * {@return the value of this expression}
   *
   * @throws SelectorException if it has none
   */
  Object eval(Scope scope);

  /** The values of variables. */
  record Scope(ImmutableMap<String, Object> values) {
    static Scope of(Device device) {
      return new Scope(ImmutableMap.of(DEVICE, device));
    }

    Scope with(String name, Object value) {
      Map<String, Object> all = new HashMap<>(values);
      all.put(name, value);
      return new Scope(ImmutableMap.copyOf(all));
    }

    Object value(String name) {
      Object value = values.get(name);
      if (value == null) {
        throw new IllegalStateException("the variable " + name + " has no value");
      }
      return value;
    }
  }

  /** A field of an object, or an entry of a map. */
  record Select(SelectorNode target, String field) implements SelectorNode {
    @Override
    public Object eval(Scope scope) {
      return SelectorValues.get(target.eval(scope), field);
    }
  }

  /**
   * {@return whether one of two conditions is {@code decisive}; as in CEL that decides even if the
   * other condition has no value}
   */
  static SelectorNode either(SelectorNode first, SelectorNode second, boolean decisive) {
    return scope -> {
      try {
        if (SelectorValues.flag(first.eval(scope)) == decisive) {
          return decisive;
        }
      } catch (SelectorException e) {
        if (SelectorValues.flag(second.eval(scope)) == decisive) {
          return decisive;
        }
        throw e;
      }
      return SelectorValues.flag(second.eval(scope));
    };
  }

  /** {@return the values of {@code nodes}} */
  static List<Object> evalAll(ImmutableList<SelectorNode> nodes, Scope scope) {
    return nodes.stream().map(node -> node.eval(scope)).toList();
  }
}
