package io.kueue4j.examples.cli;

import io.kueue4j.examples.simulation.InputException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns exceptions into messages and exit codes; nobody gets to see a stack trace. */
public final class Errors implements IExecutionExceptionHandler, IParameterExceptionHandler {
  /** Creates the handler. */
  public Errors() {}

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (e instanceof InputException) {
      err.println("error: " + e.getMessage());
      return ExitCodes.BAD_INPUT;
    }
    err.println("internal error, please report it: " + e);
    return ExitCodes.SOFTWARE;
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("error: " + e.getMessage());
    if (!UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    return ExitCodes.BAD_INPUT;
  }
}
