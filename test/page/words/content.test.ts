import { compareContent, markKey } from '../../../src/page/app/words/content/compare'
import { type ReviewChangeLike, toTargets } from '../../../src/page/app/words/content/items'
import { rowsOf } from '../../../src/page/app/words/fields/rows'
import { textOf } from '../../../src/page/app/words/spans'

function edit(id: number, to: string, from = '25'): ReviewChangeLike {
  const fields = [{ path: '/parameters/rollout', base: from, current: from, proposed: to, overwrites: false }]
  return { id, action: 'updateStrategy', feature: 'checkout', before: {}, after: {}, fields, conflict: null }
}

function content(...changes: ReviewChangeLike[]) {
  const stored = changes.map(({ id, action }) => ({ id, action, payload: { id: `s${id % 10}` } }))
  return toTargets(changes, {
    features: stored.length === 0 ? [] : [{ name: 'checkout', changes: stored }],
    segments: [],
  })
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('two versions of the content', () => {
  it('are the same after votes and comments', () => {
    expect(compareContent(content(edit(1, '75')), content(edit(1, '75')))).toBeNull()
  })

  it('differ by the field of an edited change, which has a new number', () => {
    const change = compareContent(content(edit(1, '75')), content(edit(11, '100')))
    expect(plain(textOf(change?.words ?? []))).toBe('checkout: rollout 75 % → 100 %')
    expect([...(change?.fields.keys() ?? [])]).toEqual([markKey(11, '/parameters/rollout')])
  })

  it('differ by the current values', () => {
    const change = compareContent(content(edit(1, '75')), content(edit(1, '75', '40')))
    expect(plain(textOf(change?.words ?? []))).toBe('checkout: rollout is 40 % now, no longer 25 %')
  })

  it('differ by added and removed changes', () => {
    const change = compareContent(content(edit(1, '75')), content(edit(2, '75')))
    expect(textOf(change?.words ?? [])).toBe('checkout: strategy “s2” is new, strategy “s1” was removed')
    expect([...(change?.added ?? [])]).toEqual([2])
  })
})

describe('the description of the difference', () => {
  const field = (path: string, proposed: string) => ({ path, base: '1', current: '1', proposed, overwrites: false })
  const changed = (...fields: ReviewChangeLike['fields'] & object) => content({ ...edit(1, '75'), fields })

  it('keeps names unchanged, and counts what does not fit', () => {
    const paths = ['/parameters/Region', '/variants/Blue/stickiness', '/parameters/groupId', '/parameters/IPs']
    const [old, next] = ['2', '3'].map((value) => changed(...paths.map((path) => field(path, value))))
    expect(textOf(compareContent(old ?? [], next ?? [])?.words ?? [])).toBe(
      'checkout: Region 2 → 3, Blue · stickiness 2 → 3, 2 more',
    )
  })
})

describe('the segments of a change request', () => {
  it('are separate, also with the same name', () => {
    const change = (id: number, segment: number) => ({
      id,
      action: 'updateSegment',
      payload: { id: segment },
      name: 'Beta',
    })
    const targets = toTargets([], { features: [], segments: [change(1, 4), change(2, 5), change(3, 4)] })
    expect(targets.map(({ name, changes }) => [name, changes.map(({ id }) => id)])).toEqual([
      ['Beta', [1, 3]],
      ['Beta', [2]],
    ])
  })
})

describe('a change that is not in the review', () => {
  it('has what was sent, without the replaced values', () => {
    const payload = { id: 's1', parameters: { rollout: '75' } }
    const sent = { ...edit(1, '75'), before: null, after: null, fields: [] }
    const request = {
      features: [{ name: 'checkout', changes: [{ id: 1, action: 'updateStrategy', payload }] }],
      segments: [],
    }
    const [target] = toTargets([sent], request)
    const [row] = rowsOf(target?.changes[0] ?? sent)
    expect(plain(`${textOf(row?.now.words ?? [])} ${textOf(row?.after.words ?? [])}`)).toBe('none 75 %')
    expect(target?.changes[0]).toMatchObject({ nowKnown: false, before: null, after: null })
  })

  it('has the strategy that was sent, if it is complete', () => {
    const payload = { name: 'default', constraints: [], parameters: {} }
    const sent = { ...edit(1, ''), action: 'addStrategy', before: null, after: null, fields: [] }
    const change = { id: 1, action: 'addStrategy', payload }
    const [target] = toTargets([sent], { features: [{ name: 'checkout', changes: [change] }], segments: [] })
    expect(target?.changes[0]).toMatchObject({ nowKnown: false, before: null, after: payload })
  })

  it('has unknown current values', () => {
    const sent = { ...edit(1, ''), action: 'startMilestone', before: { id: 'm' }, after: { id: 'm' }, fields: [] }
    const change = { id: 1, action: 'startMilestone', payload: { planId: 'p', milestoneId: 'm' } }
    const [target] = toTargets([sent], { features: [{ name: 'checkout', changes: [change] }], segments: [] })
    expect(target?.changes[0]).toMatchObject({ nowKnown: false, fields: [{ proposed: 'p' }, { proposed: 'm' }] })
  })
})
