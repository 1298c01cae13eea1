/**
 * Follows objects of a cluster by lists and watches, which recover from failures of the server, of
 * permissions, and of the connection by themselves.
 */
@NullMarked
package io.kueue4j.examples.controller.watch;

import org.jspecify.annotations.NullMarked;
