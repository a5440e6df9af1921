import { type EventCursor, type EventFilter, type EventRow, givenLists, isInstant } from '../../../ports/storage/events'
import type { Storage } from '../../../ports/storage/storage'
import { storedClosed } from '../../samples'
import { type EventFacts, event } from './samples'

export type Random = () => number

/** Returns a generator of numbers from 0 to 1 that depends only on the seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const words = {
  projects: ['shop', 'blog', 'wiki'],
  features: ['checkout', 'basket', 'search'],
  types: ['feature-updated', 'change-added', 'change-request-created', 'feature-archived'],
  environments: ['live', 'test'],
  createdBy: [1, 2, -1337],
  groupIds: ['G1', 'G2'],
  texts: ['needle', 'Hay', 'x"y', '50%', 'ä'],
}

const pick = <Value>(random: Random, list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value
const maybe = <Value>(random: Random, list: readonly Value[]): Value | null =>
  random() < 0.25 ? null : pick(random, list)
const some = <Value>(random: Random, list: readonly Value[]): Value[] => list.filter(() => random() < 0.5)

const day = (random: Random) => `2026-03-0${1 + Math.floor(random() * 9)}`
const times = ['00:00:00.000', '00:00:00.001', '12:00:00.000', '23:59:59.999']
const instant = (random: Random) => `${day(random)}T${pick(random, times)}Z`

/** A log as a plain list, with the subjects of its change requests. */
export interface Model {
  readonly log: readonly (EventRow & { readonly id: number })[]
  readonly subjects: ReadonlyMap<number, readonly string[]>
}

/** Fills the store with random events. */
export async function fill(storage: Storage, random: Random, count: number): Promise<Model> {
  const subjects = new Map<number, readonly string[]>()
  for (let made = 0; made < 4; made += 1) {
    const found = some(random, words.features).map((name) => `feature:${name}`)
    const { changeRequest } = await storedClosed(storage, {}, found)
    subjects.set(changeRequest.id, found)
  }
  const rows = Array.from({ length: count }, () => randomEvent(random, [...subjects.keys()]))
  for (let from = 0; from < count; from += 20) await storage.appendEvents(rows.slice(from, from + 20))
  const page = await storage.eventPage({}, { after: 0 }, count + 1)
  const ids = JSON.parse(`[${Buffer.from(page.json)}]`).map(({ id }: { id: number }) => id)
  return { log: rows.map((row, at) => ({ ...row, id: ids[at] })), subjects }
}

function randomEvent(random: Random, changeRequests: readonly number[]): EventRow {
  const facts = () => {
    const text = maybe(random, words.texts)
    return text === null ? null : { text }
  }
  const logged: EventFacts = {
    type: pick(random, words.types),
    createdAt: instant(random),
    project: maybe(random, words.projects),
    environment: maybe(random, words.environments),
    featureName: maybe(random, words.features),
    createdByUserId: maybe(random, words.createdBy),
    groupId: maybe(random, words.groupIds),
    changeRequestId: maybe(random, changeRequests),
    data: facts(),
    preData: facts(),
    tags: some(random, words.texts).map((value) => ({ type: 'simple', value })),
    createdBy: pick(random, words.texts),
  }
  return event(logged)
}

export interface Question {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly limit: number
}

export function randomQuestion(random: Random, { log, subjects }: Model): Question {
  const given = <Value>(make: () => Value): Value | undefined => (random() < 0.3 ? make() : undefined)
  const list = <Value>(values: readonly Value[], none: Value) =>
    given(() => [...some(random, values), ...some(random, [none])])
  const filter = {
    projects: list(words.projects, 'none'),
    features: given(() => some(random, words.features)),
    ids: list(
      some(random, log).map(({ id }) => id),
      0,
    ),
    types: list(words.types, 'none'),
    environments: list(words.environments, 'none'),
    createdBy: list(words.createdBy, 3),
    groupIds: list(words.groupIds, 'none'),
    changeRequestIds: list([...subjects.keys()], 0),
    from: given(() => pick(random, [day, instant])(random)),
    to: given(() => pick(random, [day, instant])(random)),
    query: given(() => pick(random, words.texts)),
    history: given(() => {
      const flagSubjects = some(random, words.features).map((name) => `feature:${name}`)
      return { features: some(random, words.features), subjects: flagSubjects }
    }),
  } satisfies { readonly [part in keyof EventFilter]-?: unknown }
  const at = pick(random, log).id
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    cursor: pick<EventCursor>(random, [
      { before: at },
      { after: at },
      { before: Number.MAX_SAFE_INTEGER },
      { after: 0 },
    ]),
    limit: 1 + Math.floor(random() * 2 ** (random() * 7)),
  }
}

/** The result that the port specifies, computed from a plain list. */
export function expected({ log, subjects }: Model, { filter, cursor, limit }: Question) {
  const forward = 'after' in cursor
  const afterCursor = log.filter(({ id }) => (forward ? id > cursor.after : id < cursor.before))
  const inOrder = forward ? afterCursor : afterCursor.toReversed()
  const examined = inOrder.filter((row) => isMatch(row, filter, subjects)).slice(0, limit)
  const ids = examined.filter((row) => has(row, filter.query)).map(({ id }) => id)
  return { ids, count: ids.length, searched: examined.length, lastId: examined.at(-1)?.id ?? 0 }
}

function isMatch(row: Model['log'][number], filter: EventFilter, subjects: Model['subjects']): boolean {
  if (givenLists(filter).some(({ column, values }) => !values.some((value) => value === row[column]))) return false
  const { from = '', to = '9999-12-31', history } = filter
  const isBefore = isInstant(to) ? row.createdAt < to : row.createdAt.slice(0, to.length) <= to
  if (row.createdAt < from || !isBefore) return false
  if (history === undefined || history.features.includes(row.featureName ?? '')) return true
  const about = subjects.get(row.changeRequestId ?? 0) ?? []
  return about.some((subject) => history.subjects.includes(subject))
}

function has({ json }: EventRow, text: string | undefined): boolean {
  if (text === undefined) return true
  const { data, preData, tags } = JSON.parse(json)
  const lowerCase = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return [data, preData, tags].some(
    (part) => part !== null && lowerCase(JSON.stringify(part)).includes(lowerCase(text)),
  )
}
