package io.kueue4j.examples.history;

import com.google.common.base.Ascii;

/** A format of histories. */
public enum HistoryFormat {
  /** The Standard Workload Format of the Parallel Workloads Archive. */
  SWF,
  /** One job per line, as a JSON object. */
  JSONL;

  /** {@return the name for users} */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }

  /**
   * {@return the format of a file that begins so}
   *
   * @param head the first line that is not blank, without leading blanks
   */
  static HistoryFormat of(String head) {
    return head.startsWith("{") ? JSONL : SWF;
  }
}
