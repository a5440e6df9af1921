import fc from 'fast-check'
import { postgres, sqlite } from '../support/databases'
import { runs, seed } from '../support/random'
import { callHost, type Person } from './support/flag-calls'
import { type FlagHost, openFlagHost } from './support/flag-host'

const base = '/api/admin/projects/default/change-requests'
const feature = 'new-search'

/** Some fields of one strategy, by their path in a diff. */
type Fields = { readonly [path: string]: unknown }

const update = ({ rollout, ...others }: { readonly rollout?: string; readonly title?: string }) => ({
  action: 'updateStrategy',
  feature,
  payload: {
    id: 'new-search-few',
    ...others,
    ...(rollout && { parameters: { rollout, stickiness: 'default', groupId: 'demo' } }),
  },
})

const payloads = fc.record(
  { rollout: fc.constantFrom('5', '20', '70'), title: fc.constantFrom('', 'few', 'all') },
  { requiredKeys: [] },
)
const authors = fc.constantFrom<Person>('ann', 'cara')

/** The next action of one of two authors, an approver, or a user who changes flags directly. */
const commands = fc.oneof(
  fc.record({ does: fc.constant('propose' as const), who: authors, payload: payloads }),
  fc.record({ does: fc.constant('edit' as const), who: authors, payload: payloads }),
  fc.record({ does: fc.constant('rebase' as const), who: authors, take: fc.constantFrom('ours', 'theirs', 'drop') }),
  fc.record({ does: fc.constant('approve' as const), who: authors }),
  fc.record({ does: fc.constant('apply' as const), who: authors }),
  { weight: 3, arbitrary: fc.record({ does: fc.constant('meddle' as const), who: authors, payload: payloads }) },
)

/** Mostly propose, approve and apply, with actions of others in between. */
const sequences = fc
  .array(fc.tuple(authors, payloads, ...Array.from({ length: 2 }, () => fc.array(commands, { maxLength: 2 }))), {
    minLength: 2,
    maxLength: 4,
  })
  .map((rounds) =>
    rounds.flatMap(([who, payload, before = [], after = []]): Command[] => [
      { does: 'propose', who, payload },
      ...before,
      { does: 'approve', who },
      ...after,
      { does: 'apply', who },
    ]),
  )

type Command = typeof commands extends fc.Arbitrary<infer Value> ? Value : never

describe.each([sqlite, postgres])('two authors of one strategy of examples/server on $name', (database) => {
  let host: FlagHost
  let calls: ReturnType<typeof callHost>
  beforeEach(async () => {
    host = await openFlagHost(database)
    calls = callHost(host)
  })
  afterEach(() => host.opened.close())

  async function present(): Promise<Fields> {
    const few = (await host.place(feature)).strategies.find(({ id }) => id === 'new-search-few')
    const { rollout } = (few?.parameters ?? {}) as { rollout?: string }
    return { '/parameters/rollout': rollout, '/title': few?.title }
  }

  /** Their open change request, what the flag was when they wrote it, and what its approver was shown as its base. */
  interface Work {
    id: number
    bases: Fields[]
    shown: Fields | undefined
  }

  /** Answers how many fields an application altered. */
  async function run(works: Map<Person, Work>, command: Command): Promise<number> {
    const work = works.get(command.who)
    if (command.does === 'propose') {
      const { body } = await calls.propose(update(command.payload), command.who).expect(200)
      works.set(command.who, { id: body.id, bases: [...(work?.bases ?? []), await present()], shown: undefined })
      return 0
    }
    if (command.does === 'meddle') {
      await host.apply(update(command.payload))
      return 0
    }
    if (work === undefined) return 0
    const { id } = work
    if (command.does === 'approve') {
      await calls.setState(command.who, id, 'In review')
      const { changes } = (await calls.send('ben', 'get', `${base}/${id}/review`).expect(200)).body
      const voted = await calls.setState('ben', id, 'Approved')
      if (voted.status !== 200) return 0
      const fields = changes.flatMap((change: { fields: { path: string; base: unknown }[] }) => change.fields)
      work.shown = Object.fromEntries(
        fields.map(({ path, base: value }: { path: string; base: unknown }) => [path, value]),
      )
      return 0
    }
    if (command.does === 'apply') return apply(works, command.who, work)
    const { features } = (await calls.send(command.who, 'get', `${base}/${id}`).expect(200)).body
    const changeId = features[0]?.changes[0]?.id
    const done =
      command.does === 'rebase'
        ? await calls.send(command.who, 'post', `${base}/${id}/rebase`, { take: command.take })
        : await calls.send(command.who, 'put', `${base}/${id}/changes/${changeId}`, update(command.payload))
    if (done.status === 200) Object.assign(work, { shown: undefined, bases: [...work.bases, await present()] })
    return 0
  }

  async function apply(works: Map<Person, Work>, who: Person, { id, bases, shown = {} }: Work): Promise<number> {
    const before = await present()
    const answer = await calls.applied(id)
    const after = await present()
    const altered = Object.keys(before).filter((path) => before[path] !== after[path])
    if (answer.status !== 200) {
      // A draft is not there for Ben.
      expect([[404, 409], altered]).toEqual([expect.arrayContaining([answer.status]), []])
      return 0
    }
    works.delete(who)
    // What is replaced is what the approver was shown, or what its author saw.
    for (const path of altered) {
      const known = path in shown ? [shown[path]] : bases.map((base) => base[path])
      expect([path, known]).toEqual([path, expect.arrayContaining([before[path]])])
    }
    return altered.length
  }

  it('lose no update that was not shown to the approver', async () => {
    let altered = 0
    const property = fc.asyncProperty(sequences, async (all) => {
      const works = new Map<Person, Work>()
      for (const command of all) altered += await run(works, command)
      for (const [who, { id }] of works) await calls.setState(who, id, 'Cancelled').expect(200)
    })
    await fc.assert(property, { numRuns: runs(4), seed, endOnFailure: true })
    if (altered === 0) throw new Error(`With SEED=${seed} no application altered anything.`)
  })
})
