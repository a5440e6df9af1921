import fc from 'fast-check'
import type { Change, ChangeRequest, Vote, VotedChange } from '../../../src/domain/change-request'
import { addChanges, discardChange, editChange } from '../../../src/domain/decisions/changes'
import { rebase } from '../../../src/domain/decisions/rebase'
import { approve, reject } from '../../../src/domain/decisions/review'
import { changedSince, voidsVotes } from '../../../src/domain/steps/votes'
import { random } from '../../support/random'
import { by, change, changeRequest, flags, hash, type Name, on, personOf, step, vote } from '../support/change-requests'

const limits = { changes: 5_000, bytes: 10_000_000, targetsBytes: 10_000_000 }

/** A readable digest of each change. */
const digestsOf = ({ changes }: Pick<ChangeRequest, 'changes'>): VotedChange[] =>
  changes.map(({ id, payload }) => ({ id, digest: JSON.stringify(payload) }))

const voting = (current: ChangeRequest, name: Name) => {
  const as = step(name)
  const votedChanges = digestsOf(current)
  return { ...as, facts: { ...as.facts, votedChanges, digest: JSON.stringify(votedChanges) } }
}
const approved = (current: ChangeRequest, name: Name = 'ben') => approve(current, voting(current, name)).changeRequest

const titled = (id: number, title: string): Change => change(id, { payload: { title } })
const edited = (current: ChangeRequest, changeId: number, newId: number, title: string) =>
  editChange(current, { ...on('ann'), changeId, change: titled(newId, title), newId, limits, hash }).changeRequest
const added = (current: ChangeRequest, id: number, title: string) =>
  addChanges(current, {
    ...{ ...on('ann'), changes: [titled(id, title)], changeIds: [id] },
    ...{ author: by('ann').author, limits, hash },
  }).changeRequest
const discarded = (current: ChangeRequest, id: number) => discardChange(current, on('ann'), id).changeRequest

/** How the changes differ from those that the last voided vote was for. */
const since = (current: ChangeRequest) => {
  const voted = votedOn(current, current.voidedApprovals?.at(-1)?.vote)
  return voted && changedSince(voted, digestsOf(current)).map(({ id, status }) => `${id} ${status}`)
}

const votedOn = ({ votedContents = [] }: ChangeRequest, vote: Pick<Vote, 'digest'> | undefined) =>
  votedContents.find(({ digest }) => digest === vote?.digest)?.changes

const start = changeRequest({ changes: [titled(1, 'a'), titled(2, 'b'), titled(3, 'c')] })

