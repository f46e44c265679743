/**
 * The operators of the Archiver Appliance: bins and their figures.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code query}, {@code query.answer}, {@code
 * query.question}, {@code server.internal.appliance.request}, {@code
 * server.internal.appliance.sample}, {@code server.internal.data}, {@code server.internal.http}.
 */
@NullMarked
package org.kblake.server.internal.appliance.operator;

import org.jspecify.annotations.NullMarked;
