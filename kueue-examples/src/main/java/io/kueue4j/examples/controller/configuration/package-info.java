/** The kinds, queues, flavors and TPU pools of a cluster, and what is wrong with them. */
@NullMarked
package io.kueue4j.examples.controller.configuration;

import org.jspecify.annotations.NullMarked;
