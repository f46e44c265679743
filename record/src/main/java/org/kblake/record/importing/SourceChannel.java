package org.kblake.record.importing;

import org.kblake.core.model.ValueType;

/**
 * A channel of another archive.
 *
 * @param type the type of its first value
 * @param elements the most elements that its values are expected to have, at least 1
 */
public record SourceChannel(String name, ValueType type, int elements) {}
