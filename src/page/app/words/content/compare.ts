import { changeWords } from '../changes'
import { type FieldRow, labelInLine } from '../fields/row'
import { rowsOf } from '../fields/rows'
import { isSame, objectOf } from '../json'
import { count } from '../numbers'
import { flag, joined, strong, textOf, type Words } from '../spans'
import type { ChangeItem, TargetItem } from './items'

/** The content on the screen is no longer what would be applied. */
export interface ContentChange {
  /** One sentence for each flag that is affected. */
  readonly words: Words
  /** The value of each altered field before, by `markKey`; null where it is new. */
  readonly fields: ReadonlyMap<string, Words | null>
  /** Changes that were not there. */
  readonly added: ReadonlySet<number>
}

/** Names a row of a change. */
export function markKey(changeId: number, rowKey: string): string {
  return `${changeId} ${rowKey}`
}

/** What differs between two versions of the content; null if they look the same. */
export function compareContent(old: readonly TargetItem[], next: readonly TargetItem[]): ContentChange | null {
  if (isSame(toContent(old), toContent(next))) return null
  const names = new Map([...old, ...next].map(({ key, name }) => [key, name]))
  const fields = new Map<string, Words | null>()
  const added = new Set<number>()
  const sentences: Words[] = []
  for (const [key, name] of names) {
    const [before, after] = [old.find((one) => one.key === key), next.find((one) => one.key === key)]
    if (isSame(toContent(before ? [before] : []), toContent(after ? [after] : []))) continue
    const parts = compareTarget(before, after, fields, added)
    sentences.push([flag(name), ': ', ...(parts.length === 0 ? ['is another now'] : first(parts, ', '))])
  }
  return { words: first(sentences, '; '), fields, added }
}

const most = 2

/** The first parts, and how many more there are. */
function first(parts: readonly Words[], separator: string): Words {
  const rest = parts.length > most ? [`${separator}${count(parts.length - most)} more`] : []
  return [...joined(parts.slice(0, most), separator), ...rest]
}

function toContent(targets: readonly TargetItem[]) {
  return targets.map(({ key, implied, changes }) => ({
    key,
    implied,
    changes: changes.map(({ id, action, payload, before, after, fields, conflict }) => {
      return { id, action, payload, before, after, fields, conflict }
    }),
  }))
}

function compareTarget(
  before: TargetItem | undefined,
  after: TargetItem | undefined,
  fields: Map<string, Words | null>,
  added: Set<number>,
): Words[] {
  const left = [...(before?.changes ?? [])]
  const parts: Words[] = []
  for (const change of after?.changes ?? []) {
    const place = left.findIndex((one) => isAboutTheSame(one, change))
    const [former] = place < 0 ? [] : left.splice(place, 1)
    if (former) parts.push(...compareChange(former, change, fields))
    else {
      added.add(change.id)
      parts.push([`${titleOf(change)} `, strong('is new')])
    }
  }
  parts.push(...left.map((gone): Words => [`${titleOf(gone)} `, strong('was removed')]))
  if (!isSame(before?.implied, after?.implied)) parts.push(['the implied change is different'])
  return parts
}

/** An edit gives a change a new number. */
function isAboutTheSame(one: ChangeItem, other: ChangeItem): boolean {
  if (one.id === other.id) return true
  const id = (change: ChangeItem) => objectOf(change.payload).id ?? objectOf(change.payload).feature ?? null
  return one.action === other.action && id(one) === id(other)
}

function titleOf(change: ChangeItem): string {
  const { what } = changeWords(change, change.before ?? change.after)
  return what.charAt(0).toLowerCase() + what.slice(1)
}

function compareChange(former: ChangeItem, change: ChangeItem, fields: Map<string, Words | null>): Words[] {
  const parts: Words[] = []
  const known = new Map(rowsOf(former).map((row) => [row.key, row]))
  for (const row of rowsOf(change)) {
    const old = known.get(row.key)
    known.delete(row.key)
    if (old && isSame(sides(old), sides(row))) continue
    fields.set(markKey(change.id, row.key), old ? old.after.words : null)
    parts.push(rowWords(old, row))
  }
  for (const gone of known.values()) parts.push([`${labelInLine(gone)} `, strong('stays as it is')])
  if (former.conflict !== change.conflict) parts.push([change.conflict ?? 'the conflict is resolved'])
  return parts
}

function sides({ now, after, overwrites }: FieldRow) {
  return { now, after, overwrites }
}

function rowWords(old: FieldRow | undefined, row: FieldRow): Words {
  const label = labelInLine(row)
  if (!old) return [`${label} `, strong(textOf(row.after.words))]
  if (isSame(old.after, row.after))
    return [`${label} is ${textOf(row.now.words)} now, no longer ${textOf(old.now.words)}`]
  return [`${label} ${textOf(old.after.words)} → `, strong(textOf(row.after.words))]
}
