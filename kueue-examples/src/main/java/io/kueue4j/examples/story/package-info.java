/**
 * Tests of a configuration: the scenarios that {@code kueue4j test} plays. In the code a scenario
 * of a user is a story, since {@link io.kueue4j.examples.conformance} has scenarios of its own.
 *
 * <p>Start with {@link io.kueue4j.examples.story.Story}.
 */
@NullMarked
package io.kueue4j.examples.story;

import org.jspecify.annotations.NullMarked;
