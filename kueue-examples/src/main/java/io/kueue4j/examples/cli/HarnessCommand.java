package io.kueue4j.examples.cli;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.AdmissionInvariants;
import io.kueue4j.core.testkit.HarnessResult;
import io.kueue4j.core.testkit.HarnessRun;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.ScenarioOptions;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Compares the engine with the reference model over many random steps. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "harness",
    description = {
      "Plays random scenarios against the engine and the reference model, and compares after each"
          + " step.",
      "Stops at the first difference and prints the line that shows it again."
    },
    exitCodeList = {"0:no difference", "1:a difference", "2:the input cannot be used"})
public final class HarnessCommand extends ExampleCommand {
  /** So many steps are reported in one line. */
  private static final long CHUNK = 50_000;

  private static final long PIECE = 1_000;

  private static final int MAX_SCALE = 100;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Play so many steps; ${DEFAULT-VALUE} unless set.")
  private long steps;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "The first seed; each scenario has the next. ${DEFAULT-VALUE} unless set.")
  private long seed;

  @Option(
      names = "--scale",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Let scenarios have up to N times as many ClusterQueues, cohorts, flavors and steps;"
            + " ${DEFAULT-VALUE} unless set.",
        "Small ones show a difference in fewer steps; large ones show some that small ones rarely do."
      })
  private int scale;

  @Option(
      names = "--invariants",
      description = "Check the invariants that Kueue keeps as well; takes about ten times as long.")
  private boolean invariants;

  @Option(
      names = "--assertions",
      description = "Let the engine check itself after each call; takes about ten times as long.")
  private boolean assertions;

  @Option(
      names = KueueVersionOption.NAME,
      paramLabel = "VERSION",
      converter = KueueVersionOption.class,
      description = "Decide as this release of Kueue does; a random one per scenario unless set.")
  private Optional<KueueVersion> kueueVersion = Optional.empty();

  @Option(
      names = "--scenario",
      paramLabel = "LINE",
      description = "Play this scenario only, a line that was printed or seed:N.")
  private Optional<String> scenario = Optional.empty();

  /** Creates the command; the command line sets its arguments. */
  public HarnessCommand() {}

  @Override
  public Integer call() {
    if (steps < 1) {
      throw new ParameterException(
          spec.commandLine(), "--steps is " + steps + ", expected 1 or more");
    }
    if (scale < 1 || scale > MAX_SCALE) {
      throw new ParameterException(
          spec.commandLine(), "--scale is " + scale + ", expected 1 to " + MAX_SCALE);
    }
    return scenario.map(this::play).orElseGet(this::playAll);
  }

  private HarnessRun run() {
    ScenarioOptions small = invariants ? ScenarioOptions.defaults() : ScenarioOptions.compared();
    ScenarioOptions.Builder options = ScenarioOptions.builder()
        .from(small)
        .clusterQueues(scale * small.clusterQueues())
        .cohorts(scale * small.cohorts())
        .flavors(scale * small.flavors())
        .steps(scale * small.steps());
    kueueVersion.ifPresent(options::kueueVersion);
    return HarnessRun.of(
            assertions ? AdmissionEngineUnderTest::asserting : AdmissionEngineUnderTest::create)
        .against(ReferenceEngine::new)
        .options(options.build())
        .invariants(invariants ? AdmissionInvariants.parity() : ImmutableSet.of());
  }

  private int play(String line) {
    Scenario parsed;
    try {
      parsed = Scenario.parse(line);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), String.valueOf(e.getMessage()), e, null, line);
    }
    PrintWriter out = spec.commandLine().getOut();
    return run()
        .play(parsed)
        .map(failure -> {
          out.println(failure);
          return ExitCodes.DISAGREEMENT;
        })
        .orElseGet(() -> {
          out.println("steps=" + parsed.steps().size() + " divergences=0");
          return ExitCodes.OK;
        });
  }

  private int playAll() {
    try (Progress progress = progress(steps)) {
      return playAll(progress);
    }
  }

  private int playAll(Progress progress) {
    PrintWriter out = spec.commandLine().getOut();
    Stopwatch watch = Stopwatch.createStarted();
    long done = 0;
    long next = seed;
    while (done < steps) {
      HarnessResult result = playChunk(Math.min(CHUNK, steps - done), next, done, progress);
      done += result.steps();
      next = result.nextSeed();
      progress.erase();
      long millis = Math.max(1, watch.elapsed(TimeUnit.MILLISECONDS));
      out.println(String.format(
          Locale.ROOT,
          "steps=%d steps_per_second=%d next_seed=%d divergences=%d",
          done,
          done * 1000 / millis,
          next,
          result.failure().isPresent() ? 1 : 0));
      out.flush();
      if (result.failure().isPresent()) {
        out.println(result.failure().get());
        return ExitCodes.DISAGREEMENT;
      }
    }
    return ExitCodes.OK;
  }

  /** Plays scenarios until so many steps are played, in pieces that progress is noted after. */
  private HarnessResult playChunk(long chunk, long first, long before, Progress progress) {
    long played = 0;
    HarnessResult piece;
    long next = first;
    do {
      piece = run().steps(Math.min(PIECE, chunk - played)).seed(next).run();
      played += piece.steps();
      next = piece.nextSeed();
      progress.set(before + played);
    } while (played < chunk && piece.failure().isEmpty());
    return new HarnessResult(next - first, played, next, piece.failure());
  }
}
