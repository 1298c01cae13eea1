package io.kueue4j.examples.controller.fault;

import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.List;
import java.util.Random;

/** The queues of a cluster that an innocent and a {@link HostileTenant} share. */
final class TenantQueues {
  private final StrictCluster cluster;
  private final Random random;
  private final boolean hasChecks;
  private final boolean preempts;
  private final int queueCount;

  TenantQueues(
      StrictCluster cluster, Random random, boolean hasChecks, boolean preempts, int queueCount) {
    this.cluster = cluster;
    this.random = random;
    this.hasChecks = hasChecks;
    this.preempts = preempts;
    this.queueCount = queueCount;
  }

  /** Creates everything but jobs. */
  void create() {
    put("""
        {"apiVersion": "v1", "kind": "Namespace",
         "metadata": {"name": "%s", "labels": {"team": "hostile"}}}
        """.formatted(HostileTenant.NAMESPACE));
    for (String flavor : List.of("f0", "f1")) {
      put("""
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
           "metadata": {"name": "%s"}, "spec": {"nodeLabels": {"pool": "%s"}}}
          """.formatted(flavor, flavor));
    }
    put("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass",
         "metadata": {"name": "low"}, "value": -10}
        """);
    put("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass",
         "metadata": {"name": "high"}, "value": 10}
        """);
    if (hasChecks) {
      put("""
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "AdmissionCheck",
           "metadata": {"name": "budget"}, "spec": {"controllerName": "example.com/checks"}}
          """);
      cluster.edit(
          TenantFaultRun.CHECKS,
          ApiWrite.Verb.REPLACE_STATUS,
          new ObjectKey("kueue.x-k8s.io", "AdmissionCheck", "", "budget"),
          tree -> tree.set("status", Trees.parse("""
              {"conditions": [{"type": "Active", "status": "True", "reason": "Ok", "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z"}]}""")));
    }
    boolean inCohort = random.nextBoolean();
    for (int i = 0; i < queueCount; i++) {
      put(clusterQueue(i, inCohort));
      for (String namespace : List.of("default", HostileTenant.NAMESPACE)) {
        put("""
            {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
             "metadata": {"name": "lq%d", "namespace": "%s"}, "spec": {"clusterQueue": "cq%d"}}
            """.formatted(i, namespace, i));
      }
    }
  }

  /** The second queue does not take the jobs of the tenant. */
  private String clusterQueue(int number, boolean inCohort) {
    return """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
         "metadata": {"name": "cq%d"},
         "spec": {%s %s "queueingStrategy": "BestEffortFIFO",
           "namespaceSelector": %s, "preemption": {"withinClusterQueue": "%s"},
           "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
             {"name": "f0", "resources": [{"name": "cpu", "nominalQuota": "%d"}]},
             {"name": "f1", "resources": [{"name": "cpu", "nominalQuota": "%d"}]}]}]}}
        """.formatted(
            number,
            inCohort ? "\"cohortName\": \"pool\"," : "",
            hasChecks
                ? "\"admissionChecksStrategy\": {\"admissionChecks\": [{\"name\": \"budget\"}]},"
                : "",
            number == 0
                ? "{}"
                : "{\"matchExpressions\": [{\"key\": \"team\", \"operator\": \"NotIn\","
                    + " \"values\": [\"hostile\"]}]}",
            preempts ? "LowerPriority" : "Never",
            4 + random.nextInt(3),
            random.nextInt(3));
  }

  private void put(String json) {
    cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(json)));
  }
}
