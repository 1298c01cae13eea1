package io.kueue4j.examples.cli;

import com.google.common.base.Ascii;
import java.io.PrintWriter;
import java.util.OptionalInt;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** What all commands share: the terminal, and the options that every command has. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public abstract class Program {
  @Spec
  private CommandSpec spec;

  private final Terminal terminal;
  private boolean colored;

  /** Creates the program that runs in {@code terminal}. */
  protected Program(Terminal terminal) {
    this.terminal = terminal;
    this.colored = terminal.colored();
  }

  /** When to color the output. */
  enum Coloring {
    AUTO,
    ALWAYS,
    NEVER;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      description = "Color the output: auto, always or never. Unless set, auto: on a terminal, if"
          + " NO_COLOR is not set; CLICOLOR_FORCE=1 does everywhere.")
  final void color(Coloring when) {
    colored = switch (when) {
      case AUTO -> terminal.colored();
      case ALWAYS -> true;
      case NEVER -> false;
    };
    spec.commandLine().setColorScheme(colorScheme());
  }

  /** {@return the colors of help} */
  protected final Help.ColorScheme colorScheme() {
    return Help.defaultColorScheme(colored ? Ansi.ON : Ansi.OFF);
  }

  /** {@return the terminal} */
  final Terminal terminal() {
    return terminal;
  }

  /** {@return the screen that writes to {@code out}} */
  final Screen screen(PrintWriter out) {
    return new Screen(
        out, colored, terminal.out() ? OptionalInt.of(terminal.width()) : OptionalInt.empty());
  }
}
