package io.kueue4j.examples.sweep;

import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.manifest.ManifestIssue;

/**
 * A place in the file of a grid, for errors that show only when the other files have been read.
 *
 * @param source the name of the file
 * @param line the line, from 1
 * @param column the column, from 1
 * @param field the path of the field
 */
record GridPlace(String source, int line, int column, String field) {
  /** {@return the exception for a problem at this place} */
  InputException problem(String message) {
    return new InputException(
        new ManifestIssue(source, 1, line, column, field, message).toString());
  }
}
