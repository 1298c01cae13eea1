/**
 * Leases: which of several controllers works.
 *
 * <p>Times of other machines are never compared with the local clock. A candidate takes the lease
 * of another holder only after it has observed it unchanged for the duration of the lease, on its
 * own monotonic clock, and a holder that has not renewed its lease for a shorter time than that
 * writes nothing.
 */
@NullMarked
package io.kueue4j.examples.controller.lease;

import org.jspecify.annotations.NullMarked;
