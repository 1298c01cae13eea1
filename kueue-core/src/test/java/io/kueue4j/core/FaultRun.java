package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.PreemptionConflict;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.StatusChange;
import io.kueue4j.core.decision.WorkloadRemoved;
import io.kueue4j.core.fault.FaultPoints;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * One random life of an engine in which each call fails at many places before it succeeds, beside a
 * twin whose calls do not fail. Runs on classes that a {@link io.kueue4j.core.fault.FaultLoader}
 * has loaded.
 *
 * <p>After each failure the engine must be as it was before the call. The call that finally
 * succeeds must return the same as that of the twin, and cause the same events.
 */
public final class FaultRun implements LongConsumer {
  private static final int STEPS = 25;
  private static final int MOST_FAILURES = 40;

  /** The number of failures between two comparisons of the engine. */
  private static final int LOOK_EVERY = 5;

  /** Calls that do not read the clock, whose places are counted from the start. */
  private static final Set<RandomCall.Kind> WITHOUT_CLOCK = EnumSet.of(
      RandomCall.Kind.RECORDED,
      RandomCall.Kind.TAKE_DECISIONS,
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
      String kind, boolean readsClock, Function<AdmissionEngine, Object> answer, Object text) {
    Object answerOf(AdmissionEngine engine) {
      return answer.apply(engine);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  private Call nextCall() {
    RandomCall call = RandomCall.next(random, now);
    return new Call(
        call.kind().toString(), !WITHOUT_CLOCK.contains(call.kind()), call::answerOf, call);
  }

  private Call nextOnPlaces() {
    PlacesPlay.Kind kind = PlacesPlay.next(random);
    long seed = random.nextInt(1 << 20);
    return new Call(
        kind + " on places",
        kind != PlacesPlay.Kind.NODE_RECOVERED,
        engine -> PlacesPlay.answerOf(engine, kind, seed),
        kind + " " + seed);
  }

  @Override
  public void accept(long seed) {
    random = new Random(seed);
    now = Cluster.START;
    Settings settings = settings();
    Listened engine = newEngine(settings);
    Listened twin = newEngine(settings);
    boolean onPlaces = random.nextInt(3) == 0;
    if (onPlaces) {
      PlacesPlay.begin(engine.engine);
      PlacesPlay.begin(twin.engine);
    }
    for (RandomCall call : onPlaces ? List.<RandomCall>of() : RandomCall.beginning(random, now)) {
      call.callOn(engine.engine);
      call.callOn(twin.engine);
    }
    for (int i = 0; i < STEPS; i++) {
      if (random.nextInt(4) == 0) {
        now = now.plusSeconds(random.nextInt(20));
      }
      step(onPlaces ? nextOnPlaces() : nextCall(), engine.engine, twin.engine);
    }
    assertThat(engine.events).as("events").isEqualTo(twin.events);
    assertThat(EngineDescription.describe(engine.engine))
        .isEqualTo(EngineDescription.describe(twin.engine));
  }

  /**
   * Makes a call of the twin, lets that of the engine fail at its places, and then makes it, too.
   */
  private void step(Call call, AdmissionEngine engine, AdmissionEngine twin) {
    List<String> before = describe(engine);
    // Queries bring an engine up to date, so query the twin, too.
    var unused = describe(twin);
    arm(call, Long.MAX_VALUE);
    Object expected = call.answerOf(twin);
    long places = FaultPoints.disarm();
    List<String> failed = new ArrayList<>();
    for (long place : places(places)) {
      Object answer = fail(call, engine, place);
      if (!FaultPoints.hasFailed()) {
        // The twin has passed more places, since it has not cached yet what the engine has.
        assertThat(answer).as("answer of %s", call).hasToString(expected.toString());
        return;
      }
      failed.add(FaultPoints.describe(FaultPoints.lastSite()));
      if (failed.size() == LOOK_EVERY) {
        check(call, failed, engine, before);
      }
    }
    check(call, failed, engine, before);
    assertThat(call.answerOf(engine)).as("answer of %s", call).hasToString(expected.toString());
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
      Object answer = call.answerOf(engine);
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

  private static void check(
      Call call, List<String> failed, AdmissionEngine engine, List<String> before) {
    assertThat(describe(engine)).as("%s failed at %s", call, failed).isEqualTo(before);
    failed.clear();
  }

  /** {@return the visible state of an engine, without the search for remedies} */
  private static List<String> describe(AdmissionEngine engine) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add(engine.toString());
    EngineDescription.describe(engine.view()).lines().forEach(lines::add);
    engine.view().tpuPoolSets().forEach(pools -> lines.add(pools.toString()));
    Stream.concat(RandomCall.ids().stream(), PlacesPlay.ids().stream()).forEach(id -> {
      try {
        lines.add(
            id + " " + engine.lifecycle().status(id) + engine.admission(id) + engine.preempted(id));
      } catch (IllegalArgumentException unknown) {
        lines.add(id + " is unknown");
      }
    });
    return lines.build();
  }

  private Listened newEngine(Settings settings) {
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
      public void preemptionsConflicted(ImmutableList<PreemptionConflict> conflicts) {
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
        .listener(listener, failure -> {
          throw new InternalError("the listener of a test must not fail", failure);
        })
        .build();
    return new Listened(engine, events);
  }

  private Settings settings() {
    return RandomSettings.build(
        FlavorsCluster.settings(),
        random,
        podsReady -> podsReady.jitter((workload, count) -> {
          FaultPoints.passFatally(JITTER);
          return PodsReadyPolicy.MAX_JITTER / count;
        }));
  }
}
