/**
 * The byte layout of KEKBLog files. {@link org.kblake.core.layout.LogLayout} is the interface that
 * a site with other bytes implements; {@link org.kblake.core.layout.ReferenceLayout} is the
 * published layout. Only this package knows where a byte of a log or an index lies. It opens no
 * file.
 *
 * <p>May use {@code core.model}.
 */
@NullMarked
package org.kblake.core.layout;

import org.jspecify.annotations.NullMarked;
