import fc from 'fast-check'
import { type ApprovalRule, apiKeys, memoryStorage, type Storage } from '../../../src'
import { postgres, sqlite } from '../../support/databases'
import { runs, seed } from '../../support/random'
import { inProcess, people, type Who } from './support/callers'
import { eventsAfter, flagNames, openRouter } from './support/hosts'
import { type Modelled, RuleModel, type Step } from './support/rule-model'

/** Number of runs over all stores. */
const sequences = runs(5)

const stores = [
  { name: 'memory', share: 0.8, open: async () => ({ storage: memoryStorage(), close() {} }) },
  { name: 'SQLite', share: 0.15, open: () => sqlite.open({ durability: 'normal' }) },
  { name: 'Postgres', share: 0.05, open: () => postgres.open() },
] as const

const who = fc.constantFrom<Who>('ann', 'ben', 'cleo', 'dora')
const groups = fc.subarray(['payments', 'core'])
const feature = fc.constantFrom(...flagNames)
const rules = fc
  .array(
    fc.record(
      {
        when: fc.record({ features: fc.subarray([...flagNames], { minLength: 1 }) }),
        approvals: fc.constantFrom(1, 1, 2),
        from: fc.oneof(
          fc.record({ groups: fc.subarray(['payments', 'core'], { minLength: 1 }) }),
          fc.record({ users: fc.constantFrom([1, 2], [3, 4]) }),
        ),
      },
      { requiredKeys: ['approvals'] },
    ),
    { maxLength: 2 },
  )
  .map((list) => list.map((rule, index): ApprovalRule => ({ name: `rule ${index}`, ...rule })))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('add', 'edit'), feature }) },
  { weight: 3, arbitrary: fc.constant({ do: 'submit' }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('approve'), who }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('apply'), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('urgent'), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('acknowledge'), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('groups'), who, groups }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rules'), rules }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('minimum'), minimum: fc.constantFrom(1, 2) }) },
) as fc.Arbitrary<Step>

const beginning = fc.record({ rules, votersGroups: fc.tuple(groups, groups, groups), feature })
const reason = 'Customers cannot pay.'

/** A router whose rules and groups change with the model. */
function open(storage: Storage, model: RuleModel, project: string) {
  const known = apiKeys(Object.values(people))
  const router = openRouter(storage, {
    recordOnly: true,
    emergency: true,
    approvalRules: () => model.rules,
    authenticate: async (req) => {
      const actor = await known(req)
      return actor && { ...actor, groups: model.groups.get(actor.username as Who) ?? [] }
    },
  })
  const send = inProcess(router)
  const base = `/api/admin/projects/${project}`
  const proposals = `${base}/environments/production/change-requests`
  let id = 0
  let changeIds: number[] = []
  const to = (caller: Who, state: string, more = {}) =>
    send(caller, 'PUT', `${base}/change-requests/${id}/state`, { body: { state, ...more } })

  async function request(one: Step) {
    switch (one.do) {
      case 'add':
        return send('ann', 'POST', proposals, { body: withoutVariants(one.feature) })
      case 'edit':
        return send('ann', 'PUT', `${base}/change-requests/${id}/changes/${changeIds[0]}`, {
          body: withoutVariants(one.feature),
        })
      case 'submit':
        return to('ann', 'In review')
      case 'approve':
        return to(one.who, 'Approved')
      case 'apply':
        return to(one.who, 'Applied')
      case 'urgent':
        return to(one.who, 'Applied', { emergency: { reason } })
      case 'acknowledge':
        return send(one.who, 'POST', `${base}/change-requests/${id}/acknowledgement`, { body: {} })
      case 'minimum': {
        const body = { changeRequestsEnabled: true, requiredApprovals: one.minimum }
        return send('dora', 'PUT', `${proposals}/config`, { body })
      }
      default:
        return undefined
    }
  }

  /** The status and the resulting state. */
  async function act(one: Step) {
    const answer = await request(one)
    if (answer?.status === 200 && answer.body?.features !== undefined) {
      id = answer.body.id
      changeIds = answer.body.features.flatMap(({ changes }: { changes: { id: number }[] }) => changes.map((c) => c.id))
      changeIds.sort((a, b) => a - b)
    }
    return { status: answer?.status ?? 0, state: answer?.body?.state as string | undefined }
  }

  async function secondLooks(): Promise<number> {
    const found = await send('dora', 'GET', '/api/admin/search/change-requests?afterReview=IS:open&limit=1000')
    return found.body.changeRequests.filter((item: { project: string }) => item.project === project).length
  }
  return { act, secondLooks, close: () => router.close() }
}

const withoutVariants = (name: string) => ({ action: 'patchVariant', feature: name, payload: { variants: [] } })

/** The emergency data of each apply in the log, oldest first. */
async function traces(storage: Storage, project: string): Promise<unknown[]> {
  const applied = (await eventsAfter(storage, 0, project)).filter(({ type }) => type === 'change-request-applied')
  return applied.map(({ data }) => (data as { emergency?: unknown }).emergency ?? null)
}

const traceOf = ({ trace }: Modelled) =>
  trace === null ? null : { reason, missing: trace.map((one) => ({ code: 'missing-approvals', ...one })) }

describe('with any rules and any members of groups', () => {
  it.each(stores)(
    `nothing is applied on $name without approvals by others, unless it is logged as an emergency (SEED=${seed})`,
    async ({ share, open: openStore, name }) => {
      const opened: { storage: Storage; close(): unknown } = await openStore()
      const seen = { applied: 0, refused: 0, urgent: 0, ruled: 0 }
      let run = 0
      const property = fc.asyncProperty(
        beginning,
        fc.array(step, { minLength: 5, maxLength: 25 }),
        async (begun, sequence) => {
          run += 1
          const { storage } = name === 'memory' ? await openStore() : opened
          const [model, project] = [new RuleModel(), `p${run}`]
          const real = open(storage, model, project)
          const [ben, cleo, dora] = begun.votersGroups
          const first: readonly Step[] = [
            { do: 'rules', rules: begun.rules },
            { do: 'groups', who: 'ben', groups: ben },
            { do: 'groups', who: 'cleo', groups: cleo },
            { do: 'groups', who: 'dora', groups: dora },
            { do: 'add', feature: begun.feature },
            { do: 'submit' },
          ]
          for (const one of [...first, ...sequence]) {
            const status = model.judge(one)
            const answer = await real.act(one)
            expect([one, answer.status]).toEqual([one, status])
            if (answer.state !== undefined) expect([one, answer.state]).toEqual([one, model.current.state])
            if (one.do === 'apply') seen[status === 200 ? 'applied' : 'refused'] += 1
            if (status === 200 && one.do === 'apply' && model.rules.length > 0) seen.ruled += 1
            if (status === 200 && one.do === 'urgent') seen.urgent += 1
          }
          const applied = [...model.past, model.current].filter(({ state }) => state === 'Applied')
          expect(await traces(storage, project)).toEqual(applied.map(traceOf))
          const waiting = applied.filter(({ trace, acknowledged }) => trace !== null && !acknowledged)
          expect(await real.secondLooks()).toBe(waiting.length)
          await real.close()
        },
      )
      try {
        await fc.assert(property, { numRuns: Math.ceil(sequences * share), seed, verbose: 0 })
        if (run >= 400) expect(Math.min(...Object.values(seen))).toBeGreaterThan(20)
      } finally {
        await opened.close()
      }
    },
  )
})
