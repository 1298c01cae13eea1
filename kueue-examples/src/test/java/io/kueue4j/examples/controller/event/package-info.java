/** Tests of the recording of events. */
@NullMarked
package io.kueue4j.examples.controller.event;

import org.jspecify.annotations.NullMarked;
