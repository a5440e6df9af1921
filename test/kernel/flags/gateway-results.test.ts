import { currentFlags } from '../../../src/kernel/host/flag-state'
import { checkFlagEvents, checkFlagState } from '../../../src/kernel/host/gateway-results'
import { createFixture, rejection } from '../support/fixture'

const feature = { archived: false, enabled: true }
const state = (more: object = {}) => ({ features: new Map(), segments: new Map(), ...more })
const features = (answer: unknown) => state({ features: new Map([['checkout', answer]]) })

const anObject = 'an object { features, segments }'
const aFlag = 'an object with the booleans archived and enabled'
const aList = 'a list of objects with an id, or none'

const wrong: readonly (readonly [unknown, string, string])[] = [
  [undefined, 'undefined as the result', anObject],
  [null, 'null as the result', anObject],
  ['flags', "'flags' as the result", anObject],
  [[], 'an array as the result', anObject],
  [{ segments: new Map() }, 'undefined as features', 'a Map from the names of flags'],
  [{ features: {}, segments: new Map() }, 'an object as features', 'a Map from the names of flags'],
  [{ features: new Map(), segments: [] }, 'an array as segments', 'a Map from the ids of segments'],
  [features(undefined), 'undefined as the flag "checkout"', aFlag],
  [features({ ...feature, archived: 0 }), 'an object as the flag "checkout"', aFlag],
  [features({ ...feature, enabled: undefined }), 'an object as the flag "checkout"', aFlag],
  [features({ ...feature, strategies: {} }), 'an object as the strategies of "checkout"', aList],
  [features({ ...feature, strategies: [{ id: 's1' }, {}] }), 'an array as the strategies of "checkout"', aList],
  [features({ ...feature, strategies: [{ id: 7 }] }), 'an array as the strategies of "checkout"', aList],
  [features({ ...feature, strategies: [null] }), 'an array as the strategies of "checkout"', aList],
  [features({ ...feature, strategies: [[]] }), 'an array as the strategies of "checkout"', aList],
  [features({ ...feature, milestoneStrategies: [{}] }), 'an array as the milestoneStrategies of "checkout"', aList],
  ...['variants', 'possibleParents', 'dependencies', 'releasePlans', 'milestones', 'tags'].map(
    (list) => [features({ ...feature, [list]: 'x' }), `'x' as ${list} of "checkout"`, 'a list, or left out'] as const,
  ),
  [features({ ...feature, variants: null }), 'null as variants of "checkout"', 'a list, or left out'],
  [state({ segments: new Map([[4, {}]]) }), 'an object as the segment "4"', 'an object with a name'],
  [state({ segments: new Map([[4, null]]) }), 'null as the segment "4"', 'an object with a name'],
  [state({ segments: new Map([[4, { name: 7 }]]) }), 'an object as the segment "4"', 'an object with a name'],
  [state({ defaultStrategy: null }), 'null as defaultStrategy', 'an object, or left out'],
  [state({ defaultStrategy: [] }), 'an array as defaultStrategy', 'an object, or left out'],
  [state({ segmentUse: {} }), 'an object as segmentUse', 'a Map from the ids of segments, or left out'],
  [state({ segmentUse: new Map([[4, {}]]) }), 'an object as segmentUse of "4"', 'a list of { project, feature }'],
  [
    state({ segmentUse: new Map([[4, [{ project: 'shop' }]]]) }),
    'an array as segmentUse of "4"',
    'a list of { project, feature }',
  ],
  [
    state({ segmentUse: new Map([[4, ['checkout']]]) }),
    'an array as segmentUse of "4"',
    'a list of { project, feature }',
  ],
  [state({ missing: [9] }), 'an array as missing', 'an object, or left out'],
  [state({ missing: null }), 'null as missing', 'an object, or left out'],
  [state({ missing: { segments: new Set([9]) } }), 'an object as missing.segments', 'a list of ids, or left out'],
  [state({ missing: { segments: ['9'] } }), 'an array as missing.segments', 'a list of ids, or left out'],
  [state({ missing: { templates: [9] } }), 'an array as missing.templates', 'a list of ids, or left out'],
  [
    state({ features: new Map([['x'.repeat(200), null]]) }),
    `null as the flag "${'x'.repeat(99)}`,
    'an object with the booleans archived and enabled',
  ],
]

describe('checkFlagState', () => {
  it.each(wrong)(
    '%p is an invalid state of flags, and the log has the received and the expected value',
    async (answer, came, expected) => {
      expect(await rejection(async () => checkFlagState(answer))).toMatchObject({
        name: 'UnknownError',
        cause: { message: `flags.current returned ${came}; it must be ${expected}.` },
      })
    },
  )

  it.each([
    state(),
    features(feature),
    features({ ...feature, strategies: [] }),
    features({ ...feature, strategies: [{ id: 's1' }], variants: [], dependencies: undefined }),
    state({ segments: new Map([[4, { name: '' }]]), defaultStrategy: {} }),
  ])('%p is valid and unchanged', (answer) => {
    expect(checkFlagState(answer)).toBe(answer)
  })

  it('is called for every result', async () => {
    const { services } = createFixture({ flags: { current: async () => undefined as never, apply: async () => [] } })
    const subjects = { project: 'shop', environment: 'production', features: [], segments: [] }
    expect((await rejection(currentFlags(services, subjects))).name).toBe('UnknownError')
  })
})

describe('checkFlagEvents', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'an object'],
    ['done', "'done'"],
  ])('%p is an invalid list of events', async (answer, came) => {
    for (const method of ['apply', 'outcome'] as const) {
      expect(await rejection(async () => checkFlagEvents(method, answer))).toMatchObject({
        cause: {
          message: `flags.${method} returned ${came} as the result; it must be a list of flag events, [] for none.`,
        },
      })
    }
  })

  it.each([
    [[null], 'null as event 0; it must be an object with a type.'],
    [[{ type: 'feature-created' }, 'done'], "'done' as event 1; it must be an object with a type."],
    [
      [{ changeId: 'x' }],
      "'x' as the changeId of event 0; it must be the id of a change, or null for an implied change.",
    ],
  ])('%p names the event that is invalid', async (answer, problem) => {
    for (const method of ['apply', 'outcome'] as const) {
      expect(await rejection(async () => checkFlagEvents(method, answer))).toMatchObject({
        cause: { message: `flags.${method} returned ${problem}` },
      })
    }
  })

  it.each([[[]], [[{ type: 'feature-created' }]]])('%p is valid', (answer) => {
    expect(checkFlagEvents('apply', answer)).toBe(answer)
  })
})
