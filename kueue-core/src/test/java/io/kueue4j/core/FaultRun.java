package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict;
import io.kueue4j.core.decision.EngineListener.StatusChange;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.fault.FaultPoints;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;

/**
 * Draws random lives of an engine in which each call fails at many places before it succeeds,
 * beside a twin whose calls do not fail. Runs on classes that a
 * {@link io.kueue4j.core.fault.FaultLoader} has loaded.
 *
 * <p>After each failure the engine must be as it was before the call, which assertion mode checks.
 * The call that finally succeeds must return the same as the call of the twin, and cause the same
 * events.
 */
public final class FaultRun implements Function<Choices, Runnable> {
  private static final int STEPS = 25;
  private static final int MOST_FAILURES = 40;

  /** Calls that do not read the clock, whose places are counted from the start. */
  private static final Set<RandomCall.Kind> WITHOUT_CLOCK = EnumSet.of(
      RandomCall.Kind.RECORDED,
      RandomCall.Kind.RESTORE_USAGE,
      RandomCall.Kind.ADMISSION,
      RandomCall.Kind.PREEMPTED,
      RandomCall.Kind.PRINT);

  /** Warns of messages that could not be created because a place has failed. */
  private static final Logger MESSAGES = Logger.getLogger("com.google.common.base.Strings");

  static {
    MESSAGES.setLevel(Level.OFF);
  }

  private static final int CLOCK = FaultPoints.add("the clock");
  private static final int JITTER = FaultPoints.add("the jitter");

  /**
   * A life of an engine, and what fails in it.
   *
   * @param settings the settings of the engine
   * @param onPlaces whether its pods are placed on nodes and its slices in pools
   * @param beginning its configuration, empty if {@code onPlaces}
   * @param steps the calls
   * @param faults determines the places that fail, of those that a call turns out to have
   */
  private record Life(
      Settings settings, boolean onPlaces, List<RandomCall> beginning, List<Step> steps, int faults)
      implements Runnable {
    static Life draw(Choices choices) {
      boolean onPlaces = choices.nextInt(3) == 2;
      return new Life(
          FaultRun.settings(choices),
          onPlaces,
          onPlaces ? ImmutableList.of() : RandomCall.beginning(choices),
          choices.list(STEPS, each -> Step.draw(each, onPlaces)),
          choices.nextInt(1 << 20));
    }

    @Override
    public void run() {
      new FaultRun().play(this);
    }

    @Override
    public String toString() {
      return settings + (onPlaces ? " on places" : "") + "\n  "
          + Joiner.on("\n  ").join(Iterables.concat(beginning, steps))
          + "\n  faults " + faults;
    }
  }

  /** A call, and the time that passes before. */
  private record Step(int seconds, Call call) {
    static Step draw(Choices choices, boolean onPlaces) {
      return new Step(
          choices.nextInt(4) == 3 ? choices.nextInt(20) : 0,
          onPlaces ? nextOnPlaces(choices) : nextCall(choices));
    }

    @Override
    public String toString() {
      return seconds == 0 ? call.toString() : "after " + seconds + " s " + call;
    }
  }

  private Instant now = Cluster.START;
  private Random random = new Random(0);

  /** An engine and the events that its listener received. */
  private record Listened(AdmissionEngine engine, List<String> events) {}

