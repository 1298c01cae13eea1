package io.kueue4j.k8s.job;

/** Keys of labels and annotations by which jobs and Kueue speak to each other. */
final class MetadataKeys {
  /** Label on a job, once an annotation: the LocalQueue. */
  static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  /** Label on a job: the WorkloadPriorityClass. */
  static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";

  /** Label on a job: how long it may run. */
  static final String MAX_EXEC_TIME_SECONDS = "kueue.x-k8s.io/max-exec-time-seconds";

  /** Annotation on a job: who keeps it out of the queue, separated by commas. */
  static final String ADMISSION_GATED_BY = "kueue.x-k8s.io/admission-gated-by";

  /** Annotation on a job: it may be scaled while it runs. */
  static final String ELASTIC_JOB = "kueue.x-k8s.io/elastic-job";

  /** Annotation on a batch Job: the number of pods that it can do with. */
  static final String JOB_MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";

  /** Annotation on a batch Job: completions follow parallelism. */
  static final String JOB_COMPLETIONS_EQUAL_PARALLELISM =
      "kueue.x-k8s.io/job-completions-equal-parallelism";

  /** Annotation on a batch Job: it is being stopped, in several writes. */
  static final String STOPPING = "kueue.x-k8s.io/stopping";

  /** Label on a started pod template: the LocalQueue. */
  static final String LOCAL_QUEUE_NAME = "kueue.x-k8s.io/local-queue-name";

  /** Label on a started pod template: the ClusterQueue. */
  static final String CLUSTER_QUEUE_NAME = "kueue.x-k8s.io/cluster-queue-name";

  private MetadataKeys() {}

  /** {@return the field of a label} */
  static String label(String key) {
    return "metadata.labels[" + key + "]";
  }

  /** {@return the field of an annotation} */
  static String annotation(String key) {
    return "metadata.annotations[" + key + "]";
  }
}
