package io.kueue4j.core.testkit.jqwik;

import com.google.common.base.Joiner;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import org.jspecify.annotations.Nullable;

/**
 * A run of a test that makes its random choices while it runs, because they depend on what has
 * happened so far. It prints what the test has noted ({@link Choices#note}), and shrinks to a run
 * with fewer and simpler choices.
 *
 * <pre>{@code
 * @Provide
 * Arbitrary<Run> runs() {
 *   return Run.of(choices -> assertThat(new Stack(choices.nextInt(9)).isFull()).isFalse());
 * }
 *
 * @Property
 * void neverFull(@ForAll("runs") Run run) {
 *   run.check();
 * }
 * }</pre>
 *
 * <p>Where the choices depend on nothing, give the property typed values instead.
 */
public final class Run {
  private final List<String> notes;
  private final @Nullable RuntimeException exception;
  private final @Nullable AssertionError failure;

  private Run(
      List<String> notes, @Nullable RuntimeException exception, @Nullable AssertionError failure) {
    this.notes = notes;
    this.exception = exception;
    this.failure = failure;
  }

  /** {@return runs of {@code test}, which must depend on nothing but its choices} */
  public static Arbitrary<Run> of(Consumer<? super Choices> test) {
    return Choices.arbitrary(choices -> run(test, choices));
  }

  private static Run run(Consumer<? super Choices> test, Choices choices) {
    try {
      test.accept(choices);
      return new Run(choices.notes(), null, null);
    } catch (Choices.NeverEndingException neverEnding) {
      throw neverEnding;
    } catch (RuntimeException exception) {
      return new Run(choices.notes(), exception, null);
    } catch (AssertionError failure) {
      return new Run(choices.notes(), null, failure);
    }
  }

  /** Throws what the test has thrown, if anything. */
  public void check() {
    if (exception != null) {
      throw exception;
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String toString() {
    return Joiner.on("\n    ").join(notes);
  }
}
