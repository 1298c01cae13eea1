package io.kueue4j.examples.cli;

import com.google.common.base.Ticker;
import com.google.common.primitives.Ints;
import java.util.Map;
import java.util.Objects;

/**
 * Where the output of the program goes.
 *
 * @param out whether standard output is a terminal
 * @param err whether standard error is a terminal
 * @param colored whether standard output is colored unless the user says otherwise
 * @param width the number of columns
 * @param ticker measures the time that a command takes
 */
public record Terminal(boolean out, boolean err, boolean colored, int width, Ticker ticker) {
  private static final int DEFAULT_WIDTH = 100;
  private static final int MIN_WIDTH = 60;

  /** {@return files or pipes in place of a terminal, in which no time passes} */
  public static Terminal none() {
    return new Terminal(false, false, false, DEFAULT_WIDTH, new Ticker() {
      @Override
      public long read() {
        return 0;
      }
    });
  }

  /**
   * {@return what the launcher, which alone can find out, says of the streams; files or pipes if
   * the program was started without}
   *
   * @param environment the environment variables, of which {@code NO_COLOR}, {@code CLICOLOR},
   *     {@code CLICOLOR_FORCE}, {@code TERM} and {@code COLUMNS} are read
   * @param stdout {@code terminal} if standard output is one
   * @param stderr {@code terminal} if standard error is one
   */
  public static Terminal of(Map<String, String> environment, String stdout, String stderr) {
    boolean out = stdout.equals("terminal");
    Integer columns = Ints.tryParse(environment.getOrDefault("COLUMNS", ""));
    return new Terminal(
        out,
        stderr.equals("terminal"),
        isColored(environment, out),
        Math.max(MIN_WIDTH, Objects.requireNonNullElse(columns, DEFAULT_WIDTH)),
        Ticker.systemTicker());
  }

  private static boolean isColored(Map<String, String> environment, boolean out) {
    if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
      return false;
    }
    if (!environment.getOrDefault("CLICOLOR_FORCE", "0").equals("0")) {
      return true;
    }
    return out
        && !environment.getOrDefault("CLICOLOR", "1").equals("0")
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
