/**
 * Manual pages and shell completion, made from the commands while kblake is built.
 *
 * <p>May use {@code cli}, {@code cli.run.settings}, {@code cli.frame}, {@code cli.settings}.
 */
@NullMarked
package org.kblake.cli.document;

import org.jspecify.annotations.NullMarked;
