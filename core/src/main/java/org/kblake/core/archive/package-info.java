/**
 * An archive for users of the Java API: its settings, the directories below its root, the error of
 * files that cannot be read, and the interrupt that ends a read.
 */
@NullMarked
package org.kblake.core.archive;

import org.jspecify.annotations.NullMarked;
