package io.kueue4j.k8s.internal.dra;

/**
 * A condition on a device, written in the Common Expression Language (CEL).
 *
 * <p>Understood are {@code device.driver}, {@code device.attributes} and {@code device.capacity},
 * comparisons, {@code in}, {@code &&}, {@code ||}, {@code !}, {@code ?:}, {@code has},
 * {@code size}, {@code quantity}, {@code semver}, {@code cel.bind} and the methods of texts,
 * quantities and versions. Whatever else an expression uses is a problem of the expression.
 *
 * <p>Immutable and thread-safe.
 */
final class DeviceSelector {
  private final SelectorNode node;

  private DeviceSelector(SelectorNode node) {
    this.node = node;
  }

  /**
   * {@return the condition}
   *
   * @throws SelectorException if {@code expression} is invalid or uses what is not supported
   */
  static DeviceSelector compile(String expression) {
    return new DeviceSelector(SelectorParser.parse(expression));
  }

  /**
   * {@return whether {@code device} meets the condition}
   *
   * @throws SelectorException if the condition has no value, for example because the device lacks
   *     an attribute
   */
  boolean matches(Device device) {
    return SelectorValues.flag(node.eval(SelectorNode.Scope.of(device)));
  }
}
