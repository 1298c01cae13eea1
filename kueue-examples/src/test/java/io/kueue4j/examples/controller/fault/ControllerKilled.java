package io.kueue4j.examples.controller.fault;

/** The process of the controller ends here; no code of it may catch this. */
final class ControllerKilled extends Error {
  private static final long serialVersionUID = 1L;

  ControllerKilled() {
    super("the controller was killed", null, false, false);
  }
}
