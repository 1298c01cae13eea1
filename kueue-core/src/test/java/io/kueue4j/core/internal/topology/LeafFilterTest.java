package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeafFilterTest {
  private final LeafFilter filter =
      new LeafFilter(DomainTree.of(1, List.of(ImmutableList.of("n"))), List.of(), new Node[] {
        Node.builder().name("n").build()
      });

  private NodeScores scores(String preferred) {
    return filter.scores(
        new PodConstraints(List.of(), ImmutableSortedMap.of(), List.of()),
        List.of(
            new PreferredNodeTerm(1, NodeSelectorTerm.of(LabelRequirement.in("disk", preferred)))));
  }

  @Test
  void scoresAreRememberedUntilManyOthersWereAskedFor() {
    NodeScores first = scores("first");
    assertThat(scores("first")).isSameAs(first);
    for (int i = 0; i < 300; i++) {
      scores("other-" + i);
    }
    assertThat(scores("first")).isNotSameAs(first);
  }
}
