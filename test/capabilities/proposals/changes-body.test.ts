import { parseChange, parseChanges } from '../../../src/capabilities/proposals/changes-body'
import { changeSchemas } from '../../../src/validation/core/registry'
import { rejection } from '../../validation/rejection'

const limits = { changesPerRequest: 100 }
const enable = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
const fixedText = 'The input is not valid; see details for what is wrong with it.'

function details(body: unknown) {
  const error = rejection(() => parseChanges(body, limits))
  expect(error).toMatchObject({ name: 'BadDataError', message: fixedText })
  return error.details
}

describe('one change or a list', () => {
  it('accepts one change', () => {
    expect(parseChanges(enable, limits)).toEqual([enable])
  })

  it('accepts a list, in its order', () => {
    const remove = { action: 'deleteSegment', payload: { id: 4 } }
    expect(parseChanges([enable, remove], limits)).toEqual([enable, { ...remove, feature: null }])
  })

  it('drops unknown properties of a change, but not of an open payload', () => {
    const payload = { enabled: true, note: { deep: [1, null] } }
    const changes = parseChanges({ ...enable, id: 7, createdBy: { id: 1 }, state: 'Applied', payload }, limits)
    expect(changes).toEqual([{ ...enable, payload }])
  })

  describe('the digest that a caller expects', () => {
    const digest = `sha256:${'0a'.repeat(32)}`

    it('is read with its change', () => {
      expect(parseChanges({ ...enable, expected: digest }, limits)).toMatchObject([{ expected: digest }])
      expect(parseChanges([enable, { ...enable, expected: digest }], limits)).toMatchObject([{}, { expected: digest }])
      expect(parseChanges({ ...enable, expected: undefined }, limits)[0]).not.toHaveProperty('expected')
    })

    it.each([null, 7, '', true, [], {}, [digest], digest.toUpperCase(), digest.slice(1), `${digest}0`, `${digest}\n`])(
      'is rejected as %j',
      (expected) => {
        expect(details([enable, { ...enable, expected }])).toMatchObject([{ path: '/body/1/expected' }])
        expect(details({ ...enable, expected })).toMatchObject([{ path: '/body/expected' }])
      },
    )
  })

  describe('drops payload.snapshot, which closed change requests contain,', () => {
    const plan = { action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 'a' } }
    const order = { action: 'reorderStrategy', feature: 'checkout', payload: [{ id: 'a', sortOrder: 1 }] }
    const independent = { action: 'deleteDependency', feature: 'checkout', payload: {} }

    it.each<[string, object, unknown]>([
      ['out of an open payload', enable, { enabled: false }],
      ['out of a closed payload', plan, { templateId: 'b' }],
      ['out of a payload that is free', independent, [1]],
      ['be it null', enable, null],
      ['be it a text', plan, 'before'],
    ])('%s', (_, change, snapshot) => {
      const { payload, ...rest } = change as typeof enable
      const sent = { ...rest, payload: { ...payload, snapshot } }
      const before = structuredClone(sent)
      expect(parseChanges(sent, limits)).toEqual([change])
      expect(parseChanges([sent, sent], limits)).toEqual([change, change])
      expect(parseChange(sent)).toEqual(change)
      expect(sent).toEqual(before)
    })

    it('but no other property of that name', () => {
      const payload = { enabled: true, note: { snapshot: 1 } }
      expect(parseChanges({ ...enable, payload, snapshot: 1 }, limits)).toEqual([{ ...enable, payload }])
    })

    it('if it exists: lists, null and a missing payload are unchanged', () => {
      expect(parseChange(order)).toEqual(order)
      expect(parseChange({ ...independent, payload: null })).toEqual(independent)
      expect(parseChange({ action: 'archiveFeature', feature: 'x' })).toMatchObject({ payload: {} })
      expect(details({ ...enable, payload: null })).toEqual([
        { path: '/body/payload', message: 'must be object, got null' },
      ])
    })

    it('and reports other errors', () => {
      expect(details([enable, { ...plan, payload: { snapshot: 1, more: 2 } }])).toEqual([
        { path: '/body/1/payload/templateId', message: 'templateId is required and missing' },
      ])
    })
  })

  it('rejects an empty list', () => {
    expect(details([])).toEqual([{ path: '/body', message: 'must contain at least one change' }])
  })

  it.each([101, 1000])('accepts 100 changes, not %i', (count) => {
    expect(parseChanges(Array(100).fill(enable), limits)).toHaveLength(100)
    const error = rejection(() => parseChanges(Array(count).fill(enable), limits))
    expect(error).toMatchObject({
      name: 'ExceedsLimitError',
      message: `A request can have at most 100 changes; this one has ${count}.`,
      details: [{ message: error.message }],
    })
  })

  it.each([[null], ['text'], [1], [true]])('rejects %p for a change', (change) => {
    const message = `must be object, got ${JSON.stringify(change)}`
    expect(details(change)).toEqual([{ path: '/body', message }])
    expect(details([enable, change])).toEqual([{ path: '/body/1', message }])
  })

  it('rejects a list within the list', () => {
    expect(details([[enable]])).toEqual([{ path: '/body/0', message: expect.stringContaining('must be object') }])
  })

  it('reports the first error of each invalid change', () => {
    const faulty = [enable, { ...enable, payload: {} }, { action: 'updateEnabled' }, enable, { ...enable, feature: 1 }]
    expect(details(faulty)).toEqual([
      { path: '/body/1/payload/enabled', message: 'enabled is required and missing' },
      { path: '/body/2/feature', message: 'feature is required and missing' },
      { path: '/body/4/feature', message: 'must be string, got 1' },
    ])
  })
})

