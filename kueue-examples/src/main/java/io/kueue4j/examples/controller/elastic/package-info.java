/**
 * The pods of elastic jobs and the scheduling gate that keeps those waiting that were not admitted.
 *
 * <p>This package reads and copies objects; it does not decide, and does not call a cluster.
 */
@NullMarked
package io.kueue4j.examples.controller.elastic;

import org.jspecify.annotations.NullMarked;