  /**
   * A call.
   *
   * @param kind the kind
   * @param readsClock whether it reads the clock, so that places are counted from there
   */
  private record Call(
      String kind,
      boolean readsClock,
      BiFunction<AdmissionEngine, Instant, Object> answer,
      Object text) {
    Object answerOf(AdmissionEngine engine, Instant time) {
      return answer.apply(engine, time);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  private static Call nextCall(Choices choices) {
    RandomCall call = RandomCall.next(choices);
    return new Call(
        call.kind().toString(),
        !WITHOUT_CLOCK.contains(call.kind()),
        (engine, time) -> call.at(time).answerOf(engine),
        call);
  }

  private static Call nextOnPlaces(Choices choices) {
    RandomPlacementCall.Kind kind = RandomPlacementCall.next(choices);
    Operation<AdmissionEngine> operation = RandomPlacementCall.operation(kind, choices);
    return new Call(
        kind + " on places",
        kind != RandomPlacementCall.Kind.NODE_RECOVERED,
        (engine, time) -> RandomPlacementCall.answerOf(engine, operation),
        operation);
  }

  /** {@return a life that was drawn; running it fails unless each failed call changes nothing} */
  @Override
  public Runnable apply(Choices choices) {
    return Life.draw(choices);
  }

  private void play(Life life) {
    random = new Random(life.faults());
    Listened engine = newEngine(life.settings(), AssertionMode.FULL);
    Listened twin = newEngine(life.settings(), AssertionMode.NONE);
    if (life.onPlaces()) {
      RandomPlacementCall.begin(engine.engine);
      RandomPlacementCall.begin(twin.engine);
    }
    for (RandomCall call : life.beginning()) {
      call.callOn(engine.engine);
      call.callOn(twin.engine);
    }
    for (Step step : life.steps()) {
      now = now.plusSeconds(step.seconds());
      step(step.call(), engine.engine, twin.engine);
    }
    assertThat(engine.events).as("events").isEqualTo(twin.events);
    assertThat(EngineDescription.describe(engine.engine))
        .isEqualTo(EngineDescription.describe(twin.engine));
  }

  /**
   * Makes a call of the twin, lets the same call of the engine fail at its places, and then makes
   * it, too.
   */
  private void step(Call call, AdmissionEngine engine, AdmissionEngine twin) {
    arm(call, Long.MAX_VALUE);
    Object expected = call.answerOf(twin, now);
    long places = FaultPoints.disarm();
    for (long place : places(places)) {
      Object answer = fail(call, engine, place);
      if (!FaultPoints.hasFailed()) {
        // The twin has passed more places, since it has not cached yet what the engine has.
        assertThat(answer).as("answer of %s", call).hasToString(expected.toString());
        return;
      }
    }
    assertThat(call.answerOf(engine, now))
        .as("answer of %s", call)
        .hasToString(expected.toString());
  }

  /** {@return the places to let fail: all of them, or some at random} */
  private List<Long> places(long count) {
    if (count <= MOST_FAILURES) {
      return LongStream.range(0, count).boxed().toList();
    }
    return random.longs(MOST_FAILURES, 0, count).boxed().toList();
  }

  private static void arm(Call call, long place) {
    FaultPoints.arm(call.kind(), place);
    if (!call.readsClock()) {
      FaultPoints.begin();
    }
  }

  /** {@return the answer, or the exception} */
  private Object fail(Call call, AdmissionEngine engine, long place) {
    FaultPoints.setFatal(random.nextBoolean());
    arm(call, place);
    try {
      Object answer = call.answerOf(engine, now);
      if (FaultPoints.hasFailed()) {
        // Guava caught it while creating the message of an exception.
        assertThat(answer).as("answer after a failure").isInstanceOf(RuntimeException.class);
      }
      return answer;
    } catch (FaultPoints.Fault | FaultPoints.FatalFault fault) {
      assertThat(fault.getSuppressed())
          .as("what failed when the call was taken back")
          .isEmpty();
      return fault;
    } finally {
      FaultPoints.disarm();
    }
  }

  private Listened newEngine(Settings settings, AssertionMode assertions) {
    List<String> events = new ArrayList<>();
    EngineListener listener = new EngineListener() {
      @Override
      public void statusChanged(StatusChange change) {
        events.add(change.toString());
      }

      @Override
      public void departed(WorkloadRemoved departure) {
        events.add(departure.toString());
      }

      @Override
      public void preemptionsConflicted(List<PreemptionConflict> conflicts) {
        events.add(conflicts.toString());
      }
    };
    AdmissionEngine engine = AdmissionEngine.builder()
        .clock(() -> {
          FaultPoints.begin();
          FaultPoints.pass(CLOCK);
          return now;
        })
        .settings(settings)
        .assertions(assertions)
        .listener(listener, failure -> {
          throw new InternalError("the listener of a test must not fail", failure);
        })
        .build();
    return new Listened(engine, events);
  }

  private static Settings settings(Choices choices) {
    return RandomSettings.build(
        ConcurrentFlavors.settings(),
        choices,
        podsReady -> podsReady.jitter((workload, count) -> {
          FaultPoints.passFatally(JITTER);
          return PodsReadyPolicy.MAX_JITTER / count;
        }));
  }
}
