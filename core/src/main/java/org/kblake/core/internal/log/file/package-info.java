/**
 * The bytes of a log: opening, reading, mapping, and the attributes of files and directories. This
 * package does not interpret the bytes.
 */
@NullMarked
package org.kblake.core.internal.log.file;

import org.jspecify.annotations.NullMarked;
