/** Spans of OpenTelemetry for what an engine decides. */
@NullMarked
package io.kueue4j.examples.tracing;

import org.jspecify.annotations.NullMarked;
