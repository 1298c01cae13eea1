package io.kueue4j.examples.controller.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns<String> turns = new Turns<>(thing -> thing.substring(0, 1));

  private List<String> polled() {
    return Stream.generate(turns::poll)
        .takeWhile(Optional::isPresent)
        .map(Optional::orElseThrow)
        .toList();
  }

  @Test
  void namespacesTakeTurnsAndThingsWaitOnce() {
    List.of("a1", "a2", "b1", "a2", "a3", "b2").forEach(turns::add);

    assertThat(turns.size()).isEqualTo(5);
    assertThat(polled()).containsExactly("a1", "b1", "a2", "b2", "a3");
    assertThat(turns.size()).isZero();
  }

  @Test
  void theNamespaceWithTheMostLosesItsFirstButKeepsItsTurn() {
    List.of("a1", "a2", "a3", "b1", "b2").forEach(turns::add);

    assertThat(turns.pollMost()).contains("a1");
    assertThat(polled()).containsExactly("a2", "b1", "a3", "b2");
    assertThat(turns.pollMost()).isEmpty();
  }
}
