import type { Storage, StoredChangeRequest } from '../../../../src'
import { openObjections } from '../../../../src/domain/content/objections'
import { eventsAfter, type Flags } from './hosts'

type Event = Awaited<ReturnType<typeof eventsAfter>>[number]

const edits = ['change-added', 'change-edited', 'change-discarded']

/**
 * The violations of guarantees P5 to P8 in a store: two open change requests of one author in one environment, an apply
 * without enough approvals of exactly what was applied or over an objection, an apply that happened twice or was not recorded. Computed from
 * the log, the stored rows and the calls of the flag gateway.
 */
export async function breaches(storage: Storage, flags: Flags, project = 'shop'): Promise<string[]> {
  const found: string[] = []
  const log = await eventsAfter(storage, 0, project)
  const open = new Set<string>()
  for (const { changeRequest } of await everything(storage, project)) {
    const { id, environment, state, createdBy } = changeRequest
    const applies = flags.times(id)
    if (['Draft', 'In review', 'Approved'].includes(state)) {
      const place = `${environment} ${createdBy.id}`
      if (open.has(place)) found.push(`${place} has two open change requests`)
      open.add(place)
    }
    if (applies !== (state === 'Applied' ? 1 : 0)) found.push(`${id} is ${state}, applied ${applies} times`)
    if (state === 'Applied') found.push(...unreviewed(changeRequest, flags, log))
  }
  return found
}

/** All change requests of the project, by any author. */
export async function everything(storage: Storage, project = 'shop') {
  const all = { limit: 1000, bytes: 2 ** 30 }
  const lists = await Promise.all([1, 2, 3, 4, 5].map((viewer) => storage.list({ projects: [project], viewer }, all)))
  return [...new Map(lists.flatMap(({ items }) => items).map((one) => [one.changeRequest.id, one])).values()]
}

type ChangeRequest = StoredChangeRequest['changeRequest']

function unreviewed(changeRequest: ChangeRequest, flags: Flags, log: readonly Event[]) {
  const { id, createdBy, minApprovals, changes, approvals: votes } = changeRequest
  const found: string[] = []
  if (openObjections(changeRequest).length > 0) found.push(`${id} was applied over an objection`)
  if (votes.length < minApprovals) found.push(`${id} was applied with approvals that were taken back`)
  const own = log.filter(({ data, preData }: Event & { preData?: Event['data'] }) =>
    [data?.changeRequestId, preData?.changeRequestId].includes(id),
  )
  const contributors = new Set([createdBy.id, ...own.filter(({ type }) => edits.includes(type)).map(userOf)])
  const lastEdit = own.findLastIndex(({ type }) => edits.includes(type))
  const approvals = own.slice(lastEdit + 1).filter(({ type }) => type === 'change-request-approval-added')
  const approvers = new Set(approvals.map(userOf))
  if (approvers.size < minApprovals) found.push(`${id} was applied with ${approvers.size} of ${minApprovals} approvals`)
  for (const person of approvers) if (contributors.has(person)) found.push(`${id} was approved by its contributor`)
  if (new Set(approvals.map(({ data }) => data.digest)).size > 1) found.push(`${id}: approvals of different changes`)
  const applied = own.filter(({ type }) => type === 'change-request-applied')
  if (applied.length !== 1) found.push(`${id} has ${applied.length} events of its apply`)
  const arrived = flags.applied.find(({ changeRequestId }) => changeRequestId === id)?.changes ?? []
  if (contents(arrived) !== contents(lastSwitches(changes))) found.push(`${id}: something else was applied`)
  return found
}

/** Without changes that a later one of the same flag replaces (contract 6.4). */
export function lastSwitches<Item extends { readonly action: string; readonly feature: string | null }>(
  changes: readonly Item[],
): Item[] {
  const isSwitch = ({ action }: Item) => action === 'updateEnabled'
  return changes.filter(
    (change, index) =>
      !isSwitch(change) ||
      !changes.slice(index + 1).some((later) => isSwitch(later) && later.feature === change.feature),
  )
}

/** Ignores their order. */
function contents(changes: Flags['applied'][number]['changes'] | ChangeRequest['changes']): string {
  const texts = changes.map(({ id, action, feature, payload }) => JSON.stringify([id, action, feature, payload]))
  return texts.sort().join()
}

function userOf({ createdByUserId }: Event): number {
  return createdByUserId
}
