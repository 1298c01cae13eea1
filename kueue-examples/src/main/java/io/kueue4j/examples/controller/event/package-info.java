/** Events about jobs: they are aggregated, recorded, and counted. */
@NullMarked
package io.kueue4j.examples.controller.event;

import org.jspecify.annotations.NullMarked;
