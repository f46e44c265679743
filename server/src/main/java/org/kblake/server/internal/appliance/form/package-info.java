/**
 * The forms of an answer: raw (protocol buffers), json, qw, csv, txt, svg.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code format.number}, {@code query.answer},
 * {@code server.internal.appliance.channel}, {@code server.internal.appliance.sample}.
 */
@NullMarked
package org.kblake.server.internal.appliance.form;

import org.jspecify.annotations.NullMarked;
