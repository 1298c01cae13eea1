package io.kueue4j.core.support;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls functions that users have passed in and whose failures must not reach the engine or its
 * caller.
 *
 * <p>Everything such a function throws goes to a handler, which is user code as well: what that
 * throws is dropped. Only a {@link VirtualMachineError}, after which nothing can be relied on,
 * passes.
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
   * {@return what {@code callback} returns, {@code otherwise} if it throws}
   *
   * @param onFailure takes what it throws; part of the engine, so that it does not throw
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
      // There is no one to whom the failure of a handler could be reported.
    }
  }
}
