package io.kueue4j.core.testkit;

import java.util.Optional;

/**
 * What a {@link HarnessRun} came to.
 *
 * @param scenarios how many scenarios were played
 * @param steps how many steps they had together
 * @param nextSeed the first seed that was not used
 * @param failure the first failure, if there was any; its scenario is as small as was found
 */
public record HarnessResult(
    long scenarios, long steps, long nextSeed, Optional<HarnessFailure> failure) {}
