package io.kueue4j.examples.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that turns warnings into errors. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StrictOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--strict",
      description = "Take for an error whatever is passed over otherwise, such as unknown fields.")
  private boolean strict;

  StrictOption() {}

  /** {@return whether it is set} */
  boolean isSet() {
    return strict;
  }

  /** {@return the notes of the command} */
  Notes notes() {
    return new Notes(strict, spec.commandLine().getErr());
  }
}
