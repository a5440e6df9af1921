import type { Change } from '../../../src/domain/change-request'
import { summarize } from '../../../src/domain/content/summary'
import { moment, sampleChange, sampleChangeRequest } from '../../../src/testing/samples'

const voter = (id: number) => ({ id, username: `user-${id}`, imageUrl: null })
const vote = (id: number) => ({ createdBy: voter(id), createdAt: moment, digest: 'sha256:0' })
const ofFlag = (id: number, feature: string): Change => ({ ...sampleChange(id), feature })
const ofSegment = (id: number, payload: object): Change => {
  return { ...sampleChange(id, payload as Change['payload']), action: 'updateSegment', feature: null }
}

describe('summarize(changeRequest)', () => {
  it('names flags once by their lowest change, segments by change, and who has approved', () => {
    const changes = [
      ofFlag(1, 'zebra'),
      ofSegment(2, { id: 9, name: 'Beta' }),
      ofFlag(3, 'apple'),
      ofFlag(4, 'zebra'),
      ofSegment(5, { id: 4 }),
      ofSegment(6, { id: 9, name: 'Gamma' }),
    ]
    const schedule = { scheduledAt: moment, status: 'pending', reason: null } as const
    const changeRequest = {
      ...sampleChangeRequest({ id: 42, title: 'A title', state: 'Scheduled', changes }),
      approvals: [vote(8), vote(3)],
      rejections: [vote(5)],
      comments: [{ id: 1, text: 'x'.repeat(10_000), createdBy: voter(5), createdAt: moment }],
      schedule,
    }
    expect(summarize(changeRequest)).toEqual({
      id: 42,
      project: 'shop',
      environment: 'production',
      title: 'A title',
      state: 'Scheduled',
      stateSince: moment,
      createdBy: changeRequest.createdBy,
      createdAt: moment,
      schedule,
      features: ['zebra', 'apple'],
      segments: [
        { id: 9, name: 'Beta' },
        { id: 4, name: null },
        { id: 9, name: 'Gamma' },
      ],
      reviewedBy: [8, 3],
      scope: 'project',
    })
  })
})
