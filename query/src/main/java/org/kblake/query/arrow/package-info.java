/**
 * Events as Arrow vectors: the schema of an answer, and the copying of {@link
 * org.kblake.core.store.EventColumns} into the buffers of a batch. Knows no file, no archive and no
 * store.
 */
@NullMarked
package org.kblake.query.arrow;

import org.jspecify.annotations.NullMarked;
