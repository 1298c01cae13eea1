package io.kueue4j.examples.cli;

import com.google.common.base.Strings;
import com.google.common.base.Ticker;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says on standard error how far a command is and how long it will still take, from two seconds on.
 *
 * <p>On a terminal there is one line, which changes and disappears in the end; elsewhere there is a
 * line every ten seconds.
 *
 * <pre>{@code
 * try (Progress progress = Progress.start("trace", total, terminal, err)) {
 *   for (Item item : items) {
 *     play(item);
 *     progress.add(1);
 *   }
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
final class Progress implements AutoCloseable {
  private static final Duration SILENCE = Duration.ofSeconds(2);
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(500);

  private final String what;
  private final long total;
  private final boolean terminal;
  private final Ticker ticker;
  private final PrintWriter err;
  private final long begin;
  private @Nullable Thread printer;
  private String unit = "";
  private long lastLine;
  private long done;

  /** The number of characters of the line that stands on the terminal. */
  private int shown;

  private Progress(String what, long total, Terminal terminal, PrintWriter err) {
    this.what = what;
    this.total = total;
    this.terminal = terminal.err();
    this.ticker = terminal.ticker();
    this.err = err;
    this.begin = ticker.read();
    this.lastLine = begin;
  }

  /**
   * Starts to show progress; {@link #close} ends that.
   *
   * @param what the name of what is done
   * @param total how much is to be done, in any unit; of which equal amounts should take equal
   *     times
   * @param terminal the terminal
   * @param err standard error
   */
  static Progress start(String what, long total, Terminal terminal, PrintWriter err) {
    Progress progress = silent(what, total, terminal, err);
    Thread printer = new Thread(progress::printUntilInterrupted, "progress");
    printer.setDaemon(true);
    progress.printer = printer;
    printer.start();
    return progress;
  }

  /** {@return one that prints only on {@link #print}} */
  static Progress silent(String what, long total, Terminal terminal, PrintWriter err) {
    return new Progress(what, total, terminal, err);
  }

  /**
   * Shows the rate as well, in {@code things} per second.
   *
   * @return this
   */
  @CanIgnoreReturnValue
  synchronized Progress withRate(String things) {
    unit = things;
    return this;
  }

  /** Adds to what is done. */
  synchronized void add(long more) {
    done += more;
  }

  /** Sets how much is done. */
  synchronized void set(long amount) {
    done = amount;
  }

  /** Removes the line from the terminal, so that something else can be printed. */
  synchronized void erase() {
    if (shown > 0) {
      err.print("\r" + " ".repeat(shown) + "\r");
      err.flush();
      shown = 0;
    }
  }

  /** Prints how far it is, if it is time to. */
  synchronized void print() {
    Duration elapsed = Duration.ofNanos(ticker.read() - begin);
    if (elapsed.compareTo(SILENCE) < 0) {
      return;
    }
    String line = line(elapsed);
    if (terminal) {
      err.print("\r" + Strings.padEnd(line, shown, ' '));
      shown = line.length();
    } else if (ticker.read() - lastLine >= BETWEEN_LINES.toNanos()) {
      lastLine = ticker.read();
      err.print(line + "\n");
    }
    err.flush();
  }

  private String line(Duration elapsed) {
    if (done <= 0 || done > total) {
      return what + ": " + text(elapsed) + " so far";
    }
    double left = elapsed.toMillis() * ((double) (total - done) / done);
    String rate = unit.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT, ", %,d %s/s", done * 1000 / Math.max(1, elapsed.toMillis()), unit);
    return String.format(
        Locale.ROOT,
        "%s: %d %%, %s left%s",
        what,
        done * 100 / total,
        text(Duration.ofMillis((long) left)),
        rate);
  }

  private static String text(Duration duration) {
    if (duration.toHours() > 0) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    return duration.toMinutes() > 0
        ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
        : duration.toSeconds() + " s";
  }

  private void printUntilInterrupted() {
    try {
      while (true) {
        Thread.sleep(BETWEEN_CHANGES.toMillis());
        print();
      }
    } catch (InterruptedException e) {
      // The end.
    }
  }

  @Override
  public void close() {
    Thread running = printer;
    if (running != null) {
      running.interrupt();
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    erase();
  }
}
