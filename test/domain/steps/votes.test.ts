import fc from 'fast-check'
import type { Change, ChangeRequest, VotedChange } from '../../../src/domain/change-request'
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
  return { ...as, facts: { ...as.facts, votedChanges: digestsOf(current) } }
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
  const { vote: last } = current.voidedApprovals?.at(-1) ?? {}
  return last?.changes && changedSince(last.changes, digestsOf(current)).map(({ id, status }) => `${id} ${status}`)
}

const start = changeRequest({ changes: [titled(1, 'a'), titled(2, 'b'), titled(3, 'c')] })

describe('what a vote was for', () => {
  it('is stored with an approval and a rejection', () => {
    expect(approved(start).approvals[0]?.changes).toEqual(digestsOf(start))
    expect(reject(start, voting(start, 'ben')).changeRequest.rejections[0]?.changes).toEqual(digestsOf(start))
  })

  it('is kept when an edit voids it, without the groups of the voter', () => {
    const { createdAt, digest, changes } = approved(start).approvals[0] ?? {}
    const { approvals, voidedApprovals } = edited(approved(start), 1, 4, 'x')
    expect([approvals, voidedApprovals?.[0]?.vote]).toEqual([
      [],
      { createdAt, digest, changes: [{ id: 4, digest: digestsOf(start)[0]?.digest }, ...(changes?.slice(1) ?? [])] },
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
    const many = changeRequest({
      minApprovals: 9,
      changes: Array.from({ length: 900 }, (_, at) => titled(at + 1, 'a')),
    })
    const sizes = ({ approvals, rejections, voidedApprovals }: ChangeRequest) => [
      voidedApprovals?.map((one) => one.vote?.changes?.length),
      approvals.map(({ changes }) => changes?.length),
      rejections.map(({ changes }) => changes?.length),
    ]
    const two = approved(approved(many), 'cleo')
    expect(sizes(two)).toEqual([undefined, [900, 900], []])
    const voided = edited(two, 1, 1_001, 'b')
    expect(sizes(voided)).toEqual([[900, 900], [], []])
    const again = approved(voided, 'cleo')
    expect(sizes(again)).toEqual([[undefined, 900], [900], []])
    expect(sizes(reject(again, voting(again, 'dora')).changeRequest)).toEqual([[undefined, undefined], [900], [900]])
    expect(sizes(approved(approved(approved(many), 'cleo'), 'dora'))).toEqual([undefined, [undefined, 900, 900], []])
    const huge = changeRequest({ changes: Array.from({ length: 2_001 }, (_, at) => titled(at + 1, 'a')) })
    expect(sizes(approved(huge))).toEqual([undefined, [undefined], []])
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
        const stored = current.approvals[0]?.changes ?? current.voidedApprovals?.at(-1)?.vote?.changes
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
