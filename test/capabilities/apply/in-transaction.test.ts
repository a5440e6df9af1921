import type { CurrentOptions, Subjects } from '../../../src'
import { listedFacts } from '../../../src/domain/content/summary'
import {
  createFixture,
  enable,
  type Fixture,
  type FixtureOptions,
  losing,
  rejection,
} from '../../kernel/support/fixture'
import { HostFlags, never } from '../../kernel/support/flags'
import { transaction, withTransactions } from '../../kernel/support/transactions'

/** A gateway that reads and writes in the transaction of the storage. */
class TransactionFlags extends HostFlags {
  readonly transactional = true
  readonly reads: (CurrentOptions | undefined)[] = []
  /** Called before `current` returns in the transaction. */
  before: () => unknown = () => {}

  override async current(subjects: Subjects, options?: CurrentOptions) {
    this.reads.push(options)
    if (options !== undefined) await this.before()
    return super.current(subjects)
  }
}

async function open(options: FixtureOptions = {}) {
  const flags = new TransactionFlags()
  let log = { committed: 0, rolledBack: 0 }
  const fixture = createFixture({
    flags,
    storage(memory) {
      const opened = withTransactions(memory)
      log = opened.log
      return opened.storage
    },
    ...options,
  })
  await fixture.approved([enable()])
  flags.reads.length = 0
  return { ...fixture, flags, log }
}

describe('apply through a gateway in the transaction of the storage', () => {
  it('reads the flags again in it, locked, and commits flags, state and events together', async () => {
    const fixture = await open()
    const contexts: unknown[] = []
    const { apply } = fixture.flags
    fixture.flags.apply = async (changes, context) => {
      contexts.push(context)
      return apply.call(fixture.flags, changes, context)
    }
    const { version, changeRequest } = await fixture.to('ben', 'Applied')
    expect([version, changeRequest.state, changeRequest.applying]).toEqual([4, 'Applied', null])
    expect(changeRequest.changes[0]?.snapshot).toEqual({ enabled: false })
    expect(fixture.flags.reads).toEqual([undefined, { transaction, forUpdate: true }])
    expect(contexts).toEqual([
      {
        changeRequestId: 1,
        project: 'shop',
        environment: 'production',
        appliedBy: { id: 2, username: 'ben@example.com', signature: 'ben@example.com' },
        applyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        transaction,
      },
    ])
    expect(fixture.log).toEqual({ committed: 1, rolledBack: 0 })
    expect((await fixture.eventTypes()).slice(-2)).toEqual(['feature-environment-enabled', 'change-request-applied'])
  })

  it('checks the flags again in the transaction: a conflict that was added meanwhile rolls it back', async () => {
    const fixture = await open()
    fixture.flags.before = () => {
      fixture.flags.instead = async () => ({ features: new Map(), segments: new Map() })
    }
    expect((await rejection(fixture.to('ben', 'Applied'))).message).toContain('Feature has been deleted')
    expect([fixture.log.rolledBack, fixture.flags.applied, (await fixture.stored())?.state]).toEqual([
      1,
      [],
      'Approved',
    ])
  })

  it('rolls back what the gateway wrote when another process was faster, and starts again', async () => {
    const fixture = await open()
    let raced = false
    fixture.flags.before = async () => {
      if (raced) return
      raced = true
      const { version, changeRequest } = (await fixture.memory.find({ project: 'shop' }, 1)) ?? assertFound()
      await fixture.memory.commit({
        changeRequest: { ...changeRequest, title: 'Sale' },
        summary: {} as never,
        version: version + 1,
        expectedVersion: version,
        before: listedFacts(changeRequest),
        searchText: '',
        open: true,
        subjects: [],
        dueAt: null,
        applyingSince: null,
        events: [],
      })
    }
    const { changeRequest } = await fixture.to('ben', 'Applied')
    expect([changeRequest.state, changeRequest.title]).toEqual(['Applied', 'Sale'])
    expect(fixture.log).toEqual({ committed: 1, rolledBack: 1 })
  })

  it('stores snapshots of the previous flags, although the gateway modifies its own objects', async () => {
    const fixture = await open()
    const strategy = { id: 's1', name: 'default', disabled: false, title: 'before' }
    fixture.flags.strategies = [strategy]
    await fixture.propose(
      'ann',
      [{ action: 'updateStrategy', feature: 'search', payload: { id: 's1', name: 'default' } }],
      { environment: 'testing' },
    )
    await fixture.to('ann', 'In review', { id: 2 })
    await fixture.to('ben', 'Approved', { id: 2 })
    fixture.flags.apply = async () => {
      strategy.title = 'after'
      return []
    }
    const { changeRequest } = await fixture.to('ben', 'Applied', { id: 2 })
    expect(changeRequest.changes[0]?.snapshot).toMatchObject({ title: 'before' })
  })

  it('leaves state and events unchanged when the transaction cannot be committed', async () => {
    const failure = new Error('COMMIT failed')
    const failing = () => {
      throw failure
    }
    const fixture = await open({ storage: (memory) => withTransactions(memory, failing).storage })
    await expect(fixture.to('ben', 'Applied')).rejects.toBe(failure)
    expect([(await fixture.stored())?.state, (await fixture.eventTypes()).at(-1)]).toEqual([
      'Approved',
      'change-request-approved',
    ])
  })

  it('does not change an error of the shared database', async () => {
    const full = new Error('disk full')
    const fixture = await open({
      storage: (memory) => ({
        ...withTransactions(memory).storage,
        failureOf: (error) => (error === full ? 'full' : undefined),
      }),
    })
    fixture.flags.apply = () => Promise.reject(full)
    await expect(fixture.to('ben', 'Applied')).rejects.toBe(full)
  })

  it.each(['current', 'apply'] as const)(
    'aborts if %s of the gateway hangs, and names the most likely cause',
    async (method) => {
      const fixture = await open({ limits: { hookTimeoutMs: 20 } })
      if (method === 'apply') fixture.flags.apply = never
      else fixture.flags.before = never
      expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
        name: 'UnavailableError',
        message:
          'The flag gateway did not respond within 20 ms, and the apply was rolled back. Most likely it does not ' +
          'read and write through context.transaction.',
        cause: { message: `flags.${method} did not respond within 20 ms.` },
      })
      expect(fixture.lines).toEqual([
        {
          level: 'error',
          facts: { err: expect.objectContaining({ name: 'HookTimeoutError' }), id: 1 },
          text: expect.stringMatching(
            /^The flag gateway did not respond inside .+ does not use context\.transaction, .+ Its write may have succeeded later: compare the flags with the change request\.$/,
          ),
        },
      ])
      expect((await fixture.stored())?.state).toBe('Approved')
    },
  )

  it('returns a fault of the host app for an invalid list of events, and rolls back', async () => {
    const fixture = await open()
    fixture.flags.apply = async () => undefined as never
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'UnknownError',
      cause: { message: expect.stringContaining('flags.apply returned undefined as the result') },
    })
    expect(fixture.log).toEqual({ committed: 0, rolledBack: 1 })
  })

  it('is an error on a storage without transactions', async () => {
    const fixture = await open({ storage: (memory) => memory })
    await expect(fixture.to('ben', 'Applied')).rejects.toThrow('The storage has no transactions.')
  })
})

