package io.kueue4j.examples.story;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.Map;

/**
 * What became of a scenario.
 *
 * @param story the scenario
 * @param failures what is not as expected, in the order of the lines
 * @param happened for each step with a failure in its {@code expect}, by its index, what stands
 *     there if it says what happened
 */
public record StoryResult(
    Story story,
    ImmutableList<StoryFailure> failures,
    ImmutableMap<Integer, Map<String, Object>> happened) {
  /** {@return whether all is as expected} */
  public boolean isPassed() {
    return failures.isEmpty();
  }
}
