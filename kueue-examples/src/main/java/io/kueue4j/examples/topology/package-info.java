/**
 * Computes free and used capacity of topology domains, as text and as a picture, and where jobs
 * would be placed.
 */
@NullMarked
package io.kueue4j.examples.topology;

import org.jspecify.annotations.NullMarked;
