/**
 * Copies of growing logs on a local disk: the files of the mirror, their writer and their reader.
 * Only the log packages interpret the copied bytes.
 */
@NullMarked
package org.kblake.core.internal.mirror;

import org.jspecify.annotations.NullMarked;
