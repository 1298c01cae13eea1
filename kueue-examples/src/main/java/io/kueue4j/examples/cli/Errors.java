package io.kueue4j.examples.cli;

import com.google.common.base.Splitter;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.manifest.ManifestException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Converts exceptions to messages and exit codes. The user never sees a stack trace. */
public final class Errors implements IExecutionExceptionHandler, IParameterExceptionHandler {
  /** The maximum number of problems that are printed. */
  private static final int MAX_PROBLEMS = 20;

  /** Creates the handler. */
  public Errors() {}

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (e instanceof InputException || e instanceof ManifestException) {
      print(String.valueOf(e.getMessage()), err);
      return ExitCodes.BAD_INPUT;
    }
    err.println("internal error, please report it: " + e);
    return ExitCodes.SOFTWARE;
  }

  private static void print(String message, PrintWriter err) {
    List<String> problems = Splitter.on('\n').splitToList(message);
    problems.stream().limit(MAX_PROBLEMS).forEach(problem -> err.println("error: " + problem));
    if (problems.size() > MAX_PROBLEMS) {
      err.println("error: and " + (problems.size() - MAX_PROBLEMS) + " more");
    }
  }

  /** {@return where to give what is missing, if an option has taken it for one of its values} */
  private static String hint(ParameterException e) {
    return e instanceof MissingParameterException
        ? e.getCommandLine().getCommandSpec().options().stream()
            .filter(option -> option.arity().max() > 1
                && option.getValue() instanceof List<?> values
                && !values.isEmpty())
            .findFirst()
            .map(option -> "; give it before " + option.longestName()
                + ", which takes all that follows up to the next option")
            .orElse("")
        : "";
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("error: " + e.getMessage() + hint(e));
    if (!UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    return ExitCodes.BAD_INPUT;
  }
}
