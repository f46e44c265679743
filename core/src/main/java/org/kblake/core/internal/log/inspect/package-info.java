/**
 * Shows the files of a pair field by field beside their bytes, for {@code kblake inspect}.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.layout}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}, {@code core.internal.log.scan}.
 */
@NullMarked
package org.kblake.core.internal.log.inspect;

import org.jspecify.annotations.NullMarked;