describe('the action', () => {
  const allowed = [...changeSchemas.keys()].map((name) => `"${name}"`).join(', ')

  it('is required', () => {
    expect(details({ feature: 'checkout' })).toEqual([
      { path: '/body/action', message: 'action is required and missing' },
    ])
    expect(details([enable, {}])).toEqual([{ path: '/body/1/action', message: 'action is required and missing' }])
  })

  it.each([
    ['enableFeature'],
    [''],
    ['UpdateEnabled'],
    ['constructor'],
    ['__proto__'],
    ['toString'],
    ['hasOwnProperty'],
    [null],
    [1],
    [true],
    [[]],
    [['updateEnabled']],
    [{}],
    [{ toString: 'updateEnabled' }],
  ])('is rejected when it is %j, with the allowed ones', (action) => {
    const sent = JSON.stringify(action)
    expect(details({ ...enable, action })).toEqual([
      { path: 'action', message: `action must be one of ${allowed}, got ${sent}` },
    ])
    expect(details([enable, { ...enable, action }])).toEqual([
      { path: 'action', message: `action must be one of ${allowed}, got ${sent} at /body/1/action` },
    ])
  })
})

describe('when the flag gateway supports two actions', () => {
  const actions = ['updateEnabled', 'archiveFeature']
  const archive = { action: 'archiveFeature', feature: 'checkout' }
  const strategy = { action: 'deleteStrategy', feature: 'checkout', payload: { id: 's1' } }
  const possible = (action: string, place = '') =>
    `action must be one of "updateEnabled", "archiveFeature", got "${action}"${place}`

  it('accepts these', () => {
    expect(parseChanges([enable, archive], { ...limits, actions })).toHaveLength(2)
    expect(parseChange(archive, { actions })).toMatchObject(archive)
  })

  it.each(['deleteStrategy', 'explode', 'toString'])('rejects %s, and names the supported ones', (action) => {
    const detail = [{ path: 'action', message: possible(action) }]
    expect(rejection(() => parseChanges({ ...strategy, action }, { ...limits, actions })).details).toEqual(detail)
    expect(rejection(() => parseChange({ ...strategy, action }, { actions })).details).toEqual(detail)
  })

  it('names the position of each in a list, and reports other errors', () => {
    const list = [enable, strategy, { ...enable, payload: {} }, { ...strategy, payload: {} }]
    expect(rejection(() => parseChanges(list, { ...limits, actions }))).toMatchObject({
      name: 'BadDataError',
      details: [
        { path: 'action', message: possible('deleteStrategy', ' at /body/1/action') },
        { path: '/body/2/payload/enabled' },
        { path: 'action', message: possible('deleteStrategy', ' at /body/3/action') },
      ],
    })
  })
})
