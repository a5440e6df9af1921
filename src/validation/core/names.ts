import featureName from '#schemas/shared/feature-name.json'
import name from '#schemas/shared/name.json'

export type FeatureNames = 'url' | 'any'

interface NameSchema {
  readonly title: string
  readonly maxLength: number
  readonly pattern: string
}

export interface NameRule {
  /** The JSON Schema that the router validates with. */
  readonly schema: NameSchema
  /** The JSON Schema that clients get. */
  readonly published: object
  readonly pattern: RegExp
  /** Completes the sentence "the name …". */
  readonly expected: string
  /** What follows the sentence and the value. */
  readonly hint: string
}

const urlFriendly = `must have 1 to ${name.maxLength} characters, only A-Z, a-z, 0-9 and - _ . ! ~ * ' ( ), and must not be "." or ".."`

/** The rule for projects, environments and everything else that is not a flag. */
export const placeNames = nameRule(name, urlFriendly)

/**
 * Invisible characters would let two names look the same, and marks of direction would let a name look like another one. Joiners
 * and variation selectors are part of words and emoji. U+2028 and U+2029 end lines for some readers of an export.
 */
const anyText =
  '^(?!\\.{1,2}$)(?![\\s\\u200c\\u200d])(?:[\\u200c\\u200d\\p{Variation_Selector}]|' +
  '[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}])+(?<![\\s\\u200c\\u200d])$'

const { pattern: _, ...withoutPattern } = featureName
const anyName = {
  ...withoutPattern,
  description: 'Name of a flag: no control or invisible characters, no blank at either end, and neither "." nor "..".',
}

/** The rules for flags. */
export const featureNameRules: Readonly<Record<FeatureNames, NameRule>> = {
  url: nameRule(featureName, urlFriendly, {
    hint: '; for other names of flags, set the option featureNames of the router to "any"',
  }),
  any: nameRule(
    { ...anyName, pattern: anyText },
    `must have 1 to ${name.maxLength} characters, no control or invisible characters, no blank at either end, and must not be "." or ".."`,
    { published: anyName },
  ),
}

function nameRule(
  schema: NameSchema,
  expected: string,
  { hint = '', published = schema }: { readonly hint?: string; readonly published?: object } = {},
): NameRule {
  return { schema, published, pattern: new RegExp(schema.pattern, 'u'), expected, hint }
}

export function isName({ schema: { maxLength }, pattern }: NameRule, value: string): boolean {
  // A character has at most two code units.
  return value.length <= 2 * maxLength && [...value].length <= maxLength && pattern.test(value)
}
