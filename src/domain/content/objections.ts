import type { ChangeRequest, JsonValue, Objection, ObjectionEnding, Person } from '../change-request'
import { byInstant } from '../instants'
import { cutText, textBytes } from './size'

/** Of the texts of all open objections together, and of all that ended: bytes as JSON. */
const maxTextBytes = 20_000
const maxEnded = 50
export const maxRequestedApprovers = 10

type Objected = Pick<ChangeRequest, 'objections'>

export function openObjections({ objections = [] }: Objected): readonly Objection[] {
  return objections.filter(({ ended }) => ended === undefined)
}

export function openObjectionOf(current: Objected, userId: number | null): Objection | undefined {
  return openObjections(current).find(({ by }) => by.id === userId)
}

/** Those that were open when it was rejected or cancelled. */
export function closedObjections({ objections = [] }: Objected): readonly Objection[] {
  return objections.filter(({ ended }) => ended?.how === 'closed')
}

/** The reviewers of a copy: the users whose objections the end of the original closed. */
export function reviewersOfCopy(original: Objected, copiedBy: Person): readonly number[] {
  const objectors = new Set(closedObjections(original).map(({ by }) => by.id))
  objectors.delete(copiedBy.id)
  return [...objectors].slice(0, maxRequestedApprovers)
}

/** The users who have reviewed the current content by objecting to it. */
export function objectorsOf(current: Objected): readonly number[] {
  return openObjections(current).flatMap(({ by, outdated }) => (outdated ? [] : [by.id]))
}

/**
 * Adds an objection, which replaces an open one of the same user. Unchanged if that is the same. The text is cut where the open
 * objections have no room for more.
 */
export function withObjection(
  current: ChangeRequest,
  objection: Pick<Objection, 'by' | 'at' | 'text' | 'outdated'>,
): ChangeRequest {
  const { by, at } = objection
  const { objections = [] } = current
  const others = openObjections(current).filter((one) => one.by.id !== by.id)
  const text = cutText(objection.text, roomFor(others)) ?? ''
  const own = openObjectionOf(current, by.id)
  if (own !== undefined && own.text === text && own.outdated === objection.outdated) return current
  const replaced = endOwnObjection(current, { how: 'replaced', by, at })
  const id = (objections.at(-1)?.id ?? 0) + 1
  return { ...replaced, objections: [...(replaced.objections ?? []), { ...objection, id, text }] }
}

/** Ends open objections, by default all. */
export function endObjections(
  current: ChangeRequest,
  ending: ObjectionEnding,
  which: readonly Objection[] = openObjections(current),
): ChangeRequest {
  if (which.length === 0) return current
  const ids = new Set(which.map(({ id }) => id))
  const all = (current.objections ?? []).map((one) => (ids.has(one.id) ? { ...one, ended: ending } : one))
  return { ...current, objections: withoutOld(all) }
}

/** Ends the open objection of the user who is named as the one that ends it. Unchanged if there is none. */
export function endOwnObjection(current: ChangeRequest, ending: ObjectionEnding): ChangeRequest {
  const own = openObjectionOf(current, ending.by.id)
  return own === undefined ? current : endObjections(current, ending, [own])
}

/** They object to other changes than the current ones. */
export function outdateObjections(current: ChangeRequest): Objected {
  const { objections } = current
  if (objections === undefined) return {}
  return { objections: objections.map((one) => (one.ended === undefined ? { ...one, outdated: true } : one)) }
}

/** Keeps the ones that ended last, and the newest objection, so that no id is given twice. */
function withoutOld(objections: readonly Objection[]): readonly Objection[] {
  const ended = objections.flatMap(({ id, text, ended }) => (ended === undefined ? [] : [{ id, text, at: ended.at }]))
  const kept = new Map<number, string>()
  let room = maxTextBytes
  for (const { id, text } of ended.sort((one, other) => byInstant(other.at, one.at)).slice(0, maxEnded)) {
    const cut = cutText(text, room) ?? ''
    room -= textBytes(cut)
    kept.set(id, cut)
  }
  const newest = objections.at(-1)
  return objections.flatMap((one) => {
    const text = one.ended === undefined ? one.text : kept.get(one.id)
    if (text !== undefined) return { ...one, text }
    return one === newest ? { ...one, text: '' } : []
  })
}

function roomFor(open: readonly Objection[]): number {
  return open.reduce((room, { text }) => room - textBytes(text), maxTextBytes)
}

/** Who objected, and who ended that. */
export function peopleIn(objections: readonly Objection[]): readonly Person[] {
  return objections.flatMap(({ by, ended }) => (ended === undefined ? [by] : [by, ended.by]))
}

/** What the event that closes a change request says about its objections, and about approvals that were taken back. */
export function stopsInEvent({ objections = [], voidedApprovals = [] }: ChangeRequest): { [key: string]: JsonValue } {
  const ended = objections.flatMap(({ by, at, ended }) =>
    ended === undefined ? [] : [{ by: named(by), at, how: ended.how, endedBy: named(ended.by), endedAt: ended.at }],
  )
  const takenBack = voidedApprovals.flatMap(({ by, at, cause, vote }) =>
    cause === 'taken-back' ? [{ by: named(by), approvedAt: vote?.createdAt ?? null, at }] : [],
  )
  return { ...(ended.length > 0 && { objections: ended }), ...(takenBack.length > 0 && { takenBack }) }
}

export function named({ id, username }: Person) {
  return { id, username }
}
