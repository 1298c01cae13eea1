package io.kueue4j.examples.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints the script with which a shell completes commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script with which bash and zsh complete commands, options and their values.",
      "For the shell that is running: source <(kueue4j completion). For every bash: kueue4j"
          + " completion > ~/.local/share/bash-completion/completions/kueue4j"
    },
    exitCodeList = {"0:done", "2:the options cannot be used"})
public final class CompletionCommand extends ExampleCommand {
  /** Creates the command. */
  public CompletionCommand() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
    out.flush();
    return ExitCodes.OK;
  }
}
