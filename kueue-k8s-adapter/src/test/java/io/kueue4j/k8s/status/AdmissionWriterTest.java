package io.kueue4j.k8s.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmissionWriterTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static JsonNode json(Object value) {
    return MAPPER.valueToTree(value);
  }

  private static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  /** Hosts with their numbers of pods, as {@code name=2}. */
  private static TopologyAssignment hosts(String... hosts) {
    return assignment(ImmutableList.of(Topology.HOSTNAME), hosts);
  }

  private static TopologyAssignment assignment(ImmutableList<String> levels, String... domains) {
    return new TopologyAssignment(
        levels,
        Arrays.stream(domains)
            .map(domain -> domain.split("=", -1))
            .map(parts -> new Domain(
                ImmutableList.copyOf(parts[0].split("/", -1)), Integer.parseInt(parts[1])))
            .collect(ImmutableList.toImmutableList()));
  }

  private static JsonNode slices(TopologyAssignment assignment) {
    return json(AdmissionWriter.v1beta2().write(assignment)).get("slices");
  }

  @Test
  void anAdmissionIsWhatKueueStores() {
    Admission admission = Admission.builder()
        .workload(new WorkloadId("ns", "w"))
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(
            PodSetAssignment.builder()
                .name("main")
                .count(3)
                .putFlavors("cpu", "a")
                .putFlavors("memory", "b")
                .resourceUsageAmount("cpu", 4500)
                .resourceUsageAmount("memory", 3L << 30)
                .topologyAssignment(hosts("h1=1", "h2=2"))
                .build(),
            PodSetAssignment.builder()
                .name("other")
                .count(1)
                .resourceUsageAmount("cpu", Long.MAX_VALUE)
                .resourceUsageAmount("gpu", Long.MAX_VALUE)
                .build())
        .build();
    assertThat(json(AdmissionWriter.v1beta1().write(admission))).isEqualTo(parse("""
        {'clusterQueue': 'cq', 'podSetAssignments': [
          {'name': 'main', 'flavors': {'cpu': 'a', 'memory': 'b'},
           'resourceUsage': {'cpu': '4500m', 'memory': '3Gi'}, 'count': 3,
           'topologyAssignment': {'levels': ['kubernetes.io/hostname'], 'domains': [
             {'values': ['h1'], 'count': 1}, {'values': ['h2'], 'count': 2}]}},
          {'name': 'other', 'flavors': {},
           'resourceUsage': {'cpu': '9223372036854775807m', 'gpu': '9223372036854775807'},
           'count': 1}]}
        """));
    assertThat(json(AdmissionWriter.v1beta2().write(admission)).at("/podSetAssignments/0"))
        .isEqualTo(parse("""
        {'name': 'main', 'flavors': {'cpu': 'a', 'memory': 'b'},
         'resourceUsage': {'cpu': '4500m', 'memory': '3Gi'}, 'count': 3,
         'topologyAssignment': {'levels': ['kubernetes.io/hostname'], 'slices': [
           {'domainCount': 2,
            'valuesPerLevel': [{'individual': {'roots': ['h1', 'h2']}}],
            'podCounts': {'individual': [1, 2]}}]}}
        """));
  }

  @Test
  void whatAllShareIsWrittenOnce() {
    assertThat(slices(assignment(
            ImmutableList.of("block", "rack"),
            "b1/the-rack-number-1-of-block-one=2",
            "b1/the-rack-number-2-of-block-one=2")))
        .isEqualTo(parse("""
            [{'domainCount': 2, 'valuesPerLevel': [{'universal': 'b1'}, {'individual':
              {'prefix': 'the-rack-number-', 'suffix': '-of-block-one', 'roots': ['1', '2']}}],
              'podCounts': {'universal': 2}}]
            """));
    assertThat(slices(hosts("h=3"))).isEqualTo(parse("""
        [{'domainCount': 1, 'valuesPerLevel': [{'universal': 'h'}], 'podCounts': {'universal': 3}}]
        """));
  }

  @Test
  void whatSharingDoesNotShortenIsWrittenInFull() {
    assertThat(slices(hosts("h1=1", "h2=1")).at("/0/valuesPerLevel/0/individual"))
        .isEqualTo(parse("{'roots': ['h1', 'h2']}"));
  }

  @Test
  void beginningAndEndDoNotOverlap() {
    String part = "a-long-part-of-a-name";
    assertThat(slices(hosts(part + "X" + part + "=1", part + part + "=1"))
            .at("/0/valuesPerLevel/0/individual"))
        .isEqualTo(
            parse("{'prefix': '" + part + "', 'suffix': '" + part + "', 'roots': ['X', '']}"));
    assertThat(slices(hosts(part + "=1", part + "-" + part + "=1", part + "=1"))
            .at("/0/valuesPerLevel/0/individual"))
        .isEqualTo(parse("{'prefix': '" + part + "', 'roots': ['', '-" + part + "', '']}"));
  }

  @Test
  void severalSlicesAreWrittenWhereThatIsShorter() {
    String[] pools = IntStream.range(0, 20)
        .mapToObj(i -> "cluster-pool-" + (i < 10 ? "first" : "second") + "-node-" + i % 10 + "=1")
        .toArray(String[]::new);
    JsonNode slices = slices(hosts(pools));
    assertThat(slices).hasSize(2);
    assertThat(slices.at("/1/valuesPerLevel/0/individual/prefix").asText())
        .isEqualTo("cluster-pool-second-node-");
    assertThat(slices(hosts("a-1=1", "b-1=1"))).hasSize(1);
  }

  @Test
  void coarserLevelsMayBeASliceEach() {
    String[] racks = IntStream.range(0, 20)
        .mapToObj(i -> (i < 10 ? "a-block-of-a-long-name" : "quite-another") + "/r" + i + "=1")
        .toArray(String[]::new);
    JsonNode slices = slices(assignment(ImmutableList.of("block", "rack"), racks));
    assertThat(slices).hasSize(2);
    assertThat(slices.at("/0/valuesPerLevel/0/universal").asText())
        .isEqualTo("a-block-of-a-long-name");
  }

  /** The API accepts at most 1,000 slices, and at most 100,000 domains in one. */
  @Test
  void theLimitsOfTheApiAreKept() {
    String[] alternating = IntStream.range(0, 1_500)
        .mapToObj(i -> "a-rather-long-name-of-a-pool-" + i + "-host=1")
        .toArray(String[]::new);
    assertThat(slices(hosts(alternating)).size()).isLessThanOrEqualTo(1_000);
    String[] many =
        IntStream.range(0, 150_000).mapToObj(i -> "h" + i + "=1").toArray(String[]::new);
    JsonNode slices = slices(hosts(many));
    assertThat(slices).hasSize(2);
    assertThat(slices.at("/0/domainCount").asInt()).isEqualTo(100_000);
    assertThat(slices.at("/1/domainCount").asInt()).isEqualTo(50_000);
  }

  @Test
  void anAssignmentOfNothingHasNoSlices() {
    assertThat(slices(hosts())).isEmpty();
  }
}
