import type { Change, ChangeRequest } from '../../../src/domain/change-request'
import {
  listedFacts,
  searchText,
  subjectsOfSummary,
  summarize,
  toSearchText,
} from '../../../src/domain/content/summary'
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
  it('names the freeze that delays it, while its schedule is pending', () => {
    const held = { by: 'Black Friday', until: null }
    const heldIn = (status: 'pending' | 'suspended', scheduling: object = { held }) =>
      summarize({
        ...sampleChangeRequest({ state: 'Scheduled' }),
        schedule: { scheduledAt: moment, status, reason: null },
        scheduling: { by: { person: voter(3), signature: 'user-3' }, targets: {}, ...scheduling },
      } as ChangeRequest)
    expect(heldIn('pending').held).toEqual(held)
    expect(heldIn('suspended')).not.toHaveProperty('held')
    expect(heldIn('pending', {})).not.toHaveProperty('held')
    const approved = { ...sampleChangeRequest(), scheduling: { by: {} as never, targets: {}, held } }
    expect(summarize(approved)).not.toHaveProperty('held')
  })

  it('is of the project only if a change takes effect in every environment', () => {
    const scopeOf = (...changes: readonly Change[]) => summarize(sampleChangeRequest({ changes })).scope
    expect([scopeOf(ofFlag(1, 'a')), scopeOf(ofFlag(1, 'a'), ofSegment(2, { id: 9 }))]).toEqual([
      'environment',
      'project',
    ])
  })

  it('is made once for each version', () => {
    const version = sampleChangeRequest()
    expect(summarize(version)).toBe(summarize(version))
    expect(summarize({ ...version })).not.toBe(summarize(version))
  })
})

describe('what a search finds', () => {
  const changes = [ofFlag(1, 'Zebra'), ofSegment(2, { id: 9, name: 'Beta' }), ofSegment(3, { id: 4 })]

  it('is the title and the names of flags and segments, one in each line, in lower case', () => {
    const textOf = (title: string | null) => searchText(summarize({ ...sampleChangeRequest({ changes }), title }))
    expect([textOf('A Title'), textOf(null)]).toEqual(['a title\nzebra\nbeta\n', '\nzebra\nbeta\n'])
  })

  it('has none of the characters that Postgres cannot store', () => {
    expect(toSearchText('A\0B\uD800C\uDFFFD\u{1F600}')).toBe('abcd\u{1F600}')
  })

  it('stands among the facts of a version, with its state, scope and reviewers', () => {
    const version = { ...sampleChangeRequest({ state: 'Approved', changes }), approvals: [vote(8)] }
    expect(listedFacts(version)).toEqual({
      state: 'Approved',
      scope: 'project',
      reviewedBy: [8],
      searchText: '\nzebra\nbeta\n',
    })
  })
})

describe('subjectsOfSummary(summary)', () => {
  it('names the flags with the project, the segments, and the change request itself', () => {
    const changes = [ofFlag(1, 'zebra'), ofSegment(2, { id: 9, name: 'Beta' })]
    const summary = summarize(sampleChangeRequest({ id: 42, changes }))
    expect(subjectsOfSummary(summary)).toEqual(['shop zebra', '9', 'change request 42'])
  })
})
