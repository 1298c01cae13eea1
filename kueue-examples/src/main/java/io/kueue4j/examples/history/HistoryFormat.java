package io.kueue4j.examples.history;

import com.google.common.base.Ascii;

/** A format of histories. */
public enum HistoryFormat {
  /** The Standard Workload Format of the Parallel Workloads Archive. */
  SWF,
  /** One job per line, as a JSON object. */
  JSONL,
  /** What Slurm's {@code sacct --parsable2} prints. */
  SACCT,
  /** The answer of Prometheus to a query for metrics of kube-state-metrics. */
  PROMETHEUS,
  /** Pods of Alibaba's {@code cluster-trace-gpu-v2023}. */
  OPENB,
  /** Jobs of the Muri simulator. */
  MURI,
  /** Kueue's {@code generator.yaml}. */
  GENERATOR,
  /** Kueue's Workloads, in JSON or YAML. */
  WORKLOADS;

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
    if (head.startsWith(PrometheusReader.HEAD)) {
      return PROMETHEUS;
    }
    if (head.startsWith("{")) {
      return head.equals("{") || head.contains("\"apiVersion\"") ? WORKLOADS : JSONL;
    }
    if (SacctReader.isHead(head)) {
      return SACCT;
    }
    if (head.startsWith(OpenbReader.HEAD)) {
      return OPENB;
    }
    if (head.startsWith(DeepLearningReader.HEAD)) {
      return MURI;
    }
    if (head.startsWith("apiVersion:")) {
      return WORKLOADS;
    }
    return head.startsWith("#") || head.endsWith(":") || head.equals("---") ? GENERATOR : SWF;
  }
}
