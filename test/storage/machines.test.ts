import fc from 'fast-check'
import type { Storage } from '../../src'
import { addChanges, discardChange, editChange } from '../../src/capabilities/proposals/changes'
import { acknowledge } from '../../src/capabilities/review/routes'
import { changeState } from '../../src/capabilities/state/change-state'
import { ChangeRequestError } from '../../src/errors'
import type { Services } from '../../src/kernel/services'
import type { Actor } from '../../src/ports/access'
import { createFixture, enable, inAnHour } from '../kernel/support/fixture'
import { random } from '../support/random'
import { stores } from './fixtures'

const people = [1, 2, 3]
const bots = [8, 9]

const role = fc.record({
  id: fc.constantFrom(...people, ...bots),
  kind: fc.constantFrom('person' as const, 'service' as const, 'agent' as const),
  principal: fc.constantFrom(undefined, ...people),
})

/** Bots are a machine or a person at each step, for anyone or nobody: what authenticate returns can change. */
function actorOf(id: number, { kind, principal }: Pick<Step['role'], 'kind' | 'principal'>): Actor {
  if (!bots.includes(id) || kind === 'person') return { id, username: `user-${id}` }
  const onBehalfOf = principal === undefined ? {} : { onBehalfOf: { id: principal, username: null } }
  return { id, username: `user-${id}`, kind, ...onBehalfOf }
}

const kinds = [
  ...[
    'propose',
    'propose',
    'edit',
    'discard',
    'submit',
    'submit',
    'approve',
    'approve',
    'approve',
    'approve',
    'approve',
  ],
  ...['apply', 'apply', 'apply', 'schedule', 'reject', 'emergency', 'acknowledge'],
] as const
const authorOnly: readonly string[] = ['edit', 'discard', 'submit']
const step = fc.record({ kind: fc.constantFrom(...kinds), role, isNewest: fc.boolean() })
const sequence = fc.record({
  minimum: fc.constantFrom(1, 2),
  hasRule: fc.boolean(),
  proposal: role,
  steps: fc.array(step, { minLength: 30, maxLength: 60 }),
})

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** What happened to a change request, as the test saw it. */
interface History {
  readonly id: number
  readonly author: number
  /** Everyone who added or edited a change, and everyone for whom that was done. */
  readonly involved: Set<number>
  /** The people who have approved it since its last edit. */
  approvers: Set<number>
}

/** @see contract 23 */
describe.each(stores)('random steps of people and machines, on $name', ({ open }) => {
  let store: { storage: Storage; close(): Promise<void> }
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  it('apply nothing with fewer approvals of uninvolved people than it needs, except for emergencies by people', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(sequence, async ({ minimum, hasRule, proposal, steps }) => {
        run += 1
        const place = { project: `p${run}`, environment: 'production' }
        const rule = { name: 'also for machines', approvals: 1, when: { authors: ['service', 'agent'] as const } }
        const { services, host } = createFixture({
          storage: () => store.storage,
          emergency: true,
          recordOnly: true,
          approvalRules: hasRule ? [rule] : [],
          requiredApprovals: minimum,
        })
        host.allows = () => true
        const histories: History[] = []
        const first = (['propose', 'submit'] as const).map((kind) => ({ kind, role: proposal, isNewest: true }))
        for (const one of [...first, ...steps]) await take(services, place, histories, one, minimum)
      }),
      random(50),
    )
  })
})

async function take(
  services: Services,
  place: { readonly project: string; readonly environment: string },
  histories: History[],
  { kind, role: { id: who, ...rest }, isNewest }: Step,
  minimum: number,
): Promise<void> {
  const history = histories.at(isNewest ? -1 : 0)
  const caller = actorOf(authorOnly.includes(kind) ? (history?.author ?? who) : who, rest)
  const input = { actor: caller, ip: undefined, ifMatch: undefined, project: place.project }
  const id = history?.id ?? 0
  const state = (name: 'In review' | 'Approved' | 'Rejected' | 'Scheduled' | 'Applied', reason: string | null = null) =>
    changeState(services, {
      ...{ ...input, id, state: name, comment: null, digest: null, reason },
      scheduledAt: name === 'Scheduled' ? inAnHour : null,
    })
  const change = async () => (await services.storage.find(place, id))?.changeRequest.changes[0]?.id
  const isMachine = caller.kind !== undefined
  const own = [caller.id as number, ...(caller.onBehalfOf ? [caller.onBehalfOf.id] : [])]
  const work: { readonly [name in Step['kind']]: () => Promise<void> } = {
    async propose() {
      const { changeRequest } = await addChanges(services, { ...input, ...place, changes: [enable()] })
      const known = histories.find((one) => one.id === changeRequest.id)
      if (known === undefined)
        histories.push({ id: changeRequest.id, author: own[0] as number, involved: new Set(own), approvers: new Set() })
      else edited(known, own)
    },
    async edit() {
      await editChange(services, { ...input, id, changeId: await change(), change: enable() })
      if (history !== undefined) edited(history, own)
    },
    async discard() {
      await discardChange(services, { ...input, id, changeId: await change() })
      history?.approvers.clear()
    },
    submit: async () => void (await state('In review')),
    async approve() {
      await state('Approved')
      expect(isMachine).toBe(false)
      history?.approvers.add(caller.id as number)
    },
    async reject() {
      const before = (await services.storage.find(place, id))?.changeRequest
      await state('Rejected')
      if (isMachine) expect([before?.state, before?.createdBy.id]).toEqual(['Scheduled', caller.id])
    },
    schedule: async () => void (await state('Scheduled')),
    async apply() {
      await state('Applied')
      const uninvolved = [...(history?.approvers ?? [])].filter((person) => !history?.involved.has(person))
      expect(uninvolved.length).toBeGreaterThanOrEqual(minimum)
    },
    async emergency() {
      await state('Applied', 'Payments fail since 10:40.')
      expect(isMachine).toBe(false)
    },
    async acknowledge() {
      await acknowledge(services, { ...input, id }, null)
      expect([isMachine, history?.involved.has(caller.id as number)]).toEqual([false, false])
    },
  }
  try {
    await work[kind]()
  } catch (error) {
    if (!ChangeRequestError.is(error)) throw error
  }
}

/** An edit voids the approvals. */
function edited(history: History, by: readonly number[]): void {
  for (const id of by) history.involved.add(id)
  history.approvers.clear()
}
