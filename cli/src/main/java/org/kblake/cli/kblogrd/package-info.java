/**
 * {@code kblogrd}, the command that every KEKB application calls: arguments, formats, messages. It
 * prints what {@code org.kblake.query} answers.
 *
 * <p>A cold start pays for every class: no picocli, no Arrow, no regular expression, stream or
 * {@code String.format} where plain code does.
 */
@NullMarked
package org.kblake.cli.kblogrd;

import org.jspecify.annotations.NullMarked;
