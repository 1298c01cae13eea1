package io.kueue4j.examples.controller.fault;

import com.google.common.base.Throwables;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/**
 * Runs seeds from the command line: {@code FaultRunMain RUNS FIRST COUNT [BUG]}; with a count of 0
 * one, and prints every write.
 *
 * <p>{@code RUNS} is {@code jobs}, {@code groups}, {@code tenants}, or {@code checks} for tenants
 * with an admission check.
 */
final class FaultRunMain {
  private static final int INTERVAL = 500;

  private FaultRunMain() {}

  /** The runs of a kind. */
  private interface Runs {
    Outcome of(long seed);

    /** Runs a seed and prints every write. */
    void trace(long seed);
  }

  /** The result of a run. */
  private record Outcome(List<String> violations, int starts, int processes) {}

  public static void main(String[] arguments) {
    if (arguments.length < 3) {
      throw new IllegalArgumentException("given " + List.of(arguments)
          + "; expected RUNS FIRST COUNT [BUG], such as: tenants 1 100");
    }
    PlantedBug bug = arguments.length > 3 ? PlantedBug.valueOf(arguments[3]) : PlantedBug.NONE;
    Runs runs = runs(arguments[0], bug);
    long first = Long.parseLong(arguments[1]);
    int count = Integer.parseInt(arguments[2]);
    if (count == 0) {
      runs.trace(first);
      return;
    }
    long began = System.nanoTime();
    int failed = 0;
    long starts = 0;
    long processes = 0;
    for (int done = 1; done <= count; done++) {
      long seed = first + done - 1;
      Outcome outcome = outcome(runs, seed);
      starts += outcome.starts();
      processes += outcome.processes();
      if (!outcome.violations().isEmpty()) {
        failed++;
        System.out.println("seed " + seed + ": " + outcome.violations().get(0));
      }
      if (done % INTERVAL == 0 || done == count) {
        System.out.printf(
            Locale.ROOT,
            "%s: %d lives from seed %d, %d failed; %d starts, %d processes; %d s%n",
            arguments[0],
            done,
            first,
            failed,
            starts,
            processes,
            (System.nanoTime() - began) / 1_000_000_000);
      }
    }
  }

  /** Prints every write to a cluster from now on. */
  static void print(StrictCluster cluster, InstantSource clock) {
    cluster.watch(write -> System.out.println(
        "  " + clock.instant() + " " + write + " " + (write.after() == null ? "" : write.after())));
  }

  /** {@return the outcome of a life; a failure of the run itself is a violation} */
  private static Outcome outcome(Runs runs, long seed) {
    try {
      return runs.of(seed);
    } catch (RuntimeException e) {
      return new Outcome(List.of(Throwables.getStackTraceAsString(e)), 0, 0);
    }
  }

  private static Runs runs(String kind, PlantedBug bug) {
    return switch (kind) {
      case "jobs" ->
        new Runs() {
          @Override
          public Outcome of(long seed) {
            FaultRun.Result result = FaultRun.of(seed, bug);
            return new Outcome(result.violations(), result.starts(), result.processes());
          }

          @Override
          public void trace(long seed) {
            FaultRun.trace(seed, bug);
          }
        };
      case "groups" ->
        new Runs() {
          @Override
          public Outcome of(long seed) {
            GroupFaultRun.Result result = GroupFaultRun.of(seed, bug);
            return new Outcome(result.violations(), result.starts(), 0);
          }

          @Override
          public void trace(long seed) {
            GroupFaultRun.trace(seed);
          }
        };
      case "tenants", "checks" ->
        new Runs() {
          private final boolean hasChecks = kind.equals("checks");

          @Override
          public Outcome of(long seed) {
            TenantFaultRun.Result result = TenantFaultRun.of(seed, hasChecks, bug);
            return new Outcome(result.violations(), result.starts(), result.processes());
          }

          @Override
          public void trace(long seed) {
            TenantFaultRun.trace(seed, hasChecks, bug);
          }
        };
      default ->
        throw new IllegalArgumentException(
            "\"" + kind + "\"; expected jobs, groups, tenants or checks");
    };
  }
}
