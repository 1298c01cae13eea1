package io.kueue4j.examples.cli;

/** The exit codes of the program. */
final class ExitCodes {
  static final int OK = 0;
  static final int DISAGREEMENT = 1;

  /** With {@code --exit-code}: a job waits or was rejected. */
  static final int WAITING = 1;

  /** Of {@code lint}: a finding is as serious as {@code --fail-on} says. */
  static final int FINDINGS = 1;

  static final int BAD_INPUT = 2;

  /** A defect of the program, as in {@code sysexits.h}. */
  static final int SOFTWARE = 70;

  private ExitCodes() {}
}
