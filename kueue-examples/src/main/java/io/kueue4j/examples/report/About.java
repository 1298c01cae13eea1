package io.kueue4j.examples.report;

import com.google.common.collect.ImmutableList;

/**
 * What a report says of its origin.
 *
 * @param title the title
 * @param summary what happened, line by line
 * @param command the command that made it
 * @param version the version of the program
 */
public record About(String title, ImmutableList<String> summary, String command, String version) {}
