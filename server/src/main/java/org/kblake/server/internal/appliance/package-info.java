/**
 * The doors for clients of the EPICS Archiver Appliance and of the JSON archive server: paths,
 * requests and their answers.
 *
 * <p>May use {@code core.model}, {@code query}, {@code query.answer}, {@code
 * server.internal.answer}, {@code server.internal.appliance.channel}, {@code
 * server.internal.appliance.form}, {@code server.internal.appliance.operator}, {@code
 * server.internal.appliance.request}, {@code server.internal.appliance.sample}, {@code
 * server.internal.data}, {@code server.internal.http}.
 */
@NullMarked
package org.kblake.server.internal.appliance;

import org.jspecify.annotations.NullMarked;
