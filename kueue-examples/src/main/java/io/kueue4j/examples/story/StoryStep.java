package io.kueue4j.examples.story;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.k8s.internal.yaml.YamlField;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A step of a scenario.
 *
 * @param line its line
 * @param action what happens
 * @param expect the field {@code expect}, empty if nothing is expected
 * @param expectations what is expected then; none if {@code expect} is to be filled in
 */
record StoryStep(
    int line,
    Consumer<ManifestPlayer> action,
    Optional<YamlField> expect,
    ImmutableList<Expectation> expectations) {
  /** {@return whether a job matters for what is expected, or to fill it in} */
  boolean isAbout(SimulatedJob job) {
    return expectations.isEmpty()
        ? expect.isPresent()
        : expectations.stream()
            .anyMatch(expectation -> expectation.job().filter(job::isCalled).isPresent());
  }
}
