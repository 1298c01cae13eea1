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

  /** Annotation, else a label, on a job: the Workload that exists for it. */
  static final String PREBUILT_WORKLOAD = "kueue.x-k8s.io/prebuilt-workload-name";

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

  /** Label on a pod: it waits for admission. */
  static final String MANAGED = "kueue.x-k8s.io/managed";

  /** Annotation on a pod: the framework of the object that is in charge of it. */
  static final String POD_SUSPENDING_PARENT = "kueue.x-k8s.io/pod-suspending-parent";

  /** Annotation, once a label, on a pod: the group that it is admitted with. */
  static final String POD_GROUP_NAME = "kueue.x-k8s.io/pod-group-name";

  /** Annotation on a pod of a group: how many they are. */
  static final String POD_GROUP_TOTAL_COUNT = "kueue.x-k8s.io/pod-group-total-count";

  /** Annotation on a pod of a group: the first pod is enough to know all. */
  static final String POD_GROUP_FAST_ADMISSION = "kueue.x-k8s.io/pod-group-fast-admission";

  /** Annotation on a pod of a group: the group serves and never ends. */
  static final String POD_GROUP_SERVING = "kueue.x-k8s.io/pod-group-serving";

  /** Annotation on a pod of a group: the pod set that it is of. */
  static final String ROLE_HASH = "kueue.x-k8s.io/role-hash";

  /** Annotation on a pod of a group: if false, pods that have failed are not replaced. */
  static final String RETRIABLE_IN_GROUP = "kueue.x-k8s.io/retriable-in-group";

  /** Label on a pod of a group: which of them it is. */
  static final String POD_GROUP_POD_INDEX = "kueue.x-k8s.io/pod-group-pod-index";

  /** Annotation on a RayJob or RayService: the generation of its RayCluster. */
  static final String RAY_CLUSTER_GENERATION = "kueue.x-k8s.io/raycluster-generation";

  /** Label on a Workload: the uid of its job. */
  static final String JOB_UID = "kueue.x-k8s.io/job-uid";

  /** Annotation on a Workload: it is of a pod group. */
  static final String IS_GROUP_WORKLOAD = "kueue.x-k8s.io/is-group-workload";

  /** Annotation on a Workload: the slice of an elastic job that it replaces. */
  static final String REPLACEMENT_FOR = "kueue.x-k8s.io/workload-slice-replacement-for";

  /** Annotation on a Workload: the name that all slices of an elastic job share. */
  static final String SLICE_NAME = "kueue.x-k8s.io/workload-slice-name";

  /** Annotation on a Workload: what is added to its priority. */
  static final String PRIORITY_BOOST = "kueue.x-k8s.io/priority-boost";

  /** How annotations begin that are handed on to ProvisioningRequests. */
  static final String PROVISIONING_PREFIX = "provreq.kueue.x-k8s.io/";

  /** Finalizer on a Workload: it may hold quota. */
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
