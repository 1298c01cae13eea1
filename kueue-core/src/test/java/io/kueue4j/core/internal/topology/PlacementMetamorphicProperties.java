package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.topology.PodSetPlacer.Member;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What may not change where pods go. */
class PlacementMetamorphicProperties {
  private static final List<String> LEVELS = List.of("block", "rack", NodeTree.HOST);

  /** Random nodes and a choices request. */
  record Trial(
      List<String> levels,
      List<String> paths,
      List<Integer> cpus,
      int pods,
      TopologyRequest request,
      boolean withLeader) {
    static Trial draw(Choices choices) {
      List<String> paths = new ArrayList<>();
      List<Integer> cpus = new ArrayList<>();
      for (int block = 0; block <= choices.nextInt(3); block++) {
        for (int rack = 0; rack <= choices.nextInt(3); rack++) {
          for (int host = 0; host <= choices.nextInt(4); host++) {
            paths.add("b" + block + "/b" + block + "r" + rack + "/h" + block + rack + host);
            cpus.add(choices.nextInt(8));
          }
        }
      }
      return new Trial(
          LEVELS, paths, cpus, 1 + choices.nextInt(16), request(choices), choices.nextBoolean());
    }

    private static TopologyRequest request(Choices choices) {
      TopologyRequest.Builder request = TopologyRequest.builder();
      int level = choices.nextInt(LEVELS.size());
      switch (choices.nextInt(3)) {
        case 0 -> request.required(LEVELS.get(level));
        case 1 -> request.preferred(LEVELS.get(level));
        default -> request.unconstrained(true);
      }
      if (choices.nextBoolean()) {
        request
            .sliceTopology(LEVELS.get(level + choices.nextInt(LEVELS.size() - level)))
            .sliceSize(1 + choices.nextInt(4));
      }
      return request.build();
    }

    /** {@return where the pods go if each cpu is {@code scale} cpus, of nodes and of pods} */
    String place(int scale) {
      StringBuilder nodes = new StringBuilder();
      for (int i = 0; i < paths.size(); i++) {
        nodes.append(paths.get(i)).append(':').append(cpus.get(i) * scale).append(' ');
      }
      NodeTree cluster = NodeTree.of(levels, nodes.toString());
      Member workers = cluster.pods(pods, request, 1000L * scale);
      @Nullable Member leader = withLeader ? cluster.pods(1, request, 500L * scale) : null;
      return cluster.place(workers, leader);
    }

    /**
     * {@return the same below a level of which there is one domain for each of the level under it}
     */
    Trial withLevelAtTop() {
      List<String> more = new ArrayList<>(List.of("zone"));
      more.addAll(levels);
      List<String> deeper = paths.stream()
          .map(path -> path.substring(0, path.indexOf('/')) + "-zone/" + path)
          .toList();
      return new Trial(more, deeper, cpus, pods, request, withLeader);
    }
  }

  @Provide
  Arbitrary<Trial> trials() {
    return Choices.arbitrary(Trial::draw);
  }

  @Property(tries = 500)
  void largerUnitsChangeNothing(@ForAll("trials") Trial trial) {

    assertThat(trial.place(7)).isEqualTo(trial.place(1));
  }

  @Property(tries = 500)
  void aLevelOfOneDomainEachChangesNothingForWhatIsRequired(@ForAll("trials") Trial trial) {
    if (trial.request.required().isPresent()) {
      assertThat(trial.withLevelAtTop().place(1)).isEqualTo(trial.place(1));
    }
  }
}