describe('what a vote was for', () => {
  it('is stored with an approval and a rejection', () => {
    const rejected = reject(start, voting(start, 'ben')).changeRequest
    expect(votedOn(approved(start), approved(start).approvals[0])).toEqual(digestsOf(start))
    expect(votedOn(rejected, rejected.rejections[0])).toEqual(digestsOf(start))
  })

  it('is kept when an edit voids it, without the groups of the voter', () => {
    const { createdAt, digest } = approved(start).approvals[0] as Vote
    const { approvals, voidedApprovals, votedContents } = edited(approved(start), 1, 4, 'x')
    expect([approvals, voidedApprovals?.[0]?.vote]).toEqual([[], { createdAt, digest }])
    const [first, ...others] = digestsOf(start)
    expect(votedContents).toEqual([{ digest, changes: [{ ...first, id: 4 }, ...others] }])
  })

  it('is stored once for all votes, the content of the last vote last', () => {
    const ids = ({ votedContents }: ChangeRequest) => votedContents?.map(({ changes }) => changes.map(({ id }) => id))
    const two = approved(approved(start), 'cleo')
    expect(ids(two)).toEqual([[1, 2, 3]])
    const three = approved(added(two, 4, 'new'))
    expect(ids(three)).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
    ])
    expect(ids(approved(discarded(three, 4)))).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3],
    ])
  })

  it('follows edits of edits, also while no approval is stored', () => {
    const once = edited(approved(start), 1, 4, 'x')
    expect(since(once)).toEqual(['2 same', '3 same', '4 edited'])
    const twice = added(discarded(edited(once, 4, 5, 'y'), 2), 6, 'new')
    expect(since(twice)).toEqual(['3 same', '5 edited', '6 new', '2 gone'])
    expect(since(edited(twice, 5, 7, 'a'))).toEqual(['3 same', '6 new', '7 same', '2 gone'])
    expect(since(discarded(twice, 5))).toEqual(['3 same', '6 new', '5 gone', '2 gone'])
  })

  it('follows a rebase that replaces changes', () => {
    const s1 = { id: 's1', name: 'default', disabled: false, title: 'all', parameters: { rollout: '50' } }
    const update = (id: number, rollout: string) =>
      change(id, {
        ...{ action: 'updateStrategy', payload: { id: 's1', title: 'all', parameters: { rollout } } },
        base: { ...s1, title: 'everybody' },
      })
    const facts = { ...on('ann').facts, flags: flags({ enabled: true, strategies: [s1] }) }
    const current = approved(changeRequest({ changes: [{ ...update(1, '20'), payload: { id: 's1', title: 'few' } }] }))
    const takes = { named: new Map(), others: 'theirs' } as const
    const { changeRequest: rebased } = rebase(current, { ...on('ann'), facts, takes, hash, limits, changeIds: [9] })
    expect(rebased.changes.map(({ id, replaces }) => [id, replaces])).toEqual([[9, 1]])
    expect(since(rebased)).toEqual(['9 edited'])
  })

  it('is unknown for votes that an earlier version stored or voided', () => {
    const voided = {
      by: personOf('ben'),
      at: '2026-03-04T12:00:00.000Z',
      cause: 'edit',
      causedBy: personOf('ann'),
    } as const
    const old = changeRequest({ approvals: [vote('ben')], voidedApprovals: [voided] })
    const { voidedApprovals = [] } = edited(old, 1, 4, 'x')
    const { createdAt, digest } = vote('ben')
    expect(voidedApprovals.map((one) => one.vote)).toEqual([undefined, { createdAt, digest }])
  })

  it('has a bound of 2,000 changes for all votes: the oldest are dropped', () => {
    const of = (count: number) =>
      changeRequest({ changes: Array.from({ length: count }, (_, at) => titled(at + 1, 'a')) })
    const sizes = ({ votedContents }: ChangeRequest) => votedContents?.map(({ changes }) => changes.length)
    const voided = edited(approved(approved(of(900)), 'cleo'), 1, 1_001, 'b')
    const again = edited(approved(voided), 2, 1_002, 'b')
    expect(sizes(again)).toEqual([900, 900])
    const rejected = reject(again, voting(again, 'dora')).changeRequest
    expect(rejected.votedContents).toEqual([
      ...(again.votedContents?.slice(1) ?? []),
      { digest: expect.any(String), changes: digestsOf(again) },
    ])
    expect(sizes(approved(of(2_001)))).toEqual([])
  })

  it('is found after any edits', () => {
    const edits = fc.array(
      fc.record({
        what: fc.constantFrom('add', 'edit', 'discard', 'approve'),
        at: fc.nat(5),
        title: fc.constantFrom('a', 'b'),
      }),
    )
    const property = fc.property(edits, (commands) => {
      let current = approved(start)
      let nextId = 10
      /** Which change it was at the vote, and the id of each now. */
      let voted = new Map(start.changes.map(({ id, payload }) => [id, { now: id, digest: JSON.stringify(payload) }]))
      for (const { what, at, title } of commands) {
        const { id } = current.changes[at % current.changes.length] as Change
        nextId += 1
        if (what === 'add') current = added(current, nextId, title)
        else if (what === 'discard' && current.changes.length > 1) current = discarded(current, id)
        else if (what === 'edit') {
          current = edited(current, id, nextId, title)
          for (const one of voted.values()) if (one.now === id) one.now = nextId
        } else if (what === 'approve' && current.approvals.length === 0) {
          current = approved(current)
          voted = new Map(digestsOf(current).map(({ id, digest }) => [id, { now: id, digest }]))
        }
        const stored = votedOn(current, current.approvals[0] ?? current.voidedApprovals?.at(-1)?.vote)
        expect(stored).toEqual([...voted.values()].map(({ now, digest }) => ({ id: now, digest })))
      }
    })
    fc.assert(property, random(30))
  })
})

describe('voidsVotes(changeRequest)', () => {
  it.each([
    ['Draft', [vote('ben')], false],
    ['In review', [], false],
    ['In review', [vote('ben')], true],
    ['Approved', [], true],
  ] as const)('%s with %j: %s', (state, approvals, expected) => {
    expect(voidsVotes(changeRequest({ state, approvals }))).toBe(expected)
  })
})
