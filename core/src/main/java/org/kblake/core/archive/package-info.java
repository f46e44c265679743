/**
 * Settings of an archive for users of the Java API: its time zone, when a log counts as closed.
 * Also the error of files that cannot be read.
 */
@NullMarked
package org.kblake.core.archive;

import org.jspecify.annotations.NullMarked;
