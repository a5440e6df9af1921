import type { FlagGateway, Subjects } from '../../../src'
import { describeSummaries } from '../../../src/capabilities/lists/describe-summaries'
import { summarize } from '../../../src/domain/content/summary'
import { describeAll, describeOne } from '../../../src/kernel/view/describe'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { createFixture, enable, type FixtureOptions, renameSegment } from '../support/fixture'
import { HostFlags } from '../support/flags'

/** Flags that record the requested names. */
function asking() {
  const flags = new HostFlags()
  const asked: Subjects[] = []
  const gateway: FlagGateway = {
    current(subjects) {
      asked.push(subjects)
      return flags.current(subjects)
    },
    apply: (changes, context) => flags.apply(changes, context),
  }
  return { flags, asked, gateway }
}

const directory = (known: readonly number[], asked: unknown[] = []) => ({
  find(ids: readonly number[]) {
    asked.push(ids)
    return known.map((id) => ({ id, name: `Person ${id}` }))
  },
  reviewers: () => [],
})

async function open(options: FixtureOptions) {
  const fixture = createFixture(options)
  await fixture.propose('ann', [enable(), renameSegment(4)])
  await fixture.propose('ben', [enable('search'), renameSegment(5)])
  await fixture.propose('ann', [enable()], { environment: 'testing' })
  const all = async () =>
    (await Promise.all([1, 2, 3].map((id) => fixture.memory.find({ project: 'shop' }, id)))) as StoredChangeRequest[]
  return { ...fixture, all, one: async () => (await all())[0] as StoredChangeRequest }
}

describe('describeAll', () => {
  it('adds conflicts, implied changes and the names of segments, and calls the gateway once for each place', async () => {
    const { flags, asked, gateway } = asking()
    flags.strategies = []
    const fixture = await open({ flags: gateway })
    asked.length = 0
    flags.instead = async (subjects) => {
      flags.instead = null
      const state = await flags.current(subjects)
      const features = new Map([...state.features].filter(([name]) => name !== 'search'))
      return { features, segments: new Map([[4, { name: 'beta' }]]) }
    }
    const described = await describeAll(fixture.services, await fixture.all())
    expect(described.map(({ changeRequest, version }) => [changeRequest.id, version])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    expect(described.map(({ conflicts }) => [...conflicts.features, ...conflicts.changes])).toEqual([
      [],
      [
        ['search', 'Feature has been deleted'],
        [4, 'Segment has been deleted'],
      ],
      [],
    ])
    expect(described.map(({ defaultChanges }) => [...defaultChanges.keys()])).toEqual([['checkout'], [], ['checkout']])
    expect(described.map(({ segmentNames }) => [...segmentNames])).toEqual([[[4, 'beta']], [[4, 'beta']], []])
    const mentions = { segments: [], templates: [] }
    expect(asked).toEqual([
      { project: 'shop', environment: 'production', features: ['checkout', 'search'], segments: [4, 5], mentions },
      { project: 'shop', environment: 'testing', features: ['checkout'], segments: [], mentions },
    ])
  })

  it('computes nothing for closed change requests', async () => {
    const { asked, gateway } = asking()
    const fixture = await open({ flags: gateway })
    const closed = await fixture.to('ann', 'Cancelled')
    asked.length = 0
    expect(await describeOne(fixture.services, closed, 'read')).toMatchObject({
      segmentNames: new Map(),
      defaultChanges: new Map(),
    })
    expect(asked).toEqual([])
    const [first, second] = await describeAll(fixture.services, [
      closed,
      (await fixture.all())[1] as StoredChangeRequest,
    ])
    expect([first?.segmentNames.size, second?.segmentNames.size]).toEqual([0, 1])
  })

  it('shows everyone with the names in the user directory, and calls it once', async () => {
    const asked: unknown[] = []
    const fixture = await open({ users: directory([1, 2], asked), requiredApprovals: 3 })
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved', { comment: 'Go.' })
    await fixture.to('cleo', 'Approved')
    await fixture.to('dora', 'Rejected').catch(() => undefined)
    const { people } = await describeOne(fixture.services, await fixture.one(), 'read')
    expect([...(people ?? [])]).toEqual([
      [1, { id: 1, username: 'Person 1', imageUrl: null }],
      [2, { id: 2, username: 'Person 2', imageUrl: null }],
    ])
    expect(asked).toEqual([[1, 4, 2, 3]])
  })

  /** It fails after the proposals. */
  function breaking(error: unknown): HostFlags {
    const flags = new HostFlags()
    const { current } = flags
    let calls = 0
    flags.current = async (subjects) => {
      calls += 1
      if (calls > 3) throw error
      return current.call(flags, subjects)
    }
    return flags
  }

  const broken: readonly (readonly [string, () => FixtureOptions])[] = [
    ['flags.current', () => ({ flags: breaking(new Error('out of order')) })],
    ['users.find', () => ({ users: { find: () => Promise.reject(new Error('out of order')), reviewers: () => [] } })],
  ]

  it.each(broken)('of a write works while %s fails, and the missing parts are logged', async (_, options) => {
    const fixture = await open(options())
    const described = await describeOne(fixture.services, await fixture.one(), 'write')
    expect([described.people, described.segmentNames.size]).toEqual([undefined, 0])
    expect(fixture.lines).toEqual([
      {
        level: 'warn',
        facts: { err: new Error('out of order') },
        text: 'A change request was stored, but a hook of the host app failed, so the response is incomplete.',
      },
    ])
  })
})

describe('describeSummaries', () => {
  it('names the current segments and the authors, and calls the hook once per place with open ones', async () => {
    const { asked, gateway } = asking()
    const people: unknown[] = []
    const fixture = await open({ flags: gateway, users: directory([1], people) })
    await fixture.propose('cleo', [renameSegment(4)], { environment: 'other' })
    await fixture.to('cleo', 'Cancelled', { id: 4 })
    await fixture.propose('dora', [renameSegment(4)])
    asked.length = 0
    const stored = await Promise.all([1, 2, 3, 4, 5].map((id) => fixture.memory.find({ project: 'shop' }, id)))
    const summaries = stored.map((one) => summarize((one as StoredChangeRequest).changeRequest))
    const described = await describeSummaries(fixture.services, summaries)
    expect(described.map(({ summary }) => summary)).toEqual(summaries)
    const names = [
      [4, 'segment 4'],
      [5, 'segment 5'],
    ]
    expect(described.map(({ segmentNames }) => [...segmentNames])).toEqual([names, names, [], [], names])
    expect(described.map(({ people: known }) => [...(known?.keys() ?? [])])).toEqual(Array(5).fill([1]))
    expect(asked).toEqual([{ project: 'shop', environment: 'production', features: [], segments: [4, 5] }])
    expect(people).toEqual([[1, 2, 3, 4]])
  })
})
