/** The HTTP server of a controller: its threads, certificates, users, and what they may see. */
@NullMarked
package io.kueue4j.examples.server;

import org.jspecify.annotations.NullMarked;
