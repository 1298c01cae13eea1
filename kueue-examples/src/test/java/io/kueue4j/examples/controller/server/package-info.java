/** Tests of the HTTP server of a controller. */
@NullMarked
package io.kueue4j.examples.controller.server;

import org.jspecify.annotations.NullMarked;
