package io.kueue4j.k8s.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.pod.PodTemplates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Reading a written admission returns the original. */
class AdmissionWriterProperties {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Provide
  Arbitrary<TopologyAssignment> assignments() {
    Arbitrary<String> value = Arbitraries.oneOf(
        Arbitraries.strings().withChars("a-1").ofMaxLength(6),
        Combinators.combine(
                Arbitraries.of("pool-a-", "pool-b-", "x"),
                Arbitraries.integers().between(0, 12))
            .as((pool, number) -> pool + number));
    return Arbitraries.of(
            ImmutableList.of(Topology.HOSTNAME),
            ImmutableList.of("rack"),
            ImmutableList.of("block", "rack"),
            ImmutableList.of("zone", "block", "rack"))
        .flatMap(levels -> Combinators.combine(
                value.list().ofSize(levels.size()), Arbitraries.integers().between(1, 3))
            .as((values, count) -> new Domain(ImmutableList.copyOf(values), count))
            .list()
            .ofMaxSize(12)
            .map(domains -> new TopologyAssignment(levels, ImmutableList.copyOf(domains))));
  }

  @Property(tries = 300)
  void bothFormsAreReadAsTheyWere(
      @ForAll("assignments") TopologyAssignment topology, @ForAll boolean recent)
      throws JsonProcessingException {
    Admission admission = Admission.builder()
        .workload(new WorkloadId("ns", "w"))
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(PodSetAssignment.builder()
            .name("main")
            .count(2)
            .putFlavors("cpu", "a")
            .resourceUsageAmount("cpu", 1500)
            .resourceUsageAmount("memory", 6L << 20)
            .topologyAssignment(topology)
            .build())
        .build();
    AdmissionWriter writer = recent ? AdmissionWriter.v1beta2() : AdmissionWriter.v1beta1();
    assertThat(read(recent ? "v1beta2" : "v1beta1", writer.write(admission))).isEqualTo(admission);
  }

  @Property(tries = 300)
  void nothingIsLongerThanOneSliceInFull(@ForAll("assignments") TopologyAssignment topology)
      throws JsonProcessingException {
    Map<String, Object> written = AdmissionWriter.v1beta2().write(topology);
    Map<String, Object> inFull =
        ImmutableMap.of("levels", topology.levels(), "slices", List.of(inFull(topology)));
    assertThat(MAPPER.writeValueAsString(written).length())
        .isLessThanOrEqualTo(MAPPER.writeValueAsString(inFull).length());
  }

  private static Map<String, Object> inFull(TopologyAssignment topology) {
    List<Object> valuesPerLevel = new ArrayList<>();
    for (int i = 0; i < topology.levels().size(); i++) {
      int level = i;
      valuesPerLevel.add(Map.of(
          "individual",
          Map.of(
              "roots",
              topology.domains().stream()
                  .map(domain -> domain.values().get(level))
                  .toList())));
    }
    return ImmutableMap.of(
        "domainCount", topology.domains().size(),
        "valuesPerLevel", valuesPerLevel,
        "podCounts",
            Map.of("individual", topology.domains().stream().map(Domain::count).toList()));
  }

  private static Admission read(String version, Map<String, Object> admission)
      throws JsonProcessingException {
    Map<String, Object> workload = ImmutableMap.of(
        "apiVersion",
        "kueue.x-k8s.io/" + version,
        "kind",
        "Workload",
        "metadata",
        Map.of("name", "w", "namespace", "ns"),
        "spec",
        Map.of(
            "queueName",
            "q",
            "podSets",
            List.of(Map.of(
                "name",
                "main",
                "count",
                2,
                "template",
                Map.of("spec", Map.of("containers", List.of(Map.of("name", "c"))))))),
        "status",
        Map.of(
            "conditions",
            List.of(Map.of(
                "type",
                "QuotaReserved",
                "status",
                "True",
                "lastTransitionTime",
                "1970-01-01T00:00:00Z")),
            "admission",
            admission));
    return new WorkloadReader(PodTemplates.plain())
        .read(ManifestReader.create()
            .read(ManifestSource.of("w.json", MAPPER.writeValueAsString(workload)))
            .items()
            .get(0))
        .admission()
        .orElseThrow();
  }
}
