/**
 * Tokens and certificates of the servers, which are read again after their files have changed.
 *
 * <p>May use {@code server.settings}, {@code cli.error}, {@code cli.settings}.
 */
@NullMarked
package org.kblake.cli.access;

import org.jspecify.annotations.NullMarked;
