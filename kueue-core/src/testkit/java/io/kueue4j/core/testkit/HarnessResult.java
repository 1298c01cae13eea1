package io.kueue4j.core.testkit;

import java.util.Optional;

/**
 * The result of a {@link HarnessRun}.
 *
 * @param scenarios the number of scenarios that were played
 * @param steps the total number of their steps
 * @param nextSeed the first unused seed
 * @param failure the first failure, if any; its scenario is the smallest that was found
 */
public record HarnessResult(
    long scenarios, long steps, long nextSeed, Optional<HarnessFailure> failure) {}
