import { filterTargets, groupTargets, groupWords } from '../../../src/page/app/words/content/groups'
import { type ReviewChangeLike, toTargets } from '../../../src/page/app/words/content/items'
import { textOf } from '../../../src/page/app/words/spans'

interface Parts extends Partial<ReviewChangeLike> {
  readonly payload?: Record<string, string | boolean>
}

function content(...changes: Parts[]) {
  const all = changes.map((parts, index) => {
    const feature = `flag-${index + 1}`
    return { id: index + 1, action: 'updateEnabled', conflict: null, payload: { enabled: true }, ...parts, feature }
  })
  const features = all.map(({ id, action, feature, payload }) => ({
    name: feature,
    changes: [{ id, action, payload }],
  }))
  return toTargets(all, { features, segments: [] })
}

const on: Parts = {
  before: { enabled: false },
  after: { enabled: true },
  fields: [{ path: '/enabled', base: false, current: false, proposed: true, overwrites: false }],
}

function rolled(to: string, more: Parts = {}): Parts {
  const field = { path: '/parameters/rollout', base: '25', current: '25', proposed: to, overwrites: false }
  const strategy = (rollout: string) => ({ name: 'flexibleRollout', title: 'Main', parameters: { rollout } })
  return { action: 'updateStrategy', before: strategy('25'), after: strategy(to), fields: [field], ...more }
}

const groupsOf = (...changes: Parts[]) =>
  groupTargets(content(...changes)).map((group) => textOf(groupWords(group)).replaceAll('\u00a0', ' '))

describe('equal effects', () => {
  it('are one group, in the order of the first of each', () => {
    expect(groupsOf(on, rolled('75'), on, rolled('75'), rolled('80'))).toEqual([
      'Enabled: off → on, in 2 flags',
      'Strategy “Main”: 25 % → 75 % of everybody, in 2 flags',
      'Strategy “Main”: 25 % → 80 % of everybody, in 1 flag',
    ])
  })

  it('are equal if they differ by the name and ids of the flag', () => {
    const added = (flag: string): Parts => {
      const after = { id: `${flag}-s`, name: 'flexibleRollout', parameters: { rollout: '10', groupId: flag } }
      const field = (path: string, proposed: string) => ({
        path,
        base: null,
        current: null,
        proposed,
        overwrites: false,
      })
      const fields = [field('/id', after.id), field('/parameters/groupId', flag)]
      return { action: 'addStrategy', before: null, after, fields }
    }
    expect(groupsOf(added('flag-1'), added('flag-2'), added('other'))).toHaveLength(2)
  })

  it('are not equal if another value has the name of the flag', () => {
    const titled = (title: string): Parts => {
      const field = { path: '/title', base: 'old', current: 'old', proposed: title, overwrites: false }
      return { action: 'updateStrategy', before: { title: 'old' }, after: { title }, fields: [field] }
    }
    expect(groupsOf(titled('flag-1'), titled('flag-2'))).toHaveLength(2)
    const field = (proposed: string) => ({ path: '/parameters/k', base: '', current: '', proposed, overwrites: false })
    const added = (k: string): Parts => {
      return { action: 'addStrategy', before: null, after: { name: 'x', parameters: { k } }, fields: [field(k)] }
    }
    expect(groupsOf(added('flag-1'), added('flag-2'))).toHaveLength(2)
  })

  it('exclude the members with a conflict', () => {
    const stuck = rolled('75', { conflict: 'Strategy has been deleted' })
    expect(groupsOf(stuck, rolled('75'))).toEqual(['Strategy “Main”: 25 % → 75 % of everybody, in 2 flags'])
    expect(groupsOf(stuck)).toEqual(['cannot be applied: strategy has been deleted, in 1 flag'])
  })
})

describe('the filter of changes', () => {
  it.each([
    ['', [1, 2, 3]],
    ['flag-2', [2]],
    ['FLAG strategy', [2, 3]],
    ['switched on', [1]],
    ['updateStrategy 3', [3]],
    ['nothing', []],
  ])('%j', (text, found) => {
    const targets = filterTargets(content(on, rolled('75'), rolled('80')), text)
    expect(targets.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual(found)
  })
})
