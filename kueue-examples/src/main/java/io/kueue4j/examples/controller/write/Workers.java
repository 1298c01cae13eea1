package io.kueue4j.examples.controller.write;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads of which one works at a time, while others wait for the server: decisions are
 * made as by one thread, and writes run concurrently.
 *
 * <p>With a single worker the caller's thread does everything, in an order that is always the same.
 */
public final class Workers implements AutoCloseable {
  /**
   * How many pieces a thread processes in a turn; a turn costs more than a piece without writes.
   */
  private static final int MAX_PIECES = 16;

  private final int count;
  private final @Nullable ExecutorService threads;
  private final ReentrantLock turn = new ReentrantLock(true);
  private long calls;

  private Workers(int count, @Nullable ExecutorService threads) {
    this.count = count;
    this.threads = threads;
  }

  /** {@return the caller's thread alone} */
  public static Workers one() {
    return new Workers(1, null);
  }

  /**
   * {@return a pool of {@code count} threads}
   *
   * @throws IllegalArgumentException if the count is not positive
   */
  public static Workers of(int count) {
    checkArgument(
        count > 0, "workers must be 1 or more, but was %s; give 1 for one write at a time", count);
    return count == 1
        ? one()
        : new Workers(
            count,
            Executors.newFixedThreadPool(
                count,
                new ThreadFactoryBuilder()
                    .setNameFormat("writer-%d")
                    .setDaemon(true)
                    .build()));
  }

  /** {@return the number of calls that threads have waited for} */
  public long calls() {
    return calls;
  }

  /**
   * Processes pieces of work until there are none, and returns when all are done.
   *
   * @param known the number of pieces known now, which limits the number of threads
   * @param next processes the next piece and returns whether there was one; called by one thread at
   *     a time
   * @throws RuntimeException any exception of a piece of work
   */
  public void workOff(int known, BooleanSupplier next) {
    if (threads == null || known <= 1) {
      work(next);
      return;
    }
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < Math.min(known, count); i++) {
      started.add(threads.submit(() -> work(next)));
    }
    @Nullable Throwable failure = null;
    for (Future<?> worker : started) {
      try {
        Uninterruptibles.getUninterruptibly(worker);
      } catch (ExecutionException e) {
        failure = e.getCause();
      }
    }
    if (failure != null) {
      Throwables.throwIfUnchecked(failure);
      throw new IllegalStateException("a piece of work failed", failure);
    }
  }

  private void work(BooleanSupplier next) {
    boolean any = true;
    while (any) {
      turn.lock();
      try {
        for (int pieces = 0; any && pieces < MAX_PIECES; pieces++) {
          any = next.getAsBoolean();
        }
      } finally {
        turn.unlock();
      }
    }
  }

  /**
   * Lets other threads work while {@code call} waits.
   *
   * @return the result of the call
   */
  public <T> T await(Supplier<T> call) {
    calls++;
    turn.unlock();
    try {
      return call.get();
    } finally {
      turn.lock();
    }
  }

  @Override
  public void close() {
    if (threads != null) {
      threads.shutdownNow();
    }
  }
}
