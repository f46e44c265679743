/**
 * The trend server: an archive over HTTP. {@code TrendServer} is the entry.
 *
 * <p>May use {@code core.archive}, {@code query}, {@code query.question}, {@code
 * server.internal.api}, {@code server.internal.appliance}, {@code server.internal.data}, {@code
 * server.internal.http}, {@code server.internal.live}, {@code server.internal.page}, {@code
 * server.internal.status}, {@code server.settings}.
 */
@NullMarked
package org.kblake.server;

import org.jspecify.annotations.NullMarked;
