/** Writes to a cluster, and the threads that wait for them. */
@NullMarked
package io.kueue4j.examples.controller.write;

import org.jspecify.annotations.NullMarked;
