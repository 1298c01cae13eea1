package io.kueue4j.core.internal.support;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls functions passed in by users, whose failures must not reach the engine or its caller.
 *
 * <p>Everything such a function throws goes to a handler. The handler is user code as well; what it
 * throws is dropped. Only a {@link VirtualMachineError}, after which nothing can be relied on,
 * propagates.
 */
public final class UserCode {
  private UserCode() {}

  /** Runs {@code callback}; what it throws goes to {@code onFailure}. */
  public static void run(Runnable callback, Consumer<? super Throwable> onFailure) {
    try {
      callback.run();
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (Throwable failure) {
      handle(failure, onFailure);
    }
  }

  /**
   * {@return the result of {@code callback}, or {@code otherwise} if it throws}
   *
   * @param onFailure receives what it throws; part of the engine, must not throw
   */
  public static <T> T call(
      Supplier<T> callback, T otherwise, Consumer<? super Throwable> onFailure) {
    try {
      return callback.get();
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (Throwable failure) {
      onFailure.accept(failure);
      return otherwise;
    }
  }

  private static void handle(Throwable failure, Consumer<? super Throwable> onFailure) {
    try {
      onFailure.accept(failure);
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (Throwable dropped) {
      // The failure of a handler cannot be reported anywhere.
    }
  }
}
