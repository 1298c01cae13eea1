/** What the controller knows of each job, and what it wants of the job. */
@NullMarked
package io.kueue4j.examples.controller.state;

import org.jspecify.annotations.NullMarked;
