import {
  beginning,
  type ChangeDraft,
  editDraft,
  type Shown,
  shownOf,
} from '../../../src/page/app/screens/authoring/model/draft'

const strategies = new Map([
  ['few', { id: 'few', title: 'Few', parameters: { rollout: '10', groupId: 'a' } }],
  ['half', { id: 'half', title: 'Half', parameters: { rollout: '50', groupId: 'b' } }],
])
type Target = Readonly<Record<string, unknown>>
const currentOf = (id: string): Target => strategies.get(id) ?? (id === '' ? {} : { id })
const initial: ChangeDraft = { project: 'default', environment: 'production', feature: 'checkout', action: 'update' }

const shownFor = (id: string, more: Partial<Shown> = {}): Shown => ({
  ...{ id, storedId: undefined, begin: currentOf(id), targets: { few: '1', half: '2' } },
  ...{ currentOf, isKnown: strategies.has(id) },
  ...more,
})

/** Types a payload; what is shown then is what the form begins with. */
function type(draft: ChangeDraft, id: string, next: unknown, more: Partial<Shown> = {}): ChangeDraft {
  return { ...draft, ...editDraft(draft, next, shownFor(id, more)) }
}

const payloadOn = (draft: ChangeDraft, current: unknown) => shownOf(draft, current, current, current).payload

describe('input for a strategy', () => {
  it('stays when the strategy is no longer the only one', () => {
    const draft = type(initial, 'half', { ...currentOf('half'), title: 'More' })
    expect(draft.id).toBe('half')
    expect(type(draft, 'half', currentOf('half'))).toMatchObject({ id: 'half', payload: undefined })
  })

  it('is kept for the strategy that is chosen afterwards; other fields are current', () => {
    const without = type(initial, '', { title: 'More' })
    expect(without.id).toBeUndefined()
    const partly = type(without, '', { title: 'More', id: 'ha' })
    const draft = type(partly, 'ha', { title: 'More', id: 'half' })
    expect(payloadOn(draft, currentOf('half'))).toEqual({ ...currentOf('half'), title: 'More' })
    expect(shownOf(draft, currentOf('half'), currentOf('half'), currentOf('half')).edited).toEqual([])
  })

  it('is kept while another one is chosen, and not used for that one', () => {
    const typed = { ...currentOf('half'), title: 'More' }
    const other = type(type(initial, 'half', typed), 'half', { ...typed, id: 'few' })
    expect(payloadOn(other, currentOf('few'))).toEqual(currentOf('few'))
    const both = type(other, 'few', { ...currentOf('few'), title: 'Fewer' })
    const back = type(both, 'few', { ...currentOf('few'), id: 'half' })
    expect(payloadOn(back, currentOf('half'))).toEqual(typed)
    const further = type(back, 'half', { ...typed, id: 'few' })
    expect(payloadOn(further, currentOf('few'))).toMatchObject({ title: 'Fewer' })
  })

  it('is kept for a segment that is still being loaded, without values that were not typed', () => {
    const begin = { constraints: [] }
    const of = { begin, currentOf: () => undefined, isKnown: false }
    const draft = type(type(initial, '', { ...begin, name: 'Beta' }, of), '', { ...begin, name: 'Beta', id: '4' }, of)
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }]
    expect(payloadOn(draft, { id: '4', name: 'Old', constraints })).toEqual({ id: '4', name: 'Beta', constraints })
  })

  it('before the flag is read applies to its only strategy', () => {
    const draft = type(initial, '', { title: 'More' })
    for (const before of [draft, type(draft, '', {}), type({ ...initial, isJson: true }, '', '{}')])
      expect(before.id).toBeUndefined()
    expect(payloadOn(draft, currentOf('half'))).toEqual({ ...currentOf('half'), title: 'More' })
  })

  it('as JSON has the values of the strategy as its base', () => {
    const json = (value: unknown) => JSON.stringify(value)
    const draft = type({ ...initial, isJson: true }, 'half', json({ ...currentOf('few'), title: 'Fewer' }))
    expect(draft.id).toBe('few')
    const now = { ...currentOf('few'), parameters: { rollout: '5', groupId: 'a' } }
    expect(payloadOn(draft, now)).toEqual({ ...now, title: 'Fewer' })
  })
})

describe('a stored change', () => {
  const parameters = { rollout: '30', groupId: 'b' }
  const stored = {
    ...{ id: 1, action: 'updateStrategy', feature: 'checkout', payload: { id: 'half', parameters } },
    fields: [{ path: '/parameters/rollout', base: '50', current: '50', proposed: '30', overwrites: false }],
  }

  it('does not affect another strategy', () => {
    const begin = beginning(currentOf('half'), stored)[1] as Target
    expect(begin).toEqual({ ...currentOf('half'), parameters })
    expect(beginning(currentOf('few'), stored)).toEqual([currentOf('few'), currentOf('few')])
    const added = { ...stored, action: 'addStrategy', fields: [] }
    expect(beginning({ constraints: [] }, added)[1]).toEqual({ ...stored.payload, constraints: [] })
    const other = type(initial, 'half', { ...begin, id: 'few' }, { storedId: 'half', begin })
    expect(other).toMatchObject({ id: 'few', payload: undefined })
    expect(type(other, 'few', { ...currentOf('few'), id: 'half' }, { storedId: 'half' }).id).toBeUndefined()
  })
})
