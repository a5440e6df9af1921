import { definitionOf, segmentId } from '../actions/table'
import type { Change, JsonValue, NewChange } from '../change-request'
import { namedSegment } from './grouping'
import { namesIn } from './json-pointer'
import { kindOf } from './strategy-kinds'

type Named = NewChange & Partial<Pick<Change, 'base' | 'snapshot'>>

/** What a change does, to begin a sentence: `Editing “Beta users” of checkout`. */
export function phraseOf(change: Named): string {
  return definitionOf(change).phrase(change.payload, { subject: subjectOf(change), strategy: strategyOf(change) })
}

/** A field of the target of a change, in a sentence: `the rollout of “Beta users” of checkout`. */
export function fieldPhrase(change: Named, path: string): string {
  const target = targetOf(change)
  const field = fieldName(path)
  return field === null ? target : `${field} of ${target}`
}

function targetOf(change: Named): string {
  const subject = subjectOf(change)
  return definitionOf(change).target === 'strategy' ? `${strategyOf(change)} of ${subject}` : subject
}

function subjectOf(change: Named): string {
  if (change.feature !== null) return change.feature
  const name = textIn(change.base ?? change.snapshot, 'name') ?? namedSegment(change).name
  return name === null ? `the segment ${segmentId(change)}` : `the segment ${quoted(name)}`
}

function strategyOf({ payload, base, snapshot }: Named): string {
  const known = base ?? snapshot
  const title = textIn(known, 'title') ?? textIn(payload, 'title')
  if (title !== null) return quoted(title)
  const kind = textIn(known, 'name') ?? textIn(payload, 'name')
  return kind === null ? 'a strategy' : quoted(kindOf(kind))
}

const maxName = 50

export function quoted(name: string): string {
  return `“${truncated(name)}”`
}

function truncated(name: string): string {
  const characters = [...name]
  return characters.length > maxName ? `${characters.slice(0, maxName - 1).join('')}…` : name
}

function textIn(value: JsonValue | undefined, name: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const text = value[name]
  return typeof text === 'string' && text.trim() !== '' ? text : null
}

/** Names of fields in sentences; any other field has its own name. */
const words: Readonly<Record<string, string>> = {
  enabled: 'the state',
  archived: 'the state',
  disabled: 'the state',
  sortOrder: 'the position',
  groupId: 'the group id',
  userIds: 'the users',
  IPs: 'the IP addresses',
  hostNames: 'the hosts',
  contextName: 'the context field',
  weightType: 'the weight type',
  templateId: 'the template',
}

/** The field that a JSON pointer names, in a sentence: `the weight of the variant “blue”`; null for the whole target. */
export function fieldName(path: string): string | null {
  const [first, element, ...inside] = namesIn(path)
  if (first === undefined) return null
  if (first === 'parameters' && element !== undefined) return wordFor(element)
  if (element === undefined) return wordFor(first)
  const [singular, isNamed] = lists[first] ?? [`an element of ${wordFor(first)}`, false]
  const one = isNamed ? `${singular} ${quoted(element)}` : singular
  return inside.length === 0 ? one : `${wordFor(inside.at(-1) as string)} of ${one}`
}

/** What an element of a list is, and whether the path has its name. Ids and positions mean nothing to a reader. */
const lists: Readonly<Record<string, readonly [string, boolean]>> = {
  variants: ['the variant', true],
  dependencies: ['the parent', true],
  order: ['a strategy', false],
  constraints: ['a constraint', false],
}

export function wordFor(name: string): string {
  return Object.hasOwn(words, name) ? (words[name] as string) : `the ${truncated(name)}`
}

export function propertyOf(path: string): string {
  return namesIn(path).at(-1) ?? ''
}
