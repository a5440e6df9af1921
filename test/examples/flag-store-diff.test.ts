import fc from 'fast-check'
import { postgres, sqlite } from '../support/databases'
import { runs, seed } from '../support/random'
import { half } from './support/changes'
import { callHost } from './support/flag-calls'
import { type FlagHost, openFlagHost } from './support/flag-host'

const base = '/api/admin/projects/default/change-requests'
const feature = 'new-search'
const update = (payload: object) => ({
  action: 'updateStrategy',
  feature,
  payload: { id: 'new-search-few', ...payload },
})
const rollout = (value: string) => update({ parameters: { rollout: value, stickiness: 'default', groupId: 'demo' } })

interface Ordered {
  readonly id: string
  readonly sortOrder: number
}

interface Shown {
  readonly action: string
  readonly after: object
}

/** Changes of one flag and of a segment, in any number and order. */
const proposals = fc.array(
  fc.oneof(
    fc.constantFrom('1', '20', '90').map(rollout),
    fc.record({ title: fc.constantFrom('few', 'all'), disabled: fc.boolean() }).map(update),
    fc.boolean().map((enabled) => ({ action: 'updateEnabled', feature, payload: { enabled } })),
    fc.integer({ min: 0, max: 9 }).map((sortOrder) => ({
      action: 'reorderStrategy',
      feature,
      payload: [{ id: 'new-search-beta', sortOrder }],
    })),
    fc.constantFrom('red', 'blue').map((name) => ({
      action: 'patchVariant',
      feature,
      payload: { variants: [{ name, weight: 1000 }] },
    })),
    fc.boolean().map((enabled) => ({ action: 'addDependency', feature, payload: { feature: 'dark-mode', enabled } })),
    fc.constant({ action: 'deleteDependency', feature, payload: {} }),
    fc.constantFrom('a', 'b').map((name) => ({ action: 'updateSegment', payload: { id: 1, name, constraints: [] } })),
  ),
  { minLength: 1, maxLength: 6 },
)

describe.each([sqlite, postgres])('what a review shows of the flag store of examples/server on $name', (database) => {
  let host: FlagHost
  let calls: ReturnType<typeof callHost>
  beforeEach(async () => {
    host = await openFlagHost(database)
    calls = callHost(host)
  })
  afterEach(() => host.opened.close())

  const review = async (id: number) => (await calls.send('ann', 'get', `${base}/${id}/review`).expect(200)).body

  it('is what the flags are after the application', async () => {
    const property = fc.asyncProperty(proposals, async (changes) => {
      const id = await calls.approved(changes)
      const { changes: shown } = await review(id)
      await calls.applied(id).expect(200)
      const { enabled, strategies, variants } = await host.place(feature)
      const { dependencies } = await host.flag(feature)
      const bySortOrder = (one: Ordered, other: Ordered) =>
        one.sortOrder - other.sortOrder || (one.id < other.id ? -1 : 1)
      const order = strategies.map((one) => ({ id: one.id, sortOrder: Number(one.sortOrder) })).sort(bySortOrder)
      const present = {
        updateStrategy: strategies.find((one) => one.id === 'new-search-few'),
        updateEnabled: { enabled },
        reorderStrategy: { order },
        patchVariant: { variants },
        Dependency: { dependencies },
        updateSegment: await host.segment(1),
      }
      // The last change of each target leaves what is there then.
      const last = new Map(
        shown.map((change: Shown) => [change.action.replace(/^.*(?=Dependency$)/, ''), change.after]),
      )
      const ordered = last.get('reorderStrategy') as { order: Ordered[] } | undefined
      ordered?.order.sort(bySortOrder)
      expect(present).toEqual({ ...present, ...Object.fromEntries(last) })
    })
    await fc.assert(property, { numRuns: runs(4), seed, endOnFailure: true })
  })

  it('names who altered a field meanwhile, and nothing is overwritten before its author decides', async () => {
    const ours = await calls.approved(rollout('20'), 'ann')
    const theirs = await calls.approved(rollout('70'), 'cara')
    await calls.applied(theirs).expect(200)
    const { body } = await calls.applied(ours).expect(409)
    expect(body.details).toEqual([
      {
        code: 'overwrite',
        message: expect.stringMatching(
          /the rollout of “Gradual rollout” of new-search was 5 %, is 70 % now, and would become 20 %/,
        ),
      },
    ])
    const [change] = (await review(ours)).changes
    expect(change.causedBy).toMatchObject({ createdBy: 'ben', changeRequestId: theirs })
    expect((await host.place(feature)).strategies[1]?.parameters).toMatchObject({ rollout: '70' })

    await calls.send('ann', 'post', `${base}/${ours}/rebase`, {}).expect(409)
    const rebased = await calls.send('ann', 'post', `${base}/${ours}/rebase`, { take: 'ours' }).expect(200)
    expect(rebased.body).toMatchObject({ state: 'In review', approvals: [] })
    await calls.send('ben', 'put', `${base}/${ours}/state`, { state: 'Approved' }).expect(200)
    await calls.applied(ours).expect(200)
    expect((await host.place(feature)).strategies[1]?.parameters).toMatchObject({ rollout: '20' })
  })

  it('is merged with concurrent edits of other fields', async () => {
    const ours = await calls.approved(update({ title: 'few' }), 'ann')
    await host.apply(rollout('70'))
    await calls.applied(ours).expect(200)
    expect((await host.place(feature)).strategies[1]).toMatchObject({ title: 'few', parameters: { rollout: '70' } })
    await calls.applied(await calls.approved({ action: 'addStrategy', feature, payload: half })).expect(200)
  })
})
