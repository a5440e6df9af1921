import type { Decision } from '../../../src/domain/decisions/decision'
import { decideAll, type FreshIds, type Undecided } from '../../../src/kernel/writer/decide-all'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { findOpen } from '../../../src/testing/samples'
import { createFixture, production } from '../support/fixture'

type Decide = Undecided['command']['decide']

/** A job that records how it was settled. */
function job(decide: Decide, settled: unknown[], changeIds = 0): Undecided {
  return {
    command: { changeIds, decide },
    resolve: ({ version, changeRequest }) => settled.push([version, changeRequest.title]),
    reject: (error) => settled.push(error),
  }
}

const retitle =
  (title: string): Decide =>
  (current) => ({
    changeRequest: { ...(current as StoredChangeRequest).changeRequest, title },
    events: [{ type: title } as unknown as Decision['events'][number]],
  })

const noIds: FreshIds = { changeRequest: 0, changes: [] }

describe('decideAll', () => {
  let loaded: StoredChangeRequest

  beforeEach(async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    loaded = (await findOpen(fixture.storage, { ...production, userId: 1 })) as StoredChangeRequest
  })

  it('decides each job on the result of the previous one, and settles none of them', () => {
    const settled: unknown[] = []
    const { last, events, settle, removed, rest } = decideAll(
      [job(retitle('first'), settled), job(retitle('second'), settled)],
      { current: loaded, ids: noIds },
    )
    expect([last?.version, last?.changeRequest.title]).toEqual([3, 'second'])
    expect(events.map(({ type }) => type)).toEqual(['first', 'second'])
    expect([removed, rest, settled]).toEqual([undefined, [], []])
    for (const each of settle) each()
    expect(settled).toEqual([
      [2, 'first'],
      [3, 'second'],
    ])
  })

  it('skips a rejected job and its effect', () => {
    const settled: unknown[] = []
    const error = new Error('refused')
    const refuse = () => {
      throw error
    }
    const jobs = [job(refuse, settled), job(retitle('first'), settled)]
    const { last, settle } = decideAll(jobs, { current: loaded, ids: noIds })
    expect(last?.version).toBe(2)
    for (const each of settle) each()
    expect(settled).toEqual([error, [2, 'first']])
  })

  it('creates no new version if nothing changes', () => {
    const settled: unknown[] = []
    const keep: Decide = (current) => ({ changeRequest: (current as StoredChangeRequest).changeRequest, events: [] })
    const { last, settle } = decideAll([job(keep, settled)], { current: loaded, ids: noIds })
    expect(last).toBeUndefined()
    for (const each of settle) each()
    expect(settled).toEqual([[1, null]])
  })

  it('does not decide jobs after a removal', () => {
    const settled: unknown[] = []
    const remove: Decide = (current) => ({ ...retitle('gone')(current, noIds), removed: true })
    const removeUnaltered: Decide = (current) => ({
      changeRequest: (current as StoredChangeRequest).changeRequest,
      events: [],
      removed: true,
    })
    for (const decide of [remove, removeUnaltered]) {
      const later = job(retitle('late'), settled)
      const { last, removed, rest } = decideAll([job(decide, settled), later], { current: loaded, ids: noIds })
      expect([last?.version, removed, rest]).toEqual([2, true, [later]])
    }
  })

  it('gives each job its ids, and the id for a new change request', () => {
    const given: FreshIds[] = []
    const make: Decide = (current, ids) => {
      given.push(ids)
      return current === undefined
        ? { changeRequest: { ...loaded.changeRequest, title: 'new' }, events: [] }
        : retitle('added')(current, ids)
    }
    const settled: unknown[] = []
    const jobs = [job(make, settled, 2), job(make, settled), job(make, settled, 1)]
    const { last } = decideAll(jobs, { current: undefined, ids: { changeRequest: 9, changes: [4, 5, 6] } })
    expect(given).toEqual([
      { changeRequest: 9, changes: [4, 5] },
      { changeRequest: 9, changes: [] },
      { changeRequest: 9, changes: [6] },
    ])
    expect(last?.version).toBe(3)
  })
})
