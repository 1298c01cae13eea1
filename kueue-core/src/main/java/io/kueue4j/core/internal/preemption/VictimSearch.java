package io.kueue4j.core.internal.preemption;

import java.util.List;

/** A strategy to find victims. */
interface VictimSearch {
  /**
   * Searches for victims. Usage is unchanged when it returns.
   *
   * @param preemptor the preemptor
   * @param demand the demand
   * @return the victims, empty if no set of candidates suffices
   */
  List<Victim> search(Preemptor preemptor, Demand demand);
}
