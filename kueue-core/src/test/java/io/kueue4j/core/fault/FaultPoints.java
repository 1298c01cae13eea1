package io.kueue4j.core.fault;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The places where {@link FaultLoader} lets code fail. Not thread-safe. */
public final class FaultPoints {
  private static final List<String> SITES = new ArrayList<>();

  /** How many more places are passed before one fails; negative for none. */
  private static long left = -1;

  private static long armed;
  private static boolean begun;
  private static boolean fatal;
  private static boolean failed;

  /** How many elementary changes are being made, one in the other. */
  private static int shields;

  private static String call = "";
  private static int last;
  private static long failures;

  /** The places that have failed, by the kind of call. */
  private static final Map<String, BitSet> FAILED = new TreeMap<>();

  private FaultPoints() {}

  /** What a place throws that fails. */
  public static final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** What a place throws that fails, and that no code may catch but to take changes back. */
  public static final class FatalFault extends VirtualMachineError {
    private static final long serialVersionUID = 1;
  }

  /** {@return the number of a new place} */
  public static int add(String site) {
    SITES.add(site);
    return SITES.size() - 1;
  }

  /** Says in which line a place is. */
  static void locate(int site, int line) {
    SITES.set(site, SITES.get(site) + ":" + line);
  }

  /** Is called at every place. */
  public static void pass(int site) {
    if (begun && shields == 0 && left >= 0) {
      if (left == 0) {
        fail(site);
      }
      left--;
    }
  }

  /** Is called at places where only what must not be caught reaches the caller. */
  public static void passFatally(int site) {
    if (fatal || left > Integer.MAX_VALUE) {
      pass(site);
    }
  }

  private static void fail(int site) {
    failed = true;
    left = -1;
    last = site;
    failures++;
    FAILED.computeIfAbsent(call, unused -> new BitSet()).set(site);
    if (fatal) {
      throw new FatalFault();
    }
    throw new Fault();
  }

  /** Sets whether places that fail throw a {@link FatalFault} or a {@link Fault}. */
  public static void setFatal(boolean fatally) {
    fatal = fatally;
  }

  /**
   * Lets the place fail that is passed after {@code others}, counted from {@link #begin}.
   *
   * @param kind which call is made
   * @param others how many, {@link Long#MAX_VALUE} to count only
   */
  public static void arm(String kind, long others) {
    call = kind;
    armed = others;
    left = others;
    begun = false;
    failed = false;
    shields = 0;
  }

  /** Begins to count what is passed. */
  public static void begin() {
    begun = true;
  }

  /** Begins an elementary change, in which nothing fails. */
  public static void shield() {
    shields++;
  }

  /** Ends an elementary change. */
  public static void unshield() {
    shields--;
  }

  /** {@return how many places have been passed since {@link #arm}; none fails any more} */
  public static long disarm() {
    long passed = armed - left;
    left = -1;
    return passed;
  }

  /** {@return whether a place has failed since {@link #arm}} */
  public static boolean hasFailed() {
    return failed;
  }

  /** {@return the place that failed last} */
  public static int lastSite() {
    return last;
  }

  /** {@return class, method and line of a place} */
  public static String describe(int site) {
    return SITES.get(site);
  }

  /** {@return how many places have failed} */
  public static long failures() {
    return failures;
  }

  /** {@return how many places have failed, and where} */
  public static String report() {
    BitSet all = new BitSet();
    FAILED.values().forEach(all::or);
    int pairs = FAILED.values().stream().mapToInt(BitSet::cardinality).sum();
    return failures + " failures at " + all.cardinality() + " places of " + SITES.size() + "; "
        + FAILED.size() + " kinds of calls, " + pairs + " pairs of call and place";
  }
}
