/**
 * What users of the Java API say of an archive: its time zone, when a log counts as closed; and the
 * error of files that cannot be read.
 *
 * <p>May use {@code core.internal.start}, {@code core.layout}.
 */
@NullMarked
package org.kblake.core.archive;

import org.jspecify.annotations.NullMarked;
