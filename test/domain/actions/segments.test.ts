import { testActions, testInverses } from '../support/action-rows'

const is = { target: 'segment', scope: 'project', stage: 'change' } as const
const conflict = 'Segment has been deleted'
const segment = { name: 'beta users', constraints: ['who'] }
const common = { is, conflict, snapshot: segment, part: segment, other: [{ id: 5 }, null] } as const

describe('the actions of segments', () => {
  testActions([
    { action: 'updateSegment', payload: { id: 4, name: 'beta', constraints: [] }, ...common },
    { action: 'deleteSegment', payload: { id: 4 }, ...common },
  ])
  testInverses([['updateSegment', { id: 4, name: 'testers', constraints: [] }]])
})
