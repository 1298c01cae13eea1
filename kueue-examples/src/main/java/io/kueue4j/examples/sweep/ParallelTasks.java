package io.kueue4j.examples.sweep;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs tasks at the same time in threads of their own. */
public final class ParallelTasks {
  private ParallelTasks() {}

  /**
   * {@return the results of the tasks, in their order}
   *
   * <p>If a task fails, those that have begun are interrupted, no others begin, and its exception
   * is thrown.
   *
   * @param threads the number of threads, at least 1
   * @param name the name of the threads
   */
  public static <T> ImmutableList<T> run(
      int threads, String name, List<? extends Callable<T>> tasks) {
    ExecutorService executor = Executors.newFixedThreadPool(threads, task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    });
    try {
      List<Future<T>> futures = new ArrayList<>();
      tasks.forEach(task -> futures.add(executor.submit(task)));
      ImmutableList.Builder<T> results = ImmutableList.builder();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results.build();
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException(cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while tasks run", e);
    } finally {
      executor.shutdownNow();
    }
  }
}
