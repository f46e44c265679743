/** Answers each kind of question: resolves names, plans, and opens the sources. */
@NullMarked
package org.kblake.query.internal.engine;

import org.jspecify.annotations.NullMarked;
