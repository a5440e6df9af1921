import { allActions, definitionOf, targetPart } from '../../../src/domain/actions/table'
import { s1, toChange } from '../support/action-rows'
import { flags } from '../support/change-requests'

describe('allActions', () => {
  it('lists each action once, and the older names of actions last', () => {
    expect(new Set(allActions).size).toBe(allActions.length)
    expect(allActions.slice(-2)).toEqual(['changeSafeguard', 'deleteSafeguard'])
  })

  it('has one action that switches, and one that archives', () => {
    const at = (stage: string) => allActions.filter((action) => definitionOf({ action }).stage === stage)
    expect(at('switch')).toEqual(['updateEnabled'])
    expect(at('archive')).toEqual(['archiveFeature'])
  })
})

describe('targetPart(change, flags)', () => {
  it('is a copy: it stays as it was read', () => {
    const strategy = { ...s1 }
    const part = targetPart(toChange('updateStrategy', { id: 's1' }), flags({ strategies: [strategy] }))
    strategy.title = 'altered'
    expect(part).toEqual(s1)
  })
})
