/**
 * The bodies of answers: complete, marked as incomplete, or cut off.
 *
 * <p>May use {@code core.internal.time}, {@code core.model}, {@code query}, {@code query.answer},
 * {@code server.internal.data}.
 */
@NullMarked
package org.kblake.server.internal.answer;

import org.jspecify.annotations.NullMarked;
