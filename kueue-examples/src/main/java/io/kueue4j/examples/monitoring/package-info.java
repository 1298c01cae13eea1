/** What an engine does, for Prometheus and for people: meters, and a page. */
@NullMarked
package io.kueue4j.examples.monitoring;

import org.jspecify.annotations.NullMarked;
