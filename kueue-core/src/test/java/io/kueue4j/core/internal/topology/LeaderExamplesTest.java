package io.kueue4j.core.internal.topology;

import static io.kueue4j.core.internal.topology.ComparedEngines.BLOCK;
import static io.kueue4j.core.internal.topology.ComparedEngines.HOST;
import static io.kueue4j.core.internal.topology.ComparedEngines.RACK;
import static io.kueue4j.core.internal.topology.ComparedEngines.pods;
import static io.kueue4j.core.model.TopologyRequest.anywhere;
import static io.kueue4j.core.model.TopologyRequest.preferred;
import static io.kueue4j.core.model.TopologyRequest.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leaders and workers: TE-14, TE-16 and the rules T-20, T-23, T-30 and T-37. */
class LeaderExamplesTest {
  private static PodSet member(String name, int count, String requests, TopologyRequest request) {
    return pods(name, count, requests, request).group("g").build();
  }

  @Test
  void te14TheLeaderHasAHostOfItsOwn() {
    ComparedEngines cluster =
        ComparedEngines.hosts("b1/r1/x3:cpu=2,gpu=1 b1/r1/x5:cpu=2,gpu=1 b1/r1/x1:cpu=2,gpu=1");

    assertThat(cluster.place(
            member("lead", 1, "cpu=2", required(BLOCK)),
            member("work", 2, "cpu=1,gpu=1", required(BLOCK))))
        .isEqualTo("lead x1:1 work x3:1 x5:1");
  }

  @Test
  void te14TheBlockMustHoldTheLeaderToo() {
    ComparedEngines cluster = ComparedEngines.of(List.of(BLOCK), "b1:cpu=11,gpu=8 b2:cpu=4,gpu=4");

    assertThat(cluster.place(
            member("lead", 1, "cpu=1", required(BLOCK)),
            member("work", 4, "cpu=1,gpu=1", required(BLOCK))))
        .isEqualTo("lead b1:1 work b1:4");
  }

  @Test
  void te16AnUnconstrainedGroup() {
    ComparedEngines cluster = ComparedEngines.hosts("b1/r1/h1:cpu=1 b1/r1/h2:gpu=1");

    assertThat(cluster.place(
            member("lead", 1, "cpu=1", anywhere()), member("work", 1, "gpu=1", anywhere())))
        .isEqualTo("lead h1:1 work h2:1");
  }

  /** T-30: else r1, which holds more workers, would be the only rack looked at. */
  @Test
  void racksThatHostALeaderComeFirst() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r1/a:cpu=6 b/r2/b:cpu=5,gpu=1");

    assertThat(cluster.place(
            member("lead", 1, "gpu=1", required(RACK)), member("work", 4, "cpu=1", required(RACK))))
        .isEqualTo("lead b:1 work b:4");
  }

  /** T-30: r1 holds more workers, but not beside the leader. */
  @Test
  void racksThatHoldMoreBesideTheLeaderComeFirst() {
    ComparedEngines cluster =
        ComparedEngines.hosts("b/r1/a:cpu=5,gpu=5 b/r2/b:cpu=4,gpu=4 b/r2/c:cpu=2");

    assertThat(cluster.place(
            member("lead", 1, "cpu=2", required(RACK)),
            member("work", 4, "cpu=1,gpu=1", required(RACK))))
        .isEqualTo("lead c:1 work b:4");
  }

  /** T-37, T-40: beside the leader b1 would hold two workers less, b2 has cpus to spare. */
  @Test
  void ofSeveralBlocksTheOneWithRoomToSpareTakesTheLeader() {
    ComparedEngines cluster = ComparedEngines.of(List.of(BLOCK), "b1:cpu=6,gpu=6 b2:cpu=5,gpu=3");

    assertThat(cluster.place(
            member("lead", 1, "cpu=2", preferred(BLOCK)),
            member("work", 9, "cpu=1,gpu=1", preferred(BLOCK))))
        .isEqualTo("lead b2:1 work b1:6 b2:3");
  }

  /** T-20: placed and reported where its first member stands, before what comes between. */
  @Test
  void aGroupGoesWhereItsFirstMemberStands() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r/a:cpu=3 b/r/b:cpu=4");

    assertThat(cluster.place(
            member("lead", 1, "cpu=1", required(RACK)),
            pods("solo", 3, "cpu=1", required(ComparedEngines.HOST)).build(),
            member("work", 2, "cpu=1", required(RACK))))
        .isEqualTo("lead a:1 work a:2 solo b:3");
  }

  /** T-23. */
  @Test
  void theSecondOfTwoEqualsLeadsWithOnePod() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r/a:cpu=9");

    assertThat(cluster.place(
            member("one", 3, "cpu=1", required(RACK)), member("two", 3, "cpu=1", required(RACK))))
        .isEqualTo("one a:3 two a:1");
  }

  /** T-23: what the leader selects counts for the leader alone. */
  @Test
  void theLeaderGoesWhereItMay() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r/a:cpu=3 b/r/b:cpu=5");
    PodSet picky = PodSet.builder()
        .from(member("lead", 1, "cpu=1", required(RACK)))
        .putNodeSelector(HOST, "b")
        .build();

    assertThat(cluster.place(picky, member("work", 2, "cpu=1", required(RACK))))
        .isEqualTo("lead b:1 work b:2");
  }
}
