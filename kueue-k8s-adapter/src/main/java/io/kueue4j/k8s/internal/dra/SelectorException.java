package io.kueue4j.k8s.internal.dra;

/**
 * Why an expression is not a selector that can be evaluated, or cannot be evaluated for a device.
 */
final class SelectorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SelectorException(String message) {
    super(message);
  }

  /** {@return the problem, a sentence without its end} */
  String problem() {
    return String.valueOf(getMessage());
  }
}