/** @see contract 6.4 */
describe('apply without a flag gateway', () => {
  it('is rejected: nothing can be applied', async () => {
    const fixture = createFixture()
    await fixture.approved()
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({
      name: 'ConflictError',
      message: 'The change request cannot be applied: no flag gateway is configured.',
    })
    expect((await fixture.stored())?.state).toBe('Approved')
  })

  it('is a record with the option recordOnly, for hosts that follow the log', async () => {
    const fixture = createFixture({ recordOnly: true })
    await fixture.approved([enable(), enable('search')])
    const { version, changeRequest } = await fixture.to('ben', 'Applied', { comment: 'Done.' })
    expect([version, changeRequest.state, changeRequest.comments[0]?.text]).toEqual([4, 'Applied', 'Done.'])
    expect(await fixture.stored()).toEqual(changeRequest)
    expect((await fixture.eventTypes()).slice(-2)).toEqual(['change-request-approved', 'change-request-applied'])
  })

  it('retries after a lost race', async () => {
    const fixture: Fixture = createFixture({
      recordOnly: true,
      storage: (memory) => {
        const lost = losing([() => {}], memory)
        return { ...memory, commit: (write) => (write.changeRequest.state === 'Applied' ? lost : memory).commit(write) }
      },
    })
    await fixture.approved()
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })
})

function assertFound(): never {
  throw new Error('There is no change request.')
}
