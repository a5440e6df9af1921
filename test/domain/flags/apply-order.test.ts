import type { NewChange } from '../../../src/domain/change-request'
import type { DefaultChange } from '../../../src/domain/flag-state'
import { inApplyOrder } from '../../../src/domain/flags/apply-order'

const feature = 'checkout'
const on: NewChange = { action: 'updateEnabled', feature, payload: { enabled: true } }
const off: NewChange = { action: 'updateEnabled', feature, payload: { enabled: false } }
const add: NewChange = { action: 'addStrategy', feature, payload: { parameters: { rollout: '47' } } }
const remove: NewChange = { action: 'deleteStrategy', feature, payload: { id: 's1' } }
const archive: NewChange = { action: 'archiveFeature', feature, payload: {} }
const segment: NewChange = { action: 'updateSegment', feature: null, payload: { id: 4 } }
const otherOn: NewChange = { ...on, feature: 'search', payload: { enabled: true } }

const everybody: DefaultChange = { action: 'addStrategy', feature, payload: { parameters: { rollout: '100' } } }
const offByDefault: DefaultChange = { action: 'updateEnabled', feature, payload: { enabled: false } }

const names = new Map<object, string>(
  Object.entries({ on, off, add, remove, archive, segment, otherOn, everybody, offByDefault }).map(([name, change]) => [
    change.payload as object,
    name,
  ]),
)

/** The order in which changes that were proposed in this order are passed to the gateway. */
function order(changes: readonly NewChange[], byDefault?: DefaultChange): string[] {
  const numbered = changes.map((change, index) => ({ ...change, id: index + 1 }))
  return inApplyOrder(numbered, new Map(byDefault ? [[feature, byDefault]] : [])).map(({ payload, feature: flag }) =>
    flag === 'search' ? 'otherOn' : (names.get(payload as object) ?? '?'),
  )
}

describe('the order in which changes are passed to the gateway', () => {
  it.each([
    { what: 'what switches on comes after the strategies', proposed: [on, add], wanted: ['add', 'on'] },
    { what: 'what switches off comes before all else', proposed: [remove, add, off], wanted: ['off', 'remove', 'add'] },
    { what: 'of on and off of one flag the last is left', proposed: [on, add, off], wanted: ['off', 'add'] },
    { what: 'of off and on of one flag the last is left', proposed: [off, remove, on], wanted: ['remove', 'on'] },
    { what: 'another flag keeps its own', proposed: [off, otherOn], wanted: ['off', 'otherOn'] },
    { what: 'what archives comes last', proposed: [archive, on, segment], wanted: ['segment', 'on', 'archive'] },
    { what: 'all others stay in their order', proposed: [segment, remove, add], wanted: ['segment', 'remove', 'add'] },
    {
      what: 'the default strategy is there before the flag is on',
      proposed: [on, segment],
      byDefault: everybody,
      wanted: ['segment', 'everybody', 'on'],
    },
    {
      what: 'what is switched off by default comes first, and in place of an own on',
      proposed: [on, remove],
      byDefault: offByDefault,
      wanted: ['offByDefault', 'remove'],
    },
  ])('$what', ({ proposed, byDefault, wanted }) => {
    expect(order(proposed, byDefault)).toEqual(wanted)
  })
})
