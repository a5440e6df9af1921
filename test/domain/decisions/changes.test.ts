import type { Author, Change, ChangeRequest, NewChange } from '../../../src/domain/change-request'
import { groupByFeature, segmentChanges } from '../../../src/domain/content/grouping'
import { addChanges, createChangeRequest, editChange } from '../../../src/domain/decisions/changes'
import type { State } from '../../../src/domain/lifecycle'
import { ChangeRequestError } from '../../../src/errors'
import { facts, flags, hash } from '../support/change-requests'

const created = '2026-03-04T12:00:00.000Z'
const later = '2026-03-04T13:00:00.000Z'
const fresh = { id: 7, project: 'shop', environment: 'production' }
const ann: Author = { person: { id: 1, username: 'Ann', imageUrl: null }, signature: 'ann@example.com', ip: null }
const vote = { createdBy: { id: 2, username: 'Ben', imageUrl: null }, createdAt: created, digest: 'd1' }

const enable = (feature: string): NewChange => ({ action: 'updateEnabled', feature, payload: { enabled: true } })
const removeSegment = (id: number): NewChange => ({ action: 'deleteSegment', feature: null, payload: { id } })

function propose(changes: readonly NewChange[], firstId = 1, now = created) {
  return {
    changes,
    changeIds: changes.map((_, index) => firstId + index),
    author: ann,
    now,
    limits: { changes: 500, bytes: 1_000_000, targetsBytes: 1_000_000 },
    hash,
    facts: { ...facts('ann'), requiredApprovals: 2, gatedMinimum: 3 },
  }
}

function draft(changes: readonly NewChange[] = [enable('checkout')]): ChangeRequest {
  return createChangeRequest(fresh, propose(changes)).changeRequest
}

const inState = (state: State): ChangeRequest => ({
  ...draft(),
  state,
  approvals: [vote],
  stateTimestamps: { Draft: created, 'In review': created, [state]: created },
})

describe('createChangeRequest(fresh, command)', () => {
  it('is a Draft of the author with the changes in the order of their ids', () => {
    const stored = { createdBy: ann.person, createdAt: created }
    expect(draft([enable('b'), removeSegment(4)])).toEqual({
      id: 7,
      project: 'shop',
      environment: 'production',
      title: null,
      state: 'Draft',
      minApprovals: 3,
      ownMinApprovals: 2,
      changes: [
        { id: 1, ...enable('b'), ...stored },
        { id: 2, ...removeSegment(4), ...stored },
      ],
      approvals: [],
      rejections: [],
      comments: [],
      requestedApprovers: [],
      createdBy: ann.person,
      createdAt: created,
      updatedAt: created,
      stateTimestamps: { Draft: created },
      schedule: null,
    })
  })

  it('creates an event for its creation, then one for each change', () => {
    const { events } = createChangeRequest(fresh, propose([enable('a'), removeSegment(4)], 11))
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['change-request-created', { changeRequestId: 7 }],
      [
        'change-added',
        { changeRequestId: 7, changeId: 11, action: 'updateEnabled', feature: 'a', payload: { enabled: true } },
      ],
      ['change-added', { changeRequestId: 7, changeId: 12, action: 'deleteSegment', segmentId: 4, payload: { id: 4 } }],
    ])
    for (const event of events) {
      expect(event).toMatchObject({
        createdAt: created,
        createdBy: 'ann@example.com',
        createdByUserId: 1,
        project: 'shop',
        environment: 'production',
        preData: null,
        tags: [],
        ip: null,
        groupType: null,
        groupId: null,
      })
    }
  })
})

