package io.kueue4j.core.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Namespace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Stacks that are full, and calls that fail. */
class LockedEngineTest {
  private static final long STACK_BYTES = 256 * 1024;
  private static final Function<EngineCore, String> STEP = LockedEngineTest::step;

  private final LockedEngine engine =
      new EngineCore(InstantSource.system(), new EngineState(Settings.defaults())).exclusive(false);

  private static String step(EngineCore core) {
    return "value";
  }

  /** Calls at every depth, beginning with that at which the stack is full. */
  @SuppressWarnings("InfiniteRecursion") // until the stack is full
  private void dive() {
    try {
      dive();
    } catch (StackOverflowError full) {
      // As deep as it gets.
    }
    try {
      String unused = engine.call(STEP);
    } catch (StackOverflowError full) {
      // There may be room enough one frame above.
    }
  }

  @RepeatedTest(20)
  void aFullStackLeavesTheLockFree() throws InterruptedException {
    // Links what a full stack has no room to link.
    assertThat(engine.call(STEP)).isEqualTo("value");

    Thread diver = new Thread(null, this::dive, "diver", STACK_BYTES);
    diver.start();
    diver.join();

    assertTimeoutPreemptively(
        Duration.ofMinutes(1), () -> assertThat(engine.call(STEP)).isEqualTo("value"));
  }

  @Test
  void aViewMadeByACallThatFailsIsForgotten() {
    assertThatThrownBy(() -> engine.call(core -> {
          var unused = core.configurationChange(core.now()).apply(List.of(Namespace.of("ns")));
          assertThat(namespaces(core)).containsOnlyKeys("ns");
          throw new IllegalStateException("failed");
        }))
        .hasMessage("failed");

    assertThat(engine.call(LockedEngineTest::namespaces)).isEmpty();
  }

  private static Map<String, ConfigObject> namespaces(EngineCore core) {
    return core.view().configuration(ConfigKind.NAMESPACE);
  }
}
