package io.kueue4j.examples.controller.fault;

/** Thrown to end the process of the controller; its code must not catch this. */
final class ControllerKilled extends Error {
  private static final long serialVersionUID = 1L;

  ControllerKilled() {
    super("the controller was killed", null, false, false);
  }
}
