package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableSet;
import java.io.PrintWriter;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

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
  /** How a line begins that lists options. */
  private static final Pattern OPTIONS = Pattern.compile(" +local (?:flag|arg)_opts=");

  /** By this line a script takes back that bash completes files where there is nothing better. */
  private static final String NO_FILES = "  type compopt &>/dev/null && compopt +o default\n";

  /** Creates the command. */
  public CompletionCommand() {}

  @Override
  public Integer call() {
    String script = AutoComplete.bash(spec.root().name(), spec.root().commandLine());
    ImmutableSet<String> negatable = negatable(spec.root());
    PrintWriter out = spec.commandLine().getOut();
    script
        .replace(NO_FILES, "")
        .lines()
        .map(line -> withNegations(line, negatable))
        .forEach(line -> out.print(line + "\n"));
    out.flush();
    return ExitCodes.OK;
  }

  /** {@return the names of options of a command and those below it that {@code --no-} negates} */
  private static ImmutableSet<String> negatable(CommandSpec command) {
    return Stream.concat(
            command.options().stream().filter(OptionSpec::negatable).map(OptionSpec::longestName),
            command.subcommands().values().stream()
                .flatMap(below -> negatable(below.getCommandSpec()).stream()))
        .collect(toImmutableSet());
  }

  /** {@return a line of a script; one that lists options also with their negations} */
  private static String withNegations(String line, ImmutableSet<String> negatable) {
    String all = line;
    if (OPTIONS.matcher(line).lookingAt()) {
      for (String name : negatable) {
        all = all.replace(
            "'" + name + "'", "'" + name + "' '--no-" + name.substring("--".length()) + "'");
      }
    }
    return all;
  }
}