describe('addChanges(current, command)', () => {
  it('stores the base of each change and its hash; nothing if unknown', () => {
    const proposed = propose([enable('checkout'), enable('gone')], 20)
    const proposal = { ...proposed.facts.proposal, flags: flags({ enabled: true }) }
    const { changeRequest } = addChanges(draft(), { ...proposed, facts: { ...proposed.facts, proposal } })
    expect(changeRequest.changes.map(({ base, baseHash }) => [base, baseHash])).toEqual([
      [undefined, undefined],
      [{ enabled: true }, hash({ enabled: true })],
      [null, hash(null)],
    ])
  })

  it('rejects a change whose target was edited after the caller read it', () => {
    const proposing = (expected: string, rejected?: ChangeRequestError) => {
      const proposed = propose([{ ...enable('checkout'), expected } as NewChange])
      const proposal = { rejected, invalid: [], flags: flags({ enabled: true }) }
      return () => addChanges(draft(), { ...proposed, facts: { ...proposed.facts, proposal } })
    }
    expect(proposing(hash({ enabled: true }))).not.toThrow()
    expect(proposing(hash({ enabled: false }))).toThrow(
      expect.objectContaining({
        name: 'PreconditionFailedError',
        details: [
          expect.objectContaining({
            path: '/body/0',
            message: expect.stringMatching(/^Switching checkout on: its target was edited/),
          }),
        ],
      }),
    )
    const proposal = { rejected: undefined, invalid: [], flags: flags({ enabled: true }) }
    const edited = { ...enable('checkout'), expected: hash({ enabled: false }) } as NewChange
    const { limits, now } = propose([])
    const command = { by: { author: ann }, now, facts: { ...facts('ann'), proposal }, limits, hash }
    expect(() => editChange(draft(), { ...command, changeId: 1, change: edited, newId: 20 })).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: '/body' })] }),
    )
    const rejected = new ChangeRequestError('BadDataError', 'No.')
    expect(proposing(hash({ enabled: false }), rejected)).toThrow(rejected)
  })

  it('stores what a change of a revert restores', () => {
    const restoring = { ...enable('checkout'), restores: { enabled: false } }
    const { changes } = addChanges(draft(), propose([restoring, enable('b')], 20)).changeRequest
    expect(changes.map(({ restores }) => restores)).toEqual([undefined, { enabled: false }, undefined])
    expect(changes[2]).not.toHaveProperty('restores')
  })

  it('appends the changes to a Draft and does not change the rest', () => {
    const before = draft()
    const { changeRequest, events } = addChanges(before, propose([enable('b'), enable('a')], 20, later))
    expect(changeRequest.changes.map(({ id, feature }) => [id, feature])).toEqual([
      [1, 'checkout'],
      [20, 'b'],
      [21, 'a'],
    ])
    expect({ ...changeRequest, changes: before.changes }).toEqual(before)
    expect(events.map(({ type }) => type)).toEqual(['change-added', 'change-added'])
  })

  it.each(['In review', 'Approved'] as const)('%s: removes all approvals and is in review', (state) => {
    const before = inState(state)
    const { changeRequest, events } = addChanges(before, propose([enable('b')], 20, later))
    expect(changeRequest).toMatchObject({ state: 'In review', approvals: [], minApprovals: 2 })
    expect(changeRequest.changes).toHaveLength(2)
    expect(events.map(({ type }) => type)).toEqual(['change-added'])
  })

  it('updates the timestamp only for a step back into review', () => {
    const back = addChanges(inState('Approved'), propose([enable('b')], 20, later)).changeRequest
    expect(back.stateTimestamps).toEqual({ Draft: created, 'In review': later, Approved: created })
    const stayed = addChanges(inState('In review'), propose([enable('b')], 20, later)).changeRequest
    expect(stayed.stateTimestamps).toEqual({ Draft: created, 'In review': created })
  })

  it.each([
    [500, 1],
    [499, 2],
    [0, 501],
  ])('%i changes do not accept %i more', (present, more) => {
    const full = { ...draft(), changes: Array<Change>(present).fill(draft().changes[0] as Change) }
    expect(() => addChanges(full, propose(Array(more).fill(enable('b')), 1000))).toThrow(
      expect.objectContaining({
        name: 'ExceedsLimitError',
        message: `A change request can have at most 500 changes; this one has ${present}, and ${more} more were sent.`,
      }),
    )
  })
})

describe('the view of a change request', () => {
  const { changes } = draft([enable('z'), removeSegment(2), enable('__proto__'), enable('z'), removeSegment(1)])

  it('flags in the order of their lowest change id, with their changes', () => {
    const groups = [...groupByFeature(changes)].map(([name, group]) => [name, group.map(({ id }) => id)])
    expect(groups).toEqual([
      ['z', [1, 4]],
      ['__proto__', [3]],
    ])
  })

  it('segments, one per change, by id', () => {
    expect(segmentChanges(changes).map(({ id, payload }) => [id, payload])).toEqual([
      [2, { id: 2 }],
      [5, { id: 1 }],
    ])
  })
})
