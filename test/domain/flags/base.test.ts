import type { NewChange } from '../../../src/domain/change-request'
import { mentionsOf } from '../../../src/domain/content/mentions'
import { baseOf, currentPart, partBefore, stillRestored } from '../../../src/domain/flags/base'
import { change, flags, hash } from '../support/change-requests'

const update = change(1, {
  action: 'updateStrategy',
  payload: { id: 's1' },
  restores: { title: 'a' },
  base: { title: 'b' },
})
const s1 = { id: 's1', name: 'default', disabled: false }
const state = flags({ strategies: [s1] })

describe('the part of the target that a change can alter', () => {
  it('is the base with its hash; empty if unknown', () => {
    expect(baseOf(update, state, hash)).toEqual({ base: s1, baseHash: hash(s1) })
    expect(baseOf({ ...update, payload: { id: 's2' } }, state, hash)).toEqual({ base: null, baseHash: hash(null) })
    expect([baseOf(update, flags(), hash), baseOf(update, undefined, hash)]).toEqual([{}, {}])
  })

  it('equals the JSON that is stored, whatever the gateway returns', () => {
    const returned = { ...s1, createdAt: new Date(0), title: undefined, sortOrder: Number.NaN, segments: [undefined] }
    const { base } = baseOf(update, flags({ strategies: [returned as never] }), hash)
    expect(base).toStrictEqual(JSON.parse(JSON.stringify(returned)))
  })

  it('is what a revert restores, also after an edit of the same target', () => {
    const { restores, ...other } = update
    expect([partBefore(update), partBefore(other)]).toEqual([restores, update.base])
    expect([currentPart(update, state), currentPart(other, state), currentPart(other, undefined)]).toEqual([
      restores,
      s1,
      undefined,
    ])
    const edits: readonly Partial<NewChange>[] = [
      {},
      { payload: { id: 's2' } },
      { feature: 'search' },
      { action: 'deleteStrategy' },
    ]
    expect(edits.map((edit) => stillRestored({ ...other, ...edit }, update))).toEqual([{ restores }, {}, {}, {}])
    expect(stillRestored(other, other)).toEqual({})
  })
})

describe('mentionsOf(changes)', () => {
  it('are the segments of strategies and the templates of release plans, each once', () => {
    const add = (segments: unknown) => change(1, { action: 'addStrategy', payload: { segments } as never })
    const plan = change(2, { action: 'addReleasePlan', payload: { templateId: 't1' } })
    const segment = change(3, { action: 'updateSegment', feature: null, payload: { id: 4, segments: [5] } })
    expect(mentionsOf([add([4, 9]), add([9, 1.5, '7']), add('4'), add(undefined), plan, plan, segment])).toEqual({
      segments: [4, 9],
      templates: ['t1'],
    })
  })
})
