/**
 * The access records of readers: which stretches were read, and when.
 *
 * <p>May use {@code core.model}, {@code core.internal.store.file}, {@code
 * core.internal.store.block}.
 */
@NullMarked
package org.kblake.core.internal.store.access;

import org.jspecify.annotations.NullMarked;
