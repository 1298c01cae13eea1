package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is shown of the progress of a command, on a terminal and elsewhere. */
final class ProgressTest {
  private final SettableTicker ticker = new SettableTicker();
  private final StringWriter err = new StringWriter();

  private static final class SettableTicker extends Ticker {
    private long nanos = 5;

    void advance(Duration time) {
      nanos += time.toNanos();
    }

    @Override
    public long read() {
      return nanos;
    }
  }

  private Progress progress(boolean terminal) {
    return Progress.silent(
        "trace", 100, new Terminal(terminal, terminal, false, 100, ticker), new PrintWriter(err));
  }

  @Test
  void nothingIsShownBeforeTwoSeconds() {
    Progress progress = progress(true);
    ticker.advance(Duration.ofMillis(1999));
    progress.add(10);
    progress.print();
    progress.close();

    assertThat(err).hasToString("");
  }

  @Test
  void theRateIsShownIfItHasAUnit() {
    Progress progress = progress(true).withRate("jobs");
    ticker.advance(Duration.ofSeconds(4));
    progress.add(20);
    progress.print();
    assertThat(err).hasToString("\rtrace: 20 %, 16 s left, 5 jobs/s");
  }

  @Test
  void aTerminalHasOneLineThatChangesAndDisappears() {
    Progress progress = progress(true);
    ticker.advance(Duration.ofSeconds(20));
    progress.add(25);
    progress.print();
    assertThat(err).hasToString("\rtrace: 25 %, 1 min 0 s left");

    ticker.advance(Duration.ofSeconds(20));
    progress.set(80);
    progress.print();
    assertThat(err.toString()).endsWith("\rtrace: 80 %, 10 s left     ");

    progress.close();
    assertThat(err.toString()).endsWith("\r" + " ".repeat(22) + "\r");
    progress.erase();
    assertThat(err.toString()).endsWith("left     \r" + " ".repeat(22) + "\r");
  }

  @Test
  void elsewhereThereIsALineEveryTenSeconds() {
    Progress progress = progress(false);
    for (int second = 1; second <= 25; second++) {
      ticker.advance(Duration.ofSeconds(1));
      progress.add(1);
      progress.print();
    }
    progress.close();

    assertThat(err).hasToString("trace: 10 %, 1 min 30 s left\ntrace: 20 %, 1 min 20 s left\n");
  }

  @Test
  void theTimeThatIsLeftIsUnknownBeforeSomethingIsDone() {
    Progress progress = progress(true);
    ticker.advance(Duration.ofMinutes(125));
    progress.print();

    assertThat(err).hasToString("\rtrace: 2 h 5 min so far");
  }
}
