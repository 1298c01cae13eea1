package io.kueue4j.examples.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Commands for TPU slices: where they fit, and how well placement strategies use a machine. */
@Command(
    name = "tpu",
    description = "Fits slices of TPU chips into pods, cubes and tori, and compares ways to do it.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:the input cannot be used"},
    subcommands = {TpuFitCommand.class, TpuStudyCommand.class, CommandLine.HelpCommand.class})
public final class TpuCommand {
  /** Creates the command, which only has subcommands. */
  public TpuCommand() {}
}
