package io.kueue4j.examples.controller.fault;

import java.util.Arrays;

/**
 * Runs seeds from the command line: {@code FaultRunMain FIRST COUNT [BUG]}; with a count of 0 one,
 * and prints every write. {@code FaultRunMain groups SEED} does that of a life with groups of pods,
 * and {@code FaultRunMain workloads FIRST COUNT [BUG]} records admissions in Workloads.
 * {@code FaultRunMain tenants MODE FIRST COUNT [BUG]} does all that of a life with a hostile
 * tenant.
 */
final class FaultRunMain {
  private FaultRunMain() {}

  public static void main(String[] arguments) {
    if (arguments[0].equals("groups")) {
      GroupFaultRun.trace(Long.parseLong(arguments[1]));
      return;
    }
    if (arguments[0].equals("tenants")) {
      runTenants(
          TenantFaultRun.Mode.valueOf(arguments[1]),
          Long.parseLong(arguments[2]),
          Integer.parseInt(arguments[3]),
          arguments.length > 4 ? PlantedBug.valueOf(arguments[4]) : PlantedBug.NONE);
      return;
    }
    boolean inWorkloads = arguments[0].equals("workloads");
    run(inWorkloads ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments, inWorkloads);
  }

  private static void runTenants(TenantFaultRun.Mode mode, long first, int count, PlantedBug bug) {
    if (count == 0) {
      TenantFaultRun.trace(first, mode, bug);
      return;
    }
    int failed = 0;
    long attacks = 0;
    long starts = 0;
    long processes = 0;
    for (long seed = first; seed < first + count; seed++) {
      TenantFaultRun.Result result = TenantFaultRun.of(seed, mode, bug);
      attacks += result.attacks();
      starts += result.starts();
      processes += result.processes();
      if (!result.violations().isEmpty()) {
        failed++;
        System.out.println("seed " + seed + ": " + result.violations().get(0));
      }
    }
    System.out.printf(
        "%s: %d runs, %d failed; %d attacks, %d starts, %d processes%n",
        mode, count, failed, attacks, starts, processes);
  }

  private static void run(String[] arguments, boolean inWorkloads) {
    long first = Long.parseLong(arguments[0]);
    int count = Integer.parseInt(arguments[1]);
    PlantedBug bug = arguments.length > 2 ? PlantedBug.valueOf(arguments[2]) : PlantedBug.NONE;
    if (count == 0) {
      FaultRun.trace(first, bug, inWorkloads);
      return;
    }
    int failed = 0;
    long starts = 0;
    long stops = 0;
    long writes = 0;
    long processes = 0;
    for (long seed = first; seed < first + count; seed++) {
      FaultRun.Result result = FaultRun.of(seed, bug, inWorkloads);
      starts += result.starts();
      stops += result.stops();
      writes += result.writes();
      processes += result.processes();
      if (!result.violations().isEmpty()) {
        failed++;
        System.out.println("seed " + seed + ": " + result.violations().get(0));
      }
      if ((seed - first + 1) % 500 == 0) {
        System.out.println(seed - first + 1 + " runs, " + failed + " failed");
      }
    }
    System.out.printf(
        "%d runs, %d failed; %d starts, %d stops, %d writes, %d processes%n",
        count, failed, starts, stops, writes, processes);
  }
}
