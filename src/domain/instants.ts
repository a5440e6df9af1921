/** The last millisecond whose year has four digits in ISO 8601. No later time can be stored: storages compare them as texts. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The instant of a time in ISO 8601, in milliseconds. Times are compared as instants: as texts, they have the wrong order where
 * one has an offset, or a year with a sign, such as +010000.
 */
export function instantOf(time: string): number {
  return Date.parse(time)
}

/** Compares two times, for sorting: the earlier one first. */
export function byInstant(one: string, other: string): number {
  return instantOf(one) - instantOf(other)
}
