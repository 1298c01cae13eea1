package io.kueue4j.examples.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The common part of all commands: {@code --help}, {@code --version}, and the layout of output. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n")
abstract class ExampleCommand implements Callable<Integer> {
  @Spec
  CommandSpec spec;

  /** {@return standard output as it is seen by the user} */
  final Screen screen() {
    return program().screen(spec.commandLine().getOut());
  }

  /** {@return the progress of this command, which has so much to do} */
  final Progress progress(long total) {
    return Progress.start(
        spec.name(), total, program().terminal(), spec.commandLine().getErr());
  }

  /** {@return the program that the command belongs to} */
  final Program program() {
    return (Program) spec.root().userObject();
  }
}
