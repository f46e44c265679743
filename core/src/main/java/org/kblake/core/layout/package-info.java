/**
 * The byte layout of KEKBLog files. {@link org.kblake.core.layout.LogLayout} is the interface for
 * sites with another layout. {@link org.kblake.core.layout.ReferenceLayout} is the published
 * layout. Only this package has byte offsets of logs and indexes. It opens no file.
 */
@NullMarked
package org.kblake.core.layout;

import org.jspecify.annotations.NullMarked;
