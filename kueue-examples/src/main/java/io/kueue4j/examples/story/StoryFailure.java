package io.kueue4j.examples.story;

import io.kueue4j.examples.simulation.JobReport;
import java.util.Optional;

/**
 * Something in a scenario that is not as expected.
 *
 * @param line the line of what was expected
 * @param message what is, and what was expected
 * @param job the job that it is about, as it stood then; empty if it is about none
 */
public record StoryFailure(int line, String message, Optional<JobReport> job) {}
