package io.kueue4j.k8s.job;

/** Keys of labels and annotations that jobs and Kueue exchange. */
final class MetadataKeys {
  /** Label on a job, formerly an annotation: the LocalQueue. */
  static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  /** Label on a job: the WorkloadPriorityClass. */
  static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";

  /** Label on a job: its maximum execution time. */
  static final String MAX_EXEC_TIME_SECONDS = "kueue.x-k8s.io/max-exec-time-seconds";

  /** Annotation on a job: the controllers that keep it out of the queue, separated by commas. */
  static final String ADMISSION_GATED_BY = "kueue.x-k8s.io/admission-gated-by";

  /** Annotation on a job: the job may be scaled while it runs. */
  static final String ELASTIC_JOB = "kueue.x-k8s.io/elastic-job";

  /** Annotation, or label, on a job: the existing Workload that it uses. */
  static final String PREBUILT_WORKLOAD = "kueue.x-k8s.io/prebuilt-workload-name";

  /** Annotation on a batch Job: the minimum number of pods. */
  static final String JOB_MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";

  /** Annotation on a batch Job: completions follow parallelism. */
  static final String JOB_COMPLETIONS_EQUAL_PARALLELISM =
      "kueue.x-k8s.io/job-completions-equal-parallelism";

  /** Annotation on a batch Job: it is being stopped, which takes several writes. */
  static final String STOPPING = "kueue.x-k8s.io/stopping";

  /** Label on a started pod template: the LocalQueue. */
  static final String LOCAL_QUEUE_NAME = "kueue.x-k8s.io/local-queue-name";

  /** Label on a started pod template: the ClusterQueue. */
  static final String CLUSTER_QUEUE_NAME = "kueue.x-k8s.io/cluster-queue-name";

  /** Label on a pod: the pod waits for admission. */
  static final String MANAGED = "kueue.x-k8s.io/managed";

  /** Annotation on a pod: the framework of the object that controls it. */
  static final String POD_SUSPENDING_PARENT = "kueue.x-k8s.io/pod-suspending-parent";

  /** Annotation, formerly a label, on a pod: the group that it is admitted with. */
  static final String POD_GROUP_NAME = "kueue.x-k8s.io/pod-group-name";

  /** Annotation on a pod of a group: the number of pods in the group. */
  static final String POD_GROUP_TOTAL_COUNT = "kueue.x-k8s.io/pod-group-total-count";

  /** Annotation on a pod of a group: the first pod suffices to describe the group. */
  static final String POD_GROUP_FAST_ADMISSION = "kueue.x-k8s.io/pod-group-fast-admission";

  /** Annotation on a pod of a group: the group is a service that never finishes. */
  static final String POD_GROUP_SERVING = "kueue.x-k8s.io/pod-group-serving";

  /** Annotation on a pod of a group: its pod set. */
  static final String ROLE_HASH = "kueue.x-k8s.io/role-hash";

  /** Annotation on a pod of a group: if false, failed pods are not replaced. */
  static final String RETRIABLE_IN_GROUP = "kueue.x-k8s.io/retriable-in-group";

  /** Label on a pod of a group: its index in the group. */
  static final String POD_GROUP_POD_INDEX = "kueue.x-k8s.io/pod-group-pod-index";

  /** Annotation on a RayJob or RayService: the generation of its RayCluster. */
  static final String RAY_CLUSTER_GENERATION = "kueue.x-k8s.io/raycluster-generation";

  /** Label on a Workload: the uid of its job. */
  static final String JOB_UID = "kueue.x-k8s.io/job-uid";

  /** Annotation on a Workload: it belongs to a pod group. */
  static final String IS_GROUP_WORKLOAD = "kueue.x-k8s.io/is-group-workload";

  /** Annotation on a Workload: the elastic slice that it replaces. */
  static final String REPLACEMENT_FOR = "kueue.x-k8s.io/workload-slice-replacement-for";

  /** Annotation on a Workload: the name that all elastic slices of a job share. */
  static final String SLICE_NAME = "kueue.x-k8s.io/workload-slice-name";

  /** Annotation on a Workload: the boost that is added to its priority. */
  static final String PRIORITY_BOOST = "kueue.x-k8s.io/priority-boost";

  /** The prefix of annotations that are passed on to ProvisioningRequests. */
  static final String PROVISIONING_PREFIX = "provreq.kueue.x-k8s.io/";

  /** Finalizer on a Workload: the Workload may hold quota. */
  static final String RESOURCE_IN_USE = "kueue.x-k8s.io/resource-in-use";

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
