package io.kueue4j.core.internal.preemption;

import java.util.List;

/**
 * Puts back victims that turn out not to be needed.
 *
 * <p>Rules: P-14, H-23, H-24, H-25.
 */
final class FillBack {
  private FillBack() {}

  /**
   * Removes from {@code victims}, all of which are taken out, those that are not needed for
   * {@code demand} to fit.
   */
  static void apply(List<Victim> victims, Demand demand, boolean allowsBorrowing) {
    for (int i = victims.size() - 2; i >= 0; i--) {
      demand.putBack(victims.get(i).holder());
      if (demand.fits(allowsBorrowing)) {
        victims.set(i, victims.get(victims.size() - 1));
        victims.remove(victims.size() - 1);
      } else {
        demand.takeOut(victims.get(i).holder());
      }
    }
  }
}
