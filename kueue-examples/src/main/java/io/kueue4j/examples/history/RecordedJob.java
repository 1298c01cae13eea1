package io.kueue4j.examples.history;

import java.util.Map;
import java.util.TreeMap;

/** What metrics say of a Job. Times are in seconds since the epoch, -1 if they are not known. */
final class RecordedJob {
  final String namespace;
  final String name;

  /** The number of the first result that names it. */
  final long number;

  /** The kind and name of its owner, empty if it has none of which it is a part. */
  String owner = "";

  /** The LocalQueue, empty if it is not known. */
  String queue = "";

  double created = -1;
  double started = -1;
  double ended = -1;
  double parallelism = -1;
  double completions = -1;

  /** The largest requests of its pods. */
  private final Map<String, Long> requests = new TreeMap<>();

  RecordedJob(String namespace, String name, long number) {
    this.namespace = namespace;
    this.name = name;
    this.number = number;
  }

  /** Takes a pod of the Job. A failed Job has no time of completion, but its pods have. */
  void add(RecordedPod pod) {
    pod.requests().forEach((resource, amount) -> requests.merge(resource, amount, Math::max));
    ended = Math.max(ended, pod.ended);
  }

  /** {@return what each of its pods requests, by resource} */
  Map<String, Long> requests() {
    return requests;
  }

  /** {@return whether it has not been created, started and ended, in this order} */
  boolean isUnfinished() {
    return created <= 0 || started < created || ended < started;
  }

  /** {@return how many of its pods run at the same time, as Kueue counts them} */
  long podCount() {
    double most = parallelism < 0 ? 1 : parallelism;
    return (long) (completions < 0 ? most : Math.min(most, completions));
  }
}
