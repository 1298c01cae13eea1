package io.kueue4j.examples.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The common part of all commands: {@code --help}, {@code --version}, and the layout of help. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n")
abstract class ExampleCommand implements Callable<Integer> {
  @Spec
  CommandSpec spec;
}
