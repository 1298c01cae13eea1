/** Reports of simulations: pages of HTML that need no network. */
@NullMarked
package io.kueue4j.examples.report;

import org.jspecify.annotations.NullMarked;
