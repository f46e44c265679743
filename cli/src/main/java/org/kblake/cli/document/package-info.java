/**
 * Manual pages and shell completion, made from the commands while kblake is built. The notices and
 * the bill of materials of the libraries.
 *
 * <p>May use {@code core.model}, {@code query.question}, {@code cli}, {@code cli.check}, {@code
 * cli.filter}, {@code cli.run.settings}, {@code cli.frame}, {@code cli.settings}.
 */
@NullMarked
package org.kblake.cli.document;

import org.jspecify.annotations.NullMarked;
