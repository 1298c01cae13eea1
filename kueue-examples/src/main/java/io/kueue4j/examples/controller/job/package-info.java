/** The next action for each job. */
@NullMarked
package io.kueue4j.examples.controller.job;

import org.jspecify.annotations.NullMarked;
