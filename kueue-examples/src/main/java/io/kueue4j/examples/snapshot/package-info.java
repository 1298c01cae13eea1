/** The state of a cluster in one file: what decides on admission, and nothing else. */
@NullMarked
package io.kueue4j.examples.snapshot;

import org.jspecify.annotations.NullMarked;
