/**
 * Requests of the Archiver Appliance: parameters, times, operators, names.
 *
 * <p>May use {@code server.internal.http}.
 */
@NullMarked
package org.kblake.server.internal.appliance.request;

import org.jspecify.annotations.NullMarked;
