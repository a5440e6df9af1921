import { review } from '../../../src/capabilities/review/review'
import { viewReview } from '../../../src/capabilities/review/view'
import { allActions, targetPart } from '../../../src/domain/actions/table'
import type { FeatureState, FlagState, NewChange, StrategyState } from '../../../src/index'
import { payloads } from '../../capabilities/proposals/fixtures/payloads'
import { actors, createFixture, type Fixture } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { type OpenDatabase, oneDatabase } from '../../support/databases'

const strategy: StrategyState = {
  id: '8a1f',
  name: 'default',
  title: 'everybody',
  disabled: false,
  sortOrder: 0,
  constraints: [],
  parameters: { rollout: '25' },
}
/** Everything that the accepted payloads name. */
const feature: FeatureState = {
  archived: false,
  enabled: true,
  strategies: [strategy, { ...strategy, id: '9b', sortOrder: 1 }],
  variants: [{ name: 'grey', weight: 1000 }],
  dependencies: [{ feature: 'parent', enabled: true, variants: ['grey'] }],
  releasePlans: ['01JQ5Z'],
  milestones: ['a', '01JQ6A'],
  milestoneStrategies: [strategy],
}
/** With an operator that is not known, which a payload keeps. */
const segment = {
  ...{ name: 'beta users', project: 'shop' },
  constraints: [{ contextName: 'country', operator: 'A1_LATER', values: ['NO'] }],
}

/** All payloads that the action accepts, as changes. */
function changesOf(action: NewChange['action']): NewChange[] {
  const isOfSegment = action.endsWith('Segment')
  return payloads[action].accepted.map((payload) => ({
    action,
    feature: isOfSegment ? null : 'checkout',
    payload: (typeof payload === 'object' && payload !== null ? payload : {}) as NewChange['payload'],
  }))
}

const state = (features: readonly string[], segments: readonly number[]): FlagState => ({
  features: new Map(features.map((name) => [name, feature])),
  segments: new Map(segments.map((id) => [id, segment])),
})

/** Nothing is left of the flags and segments. */
const nothing = async () => state([], [])

describe.each(oneDatabase)('the review of a closed change request on $name', ({ open }) => {
  let opened: OpenDatabase
  let flags: HostFlags
  let fixture: Fixture

  beforeEach(async () => {
    opened = await open()
    flags = new HostFlags()
    flags.instead = async ({ features, segments }) => state(features, segments)
    // Some payloads move the segment to another project.
    fixture = createFixture({ storage: () => opened.storage, flags, globalSegments: true })
  })
  afterEach(() => opened.close())

  async function changesIn() {
    const reviewed = await review(fixture.services, { actor: actors.ben, project: 'shop', id: 1 })
    const { body } = viewReview(reviewed, fixture.services)
    return JSON.parse(String(body)).changes
  }

  // Whether everybody gets a flag depends on strategies that no change of the request names, and those are not stored.
  const asClosed = (change: { feature: string | null }) =>
    change.feature === null ? change : { ...change, endsAtEverybody: null }

  it.each(allActions)('shows what was applied as right before: %s', async (action) => {
    const changes = changesOf(action)
    await fixture.approved(changes)
    const before = await changesIn()
    const isKnown = targetPart(changes[0] as NewChange, state(['checkout'], [4])) !== undefined
    expect(before[0]).toMatchObject({ baseKnown: isKnown })
    await fixture.to('ben', 'Applied')
    flags.instead = nothing
    expect(await changesIn()).toEqual(before.map(asClosed))
  })

  it.each([
    ['Rejected', 'ben'],
    ['Cancelled', 'ann'],
  ] as const)('shows what would have been applied if it is %s', async (state, who) => {
    await fixture.reviewed(allActions.flatMap(changesOf))
    const before = await changesIn()
    await fixture.to(who, state)
    flags.instead = nothing
    expect(await changesIn()).toEqual(before.map(asClosed))
  })

  it('shows nothing if the flags were unknown when it was closed', async () => {
    await fixture.reviewed()
    flags.instead = () => Promise.reject(new Error('out of order'))
    await fixture.to('ben', 'Rejected')
    expect(await changesIn()).toMatchObject([{ before: null, after: null, fields: [], baseKnown: false }])
  })
})
