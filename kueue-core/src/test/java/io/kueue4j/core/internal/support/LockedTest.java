package io.kueue4j.core.internal.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.RepeatedTest;

/** Stacks that are full. */
class LockedTest {
  private static final long STACK_BYTES = 256 * 1024;
  private static final Function<String, String> STEP = Function.identity();

  /** Steps that do nothing. */
  private static final class NoSteps implements Locked.Steps {
    @Override
    public void begin() {}

    @Override
    public void done() {}

    @Override
    public void failed(Throwable failure) {}

    @Override
    public void afterwards() {}
  }

  private final Locked<String> locked = new Locked<>("value", new NoSteps());

  /** Calls at every depth, beginning with that at which the stack is full. */
  @SuppressWarnings("InfiniteRecursion") // until the stack is full
  private void dive() {
    try {
      dive();
    } catch (StackOverflowError full) {
      // As deep as it gets.
    }
    try {
      String unused = locked.call(STEP);
    } catch (StackOverflowError full) {
      // There may be room enough one frame above.
    }
  }

  @RepeatedTest(20)
  void aFullStackLeavesTheLockFree() throws InterruptedException {
    // Links what a full stack has no room to link.
    assertThat(locked.call(STEP)).isEqualTo("value");

    Thread diver = new Thread(null, this::dive, "diver", STACK_BYTES);
    diver.start();
    diver.join();

    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertThat(locked.call(STEP)).isEqualTo("value"));
  }
}
