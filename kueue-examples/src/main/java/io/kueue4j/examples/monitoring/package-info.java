/** Shows the state of an engine to Prometheus, as meters, and to humans, as a page. */
@NullMarked
package io.kueue4j.examples.monitoring;

import org.jspecify.annotations.NullMarked;
