import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { ChangeRequestError } from '../../../src'
import {
  type CommentReference,
  comment,
  deleteComment,
  editComment,
  resolveComment,
} from '../../../src/capabilities/discussion/discussion'
import { editChange } from '../../../src/capabilities/proposals/changes'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { seeded } from '../../faults/support/server'
import { by, createFixture, enable, type Fixture, type Who } from '../../kernel/support/fixture'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'
import { runs, seed } from '../../support/random'

const rounds = runs(2)

/** Ben's comment on Ann's change request. */
interface Commented {
  readonly id: number
  readonly changeId: number
  readonly text: string
}

const at = (who: Who, { id }: Commented): CommentReference => ({ ...by(who), project: 'shop', id, commentId: 1 })

type Act = 'edit' | 'delete' | 'resolve' | 'reply' | 'approve' | 'reject' | 'editChange'

const acts: { readonly [act in Act]: (fixture: Fixture, on: Commented) => Promise<StoredChangeRequest> } = {
  edit: ({ services }, on) => editComment(services, at('ben', on), `${on.text}, edited`),
  delete: ({ services }, on) => deleteComment(services, at('ben', on)),
  resolve: ({ services }, on) => resolveComment(services, at('ann', on), true),
  reply: ({ services }, on) => comment(services, at('cleo', on), 'A reply'),
  approve: ({ to }, { id }) => to('cleo', 'Approved', { id, comment: 'Fine' }),
  reject: ({ to }, { id }) => to('cleo', 'Rejected', { id, comment: 'No' }),
  editChange: ({ services }, { id, changeId }) =>
    editChange(services, { ...by('ann'), project: 'shop', id, changeId, change: enable('search') }),
}

/** What each act prevents, and by which error. */
const prevents: { readonly [act in Act]?: { readonly acts: readonly Act[]; readonly error: string } } = {
  delete: { acts: ['edit', 'delete', 'resolve'], error: 'NotFoundError' },
  reply: { acts: ['edit', 'delete'], error: 'ConflictError' },
  approve: { acts: ['edit', 'delete'], error: 'ConflictError' },
  reject: { acts: ['edit', 'delete', 'resolve'], error: 'ConflictError' },
}

const pairs = (['edit', 'delete', 'resolve'] as const).flatMap((one) =>
  (Object.keys(acts) as Act[]).filter((other) => one !== other || one === 'delete').map((other) => ({ one, other })),
)

describe.each(databases)('two processes on $name', ({ open, name }) => {
  const random = seeded(seed)
  let opened: readonly OpenDatabase[]
  let fixtures: readonly [Fixture, Fixture]

  beforeAll(async () => {
    const first = await open({ durability: 'normal' })
    opened = [openAgain(first.place), first]
    const [one, other] = opened.map(({ storage }) => createFixture({ storage: () => storage, requiredApprovals: 2 }))
    fixtures = [one as Fixture, other as Fixture]
  })
  afterAll(async () => {
    for (const database of opened) await database.close()
  })

  async function commented(environment: string): Promise<Commented & { readonly version: number }> {
    const [{ services, propose, to }] = fixtures
    const { changeRequest } = await propose('ann', [enable()], { environment })
    const { id, changes } = changeRequest
    await to('ann', 'In review', { id })
    const text = `The comment on ${id}`
    const { version } = await comment(services, { ...by('ben'), project: 'shop', id }, text)
    return { id, changeId: changes[0]?.id ?? 0, text, version }
  }

  it.each(pairs)('"$one" and "$other": each is done after what it saw, or not at all', async ({ one, other }) => {
    const seen = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const on = await commented(`${one}-${other}-${round}`)
      const racing = [one, other].map(async (act, index) => {
        for (let turns = Math.floor(random() * 12); turns > 0; turns -= 1) await nextTurn()
        if (name === 'Postgres') await pause(random() * 8)
        return acts[act](fixtures[(index + round) % 2] as Fixture, on)
      })
      const results = await Promise.allSettled(racing)
      const done = results
        .flatMap((result, index) =>
          result.status === 'fulfilled' ? [{ act: [one, other][index] as Act, version: result.value.version }] : [],
        )
        .sort((first, second) => first.version - second.version)
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      for (const error of errors) if (!ChangeRequestError.is(error)) throw error
      seen.add(done.map(({ act }) => act).join(', '))
      // Every success is a version of its own, so none was lost.
      expect(done.map(({ version }) => version)).toEqual(done.map((_, index) => on.version + index + 1))
      const [first, second] = done
      const prevented = prevents[first?.act as Act]
      if (second !== undefined) expect(prevented?.acts ?? []).not.toContain(second.act)
      else {
        expect(errors.map((error) => error.name)).toEqual([prevented?.error])
        expect(prevented?.acts).toContain(first?.act === one ? other : one)
      }
      const has = (act: Act) => done.some((each) => each.act === act)
      const stored = await fixtures[0].stored(on.id)
      const [changed, ...later] = stored?.comments ?? []
      const text = has('edit') ? `${on.text}, edited` : on.text
      expect(changed).toMatchObject({ id: 1, text: has('delete') ? null : text })
      expect(JSON.stringify(stored).includes(on.text)).toBe(!has('delete'))
      expect([changed?.resolved !== undefined, changed?.editedAt !== undefined]).toEqual([has('resolve'), has('edit')])
      expect(later.map((each) => each.text)).toEqual(
        done.flatMap(({ act }) => ({ reply: 'A reply', approve: 'Fine', reject: 'No' })[act as 'reply'] ?? []),
      )
    }
    // With many rounds, either is first.
    if (rounds >= 100) expect(seen.size).toBeGreaterThan(1)
  })
})
