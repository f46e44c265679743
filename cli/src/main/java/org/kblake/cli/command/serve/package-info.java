/**
 * {@code kblake serve}: the options of a server and its end.
 *
 * <p>May use {@code query}, {@code query.question}, {@code server}, {@code server.settings}, {@code
 * cli.access}, {@code cli.command.shared}, {@code cli.error}, {@code cli.frame}, {@code
 * cli.run.settings}, {@code cli.serve}, {@code cli.settings}, {@code cli.process}.
 */
@NullMarked
package org.kblake.cli.command.serve;

import org.jspecify.annotations.NullMarked;
