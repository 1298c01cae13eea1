package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** The quotas of a ClusterQueue by flavor, in thousandths of a CPU. */
record Quotas(String cohort, boolean isStrict, Map<String, Quota> byFlavor) {
  /** Without a limit it is {@link Long#MAX_VALUE}. */
  record Quota(long nominal, long borrowingLimit) {
    long limit(String cohort) {
      if (cohort.isEmpty()) {
        return nominal;
      }
      return borrowingLimit == Long.MAX_VALUE ? Long.MAX_VALUE : nominal + borrowingLimit;
    }
  }

  private static final Quota NONE = new Quota(0, 0);

  static Quotas of(JsonNode clusterQueue) {
    Map<String, Quota> quotas = new TreeMap<>();
    for (JsonNode flavor : clusterQueue.at("/spec/resourceGroups/0/flavors")) {
      JsonNode resource = flavor.at("/resources/0");
      quotas.put(
          flavor.path("name").asText(),
          new Quota(
              JobView.cpuMillis(resource.path("nominalQuota")),
              resource.has("borrowingLimit")
                  ? JobView.cpuMillis(resource.path("borrowingLimit"))
                  : Long.MAX_VALUE));
    }
    return new Quotas(
        clusterQueue.at("/spec/cohortName").asText(),
        clusterQueue.at("/spec/queueingStrategy").asText().equals("StrictFIFO"),
        quotas);
  }

  Quota quota(String flavor) {
    return byFlavor.getOrDefault(flavor, NONE);
  }

  /** {@return the greater of both in everything} */
  Quotas max(Quotas other) {
    Map<String, Quota> quotas = new TreeMap<>(byFlavor);
    other.byFlavor.forEach((flavor, quota) -> quotas.merge(
        flavor,
        quota,
        (a, b) -> new Quota(
            Math.max(a.nominal(), b.nominal()), Math.max(a.borrowingLimit(), b.borrowingLimit()))));
    return new Quotas(cohort, isStrict, quotas);
  }
}
