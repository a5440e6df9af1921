import { escaped } from '../../../../domain/content/json-pointer'
import { isBlank, type Json, shown } from '../json'
import { brief, isList, muted, plainText, strong, textOf, type Words } from '../spans'

/** A field that a change alters, as in the review. */
export interface FieldDiff {
  readonly path: string
  readonly base: Json
  readonly current: Json
  readonly proposed: Json
  readonly overwrites: boolean
  /** Also what stays the same has a row. */
  readonly whole?: boolean | undefined
}

/** One value of a field. */
export interface Side {
  readonly words: Words
  /** Shown as a switch. */
  readonly on?: boolean
}

/** A percentage before and after; null where there is none. */
export interface Share {
  readonly from: number | null
  readonly to: number | null
}

/** A line of the table of a change: field, now, after. */
export interface FieldRow {
  readonly key: string
  readonly label: string
  /** The label begins with a name of the host or of a user: within a sentence it is this text. */
  readonly name?: string
  readonly now: Side
  readonly after: Side
  /** The value when the change was proposed, if it was altered since. */
  readonly was: Side | null
  readonly overwrites: boolean
  readonly share: Share | null
  /** What comes after also shows what was there. */
  readonly isMerged?: boolean
  /** Long texts or JSON before and after, to compare word by word. */
  readonly texts?: readonly [now: Json, after: Json]
}

export const none: Side = { words: [muted('none')] }

export function side(...words: Words): Side {
  return { words }
}

/** The value as text, null as "none". */
export function plain(value: Json): Side {
  return value === null || value === undefined ? none : side(unlikeOurs(shown(value)))
}

/** What the page says in place of a value. */
const own: ReadonlySet<string> = new Set(['', 'none', 'empty', 'unknown', 'changed', '…'])

/** A value that is one of these words is quoted. */
export function unlikeOurs(text: string): string {
  return own.has(text) ? `“${text}”` : text
}

/** A row whose values are shown alike. */
export function row(label: string, diff: FieldDiff, show: (value: Json) => Side = plain): FieldRow {
  const { path, base, current, proposed, overwrites } = diff
  return {
    key: path,
    label,
    ...(path.endsWith(`/${escaped(label)}`) && { name: label }),
    now: show(current),
    after: show(proposed),
    was: overwrites ? show(base) : null,
    overwrites,
    share: null,
  }
}

/** Shorter texts are compared at a glance. */
const short = 40

/** A row of a text or of JSON, which can be long. */
export function textRow(label: string, diff: FieldDiff, show?: (value: Json) => Side): FieldRow {
  const texts = [diff.current, diff.proposed] as const
  const isLong = texts.every((one) => !isBlank(one)) && texts.some((one) => shown(one).length > short)
  return { ...row(label, diff, show), ...(isLong && { texts }) }
}

/** `25 % → 75 %`, of a long list what comes and goes. A long text is named, not shown: the table has all of it. */
export function changeOf({ now, after }: Pick<FieldRow, 'now' | 'after'>): Words {
  const [from, to] = [textOf(now.words), textOf(after.words)]
  const [isLong, becomesLong] = [from.length > short, to.length > short]
  if ((isLong || becomesLong) && after.words.some(isList)) return brief(after.words)
  if (isLong && becomesLong) return [strong('changed')]
  return [isLong ? '…' : plainText(from), ' → ', strong(becomesLong ? '…' : to)]
}

/** `rollout 25 % → 75 %` */
export function lineOf(row: FieldRow): Words {
  return [`${labelInLine(row)} `, ...changeOf(row)]
}

/** The label within a sentence. */
export function labelInLine({ label, name }: Pick<FieldRow, 'label' | 'name'>): string {
  return name ?? lowered(label)
}

/** The words within a sentence; `IP addresses` stays as it is. */
export function lowered(words: string): string {
  return /^[A-Z](?![A-Z])/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words
}
