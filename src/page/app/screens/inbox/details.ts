import { useEffect, useState } from 'preact/hooks'
import type { RequirementView, ReviewChangeView } from '../../../../generated'
import { client } from '../../core/api/session'
import type { SomePerson } from '../../parts/marks/person'
import { isClosed } from '../../parts/marks/shown-state'
import { type EffectChange, effectWords } from '../../words/effects/effects'
import type { Words } from '../../words/spans'
import type { Entry } from './entries'

/** What only the change request itself and its review say. */
export interface Details {
  /** In words, of at most two flags or segments. */
  readonly effects: readonly { readonly name: string; readonly words: Words }[]
  readonly conflict: boolean
  /** It would undo what somebody else changed since. */
  readonly overwrites: boolean
  readonly approvers: readonly SomePerson[]
  /** While it is open. */
  readonly requirements?: readonly RequirementView[]
  /** Who ended it. */
  readonly by?: string | undefined
}

const known = new Map<string, Details>()
const waiting: (() => Promise<void>)[] = []
let running = 0
/** So many reviews are read at the same time. */
const atOnce = 4

/** Reads the review of a row once it comes into sight; undefined until it is known, and where it cannot be read. */
export function useDetails({ item }: Entry, element: { current: HTMLElement | null }): Details | undefined {
  const key = `${item.id} ${item.revision}`
  const [, show] = useState(0)
  useEffect(() => {
    if (known.has(key) || element.current === null) return
    const observer = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      enqueue(async () => {
        keep(key, await readDetails(item))
        show((count) => count + 1)
      })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [key])
  return known.get(key)
}

async function readDetails(item: Entry['item']): Promise<Details> {
  if (isClosed(item.state)) return await detailsOfClosed(item)
  const { body } = await client.review(item)
  const named = new Map<string, EffectChange[]>()
  for (const change of body.changes) {
    const name = change.feature ?? item.segments[0] ?? 'segment'
    named.set(name, [...(named.get(name) ?? []), toEffect(change)])
  }
  return {
    effects: [...named].slice(0, most).map(([name, changes]) => {
      return { name, words: changes.every(isTold) ? effectWords(changes) : [] }
    }),
    conflict: body.changes.some(({ conflict }) => conflict !== null),
    overwrites: body.changes.some(({ fields }) => fields.some(({ overwrites }) => overwrites)),
    approvers: body.requirements.flatMap(({ approvedBy }) => approvedBy),
    requirements: body.requirements,
  }
}

const most = 2

/** Its code comes with the screen that people open next. */
async function detailsOfClosed(item: Entry['item']): Promise<Details> {
  const { readClosed } = await import('../request')
  const { targets, votes, ended } = await readClosed(item)
  const effects = targets
    .slice(0, most)
    .map(({ name, changes, along }) => ({ name, words: effectWords(changes, along) }))
  const approvers = votes.map(({ person }) => person)
  return { effects, conflict: false, overwrites: false, approvers, by: ended?.by.username ?? undefined }
}

/** The review tells what will be there, which says what the payload does. */
function toEffect(change: ReviewChangeView): EffectChange {
  const { before = null, after = null, fields = [] } = change as Partial<EffectChange>
  return { ...change, before, after, fields, payload: after ?? {} }
}

/** Of what the API tells too little about, nothing is said. */
const isTold = ({ before, after, conflict }: EffectChange): boolean =>
  before !== null || after !== null || conflict !== null

function keep(key: string, details: Details): void {
  known.set(key, details)
  const [oldest] = known.keys()
  if (known.size > 500 && oldest !== undefined) known.delete(oldest)
}

/** What fails is left out: the row then says what the list said, and the request itself tells why. */
function enqueue(task: () => Promise<void>): void {
  waiting.push(task)
  next()
}

function next(): void {
  const task = running < atOnce ? waiting.shift() : undefined
  if (task === undefined) return
  running++
  const done = () => {
    running--
    next()
  }
  task().then(done, done)
}
