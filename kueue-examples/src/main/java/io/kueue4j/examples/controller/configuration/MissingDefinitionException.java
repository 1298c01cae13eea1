package io.kueue4j.examples.controller.configuration;

/** Thrown if a cluster does not serve a kind without which the controller cannot work. */
public final class MissingDefinitionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; the message says what is missing, and how to apply it. */
  public MissingDefinitionException(String message) {
    super(message);
  }
}
