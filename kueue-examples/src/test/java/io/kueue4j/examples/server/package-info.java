/** Tests of the HTTP server of a controller. */
@NullMarked
package io.kueue4j.examples.server;

import org.jspecify.annotations.NullMarked;
