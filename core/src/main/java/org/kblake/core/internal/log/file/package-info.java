/**
 * The bytes of a log: opening, reading, mapping, and what the file system says of files and
 * directories. Nothing here knows what the bytes mean.
 *
 * <p>May use {@code core.archive}.
 */
@NullMarked
package org.kblake.core.internal.log.file;

import org.jspecify.annotations.NullMarked;
