package io.kueue4j.core.preemption;

import java.util.List;

/** A way to find victims. */
interface VictimSearch {
  /**
   * Searches. Usage is as before when it returns.
   *
   * @param preemptor for whom
   * @param demand for what
   * @return whom to preempt, empty if nothing suffices
   */
  List<Victim> search(Preemptor preemptor, Demand demand);
}
