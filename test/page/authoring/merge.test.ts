import { baseOf, editedFields, mergedWith, nextBase } from '../../../src/page/app/screens/authoring/model/merge'

const base = { id: 's1', title: '', disabled: false, constraints: [], parameters: { rollout: '50', groupId: 'a' } }
const typed = { ...base, title: 'Half', parameters: { rollout: '20', groupId: 'a' } }
const now = { ...base, disabled: true, parameters: { rollout: '30', groupId: 'b' } }
const pathsOf = (...input: Parameters<typeof editedFields>) =>
  editedFields(...input).map(({ path, isOwn }) => [path, isOwn])

describe('a flag that was edited while the user types', () => {
  it('sets the fields that the user has not edited', () => {
    const parameters = { rollout: '20', groupId: 'b' }
    expect(mergedWith(base, now, typed)).toEqual({ ...now, title: 'Half', parameters })
    expect(mergedWith(base, now, typed, 'now')).toEqual({ ...now, title: 'Half' })
  })

  it('lists the fields that both sides edited', () => {
    expect(pathsOf(base, now, typed)).toEqual([
      ['/disabled', false],
      ['/parameters/rollout', true],
      ['/parameters/groupId', false],
    ])
  })

  it('keeps the list of fields that both sides edited after the next key', () => {
    const shown = mergedWith(base, now, typed)
    const next = nextBase(base, now, typed)
    expect(pathsOf(next, now, { ...(shown as object), title: 'Half of them' })).toEqual([['/parameters/rollout', true]])
    // What followed is current: a further edit of it is no edit of both sides.
    const later = { ...now, disabled: false }
    expect(mergedWith(next, later, shown)).toMatchObject({ disabled: false })
  })
})

describe('the base of a stored change', () => {
  it('has the current values, and the values of its fields when it was proposed', () => {
    const current = { id: 's1', title: 'Half', parameters: { rollout: '30' }, variants: [{ name: 'a/b', weight: 1 }] }
    const field = (path: string, base: unknown) => ({ path, base, current: 0, proposed: 1, overwrites: false })
    const fields = [
      field('/title', null),
      field('/parameters/rollout', '50'),
      field('/variants/a~1b/weight', 2),
      field('/variants/c', { name: 'c', weight: 3 }),
    ]
    expect(baseOf(current, fields)).toEqual({
      id: 's1',
      parameters: { rollout: '50' },
      variants: [
        { name: 'a/b', weight: 2 },
        { name: 'c', weight: 3 },
      ],
    })
    expect(baseOf(current, [field('/variants/a~1b', null)])).toMatchObject({ variants: [] })
  })
})
