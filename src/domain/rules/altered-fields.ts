import { escaped, namesIn } from '../content/json-pointer'
import { type FieldValue, isSame, type Meaning, ofPart, within } from '../diff/canonical'
import { areAlike, compareFields, entriesOf } from '../diff/fields'
import { canHave } from './part-fields'
import type { WholePart } from './whole-effect'

/**
 * A field that a change request alters: the current value, which the {@link FlagGateway} returns, is compared with the value
 * after all changes, so that several small steps count as one. All given numbers must hold. Numbers are numbers, or texts such as
 * `"25"`; if a value is not a number, is missing or is unknown, the condition matches.
 */
export interface FieldCondition {
  /**
   * JSON pointer to the field in a flag, strategy or segment, as a review shows it, such as `/parameters/rollout`. What is below
   * it matches, too. Elements of a list are named by their id or name; `*` is any one name.
   */
  readonly path: string
  /** The number changes by more than this, up or down; at least 0. */
  readonly by?: number
  /** The number after the changes is higher than this. */
  readonly above?: number
  /** The number after the changes is lower than this. */
  readonly below?: number
}

interface Altered {
  /** JSON pointer; null if it is unknown which fields are altered. */
  readonly path: string | null
  readonly now: FieldValue
  readonly after: FieldValue
}

/** The altered fields of these parts that meet one of the conditions, each with the change that alters it last. */
export function alteredFields(
  parts: readonly WholePart[],
  conditions: readonly FieldCondition[],
): readonly { readonly path: string | null; readonly changeId: number | null }[] {
  return conditions.flatMap((condition) => {
    const names = namesIn(condition.path)
    return parts.flatMap((part) =>
      alteredIn(part, names)
        .filter((altered) => holds(condition, altered))
        .map(({ path }) => ({ path, changeId: lastChangeOf(part, path) })),
    )
  })
}

function alteredIn({ kind, before, after }: WholePart, names: readonly string[]): readonly Altered[] {
  if ((before == null || after == null) && !canHave(kind, names)) return []
  if (before === undefined && after === undefined) return [{ path: null, now: undefined, after: undefined }]
  return alteredAt({ path: '', now: before ?? undefined, after: after ?? undefined }, names, ofPart)
}

/** The altered fields at, below and above the place that the names lead to. */
function alteredAt(field: Altered & { path: string }, names: readonly string[], meaning: Meaning): readonly Altered[] {
  const { path, now, after } = field
  if (isSame(now, after, meaning)) return []
  const [name, ...further] = names
  if (name === undefined) {
    const compared = compareFields(now, now, after, path, meaning)
    return compared.map(({ path, current, proposed }) => ({ path, now: current, after: proposed }))
  }
  const [ofNow, ofAfter] = [entriesOf(now), entriesOf(after)]
  if (!ofNow || !ofAfter || !areAlike(now, after)) return replacedAt(field, names)
  return namesAt(name, ofNow, ofAfter).flatMap((one) => {
    const inside = { path: `${path}/${escaped(one)}`, now: ofNow.get(one), after: ofAfter.get(one) }
    return alteredAt(inside, further, within(meaning, one))
  })
}

/** Of a whole that appears, vanishes or becomes another kind of whole, the values that the names lead to. */
function replacedAt({ path, now, after }: Altered & { path: string }, names: readonly string[]): readonly Altered[] {
  if (isWhole(now)) return valuesAt(now, names, path).map(({ path, value }) => ({ path, now: value, after: undefined }))
  if (isWhole(after))
    return valuesAt(after, names, path).map(({ path, value }) => ({ path, now: undefined, after: value }))
  return []
}

/** Whether there are values inside. */
function isWhole(value: FieldValue): boolean {
  return typeof value === 'object' && value !== null
}

/** At least one: a value that is missing is undefined. */
function valuesAt(
  value: FieldValue,
  [name, ...further]: readonly string[],
  path: string,
): readonly { readonly path: string; readonly value: FieldValue }[] {
  if (name === undefined) return [{ path, value }]
  const entries = entriesOf(value)
  const found = entries === undefined ? [] : namesAt(name, entries)
  if (found.length === 0) return [{ path, value: undefined }]
  return found.flatMap((one) => valuesAt(entries?.get(one), further, `${path}/${escaped(one)}`))
}

function namesAt(name: string, ...all: readonly ReadonlyMap<string, unknown>[]): readonly string[] {
  return name === '*' ? [...new Set(all.flatMap((entries) => [...entries.keys()]))] : [name]
}

/** Where a value is not a number, the condition holds: in doubt a rule matches. */
function holds({ by, above, below }: FieldCondition, altered: Altered): boolean {
  const [now, after] = [toNumber(altered.now), toNumber(altered.after)]
  const differs = by === undefined || now === undefined || after === undefined || Math.abs(after - now) > by
  return (
    differs &&
    (above === undefined || after === undefined || after > above) &&
    (below === undefined || after === undefined || after < below)
  )
}

/** Longer texts are not exact as numbers. */
const maxDigits = 15

function toNumber(value: FieldValue): number | undefined {
  if (typeof value === 'number') return value
  const isText = typeof value === 'string' && value.length <= maxDigits && /^-?[0-9]+(?:\.[0-9]+)?$/.test(value)
  return isText ? Number(value) : undefined
}

/** The last change that alters the field itself, or else the last one of the flag or segment, which alters it indirectly. */
function lastChangeOf({ steps, last }: WholePart, path: string | null): number | null {
  const names = path === null ? [] : namesIn(path)
  const altering = steps.filter(({ before, after }) => {
    return !isSame(valuesAt(before, names, '')[0]?.value, valuesAt(after, names, '')[0]?.value, {})
  })
  return (altering.at(-1) ?? last).change.id
}
