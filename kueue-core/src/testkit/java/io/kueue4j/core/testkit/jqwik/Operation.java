package io.kueue4j.core.testkit.jqwik;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One step of a property that makes many calls: the text that a failing sample prints, and the call
 * itself. All that is random in it is chosen when it is created, so that it means the same on every
 * subject, and may be dropped when a list of operations shrinks.
 *
 * @param <S> the type of what it is executed on
 * @param text the call in words, with its arguments
 * @param call the call; returns its answer
 */
public record Operation<S>(String text, Function<? super S, ?> call) {
  /** {@return an operation with an answer} */
  public static <S> Operation<S> of(String text, Function<? super S, ?> call) {
    return new Operation<>(text, call);
  }

  /** {@return an operation without an answer} */
  public static <S> Operation<S> run(String text, Consumer<? super S> call) {
    return new Operation<>(text, subject -> {
      call.accept(subject);
      return "done";
    });
  }

  /**
   * Executes the operation.
   *
   * @return its answer
   */
  @CanIgnoreReturnValue
  public Object on(S subject) {
    return call.apply(subject);
  }

  @Override
  public String toString() {
    return text;
  }
}
