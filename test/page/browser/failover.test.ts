import { type ReplicatedPostgres, startReplicatedPostgres } from '../../faults/support/replicated-postgres'
import { openAgain, type TestDatabase } from '../../support/databases'
import { longTimeoutMs } from '../../support/databases/long-timeouts'
import { nightly } from '../../support/nightly'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
const calls = /\/api\/admin\//
const state = /^PUT .*\/state/
const unavailable = { status: 503, name: 'UnavailableError', retryAfter: '1' }
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

/** The streams end and every request is 503, until the function it returns is called. */
function failOver(): () => void {
  const end = host.refuse(calls, unavailable)
  host.breakStreams()
  return end
}

describe('a failover', () => {
  it('is shown as reconnecting, loses no text, and each step that was pressed is done once', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, comment, main, say, state: present } = requestScreen(page)
    await expectText(page.getByRole('banner'), 'Live')
    const end = failOver()
    await expectText(page.getByRole('banner'), 'Reconnecting')
    await comment.fill('Fine for Friday.')
    await say.fill('Who tells support?')
    await button('Comment').last().click()
    await button('Approve').click()
    await expectText(main, /Retrying is safe.*Retrying is safe/)
    expect(await say.inputValue()).toBe('Who tells support?')
    expect(await comment.inputValue()).toBe('Fine for Friday.')
    end()
    await expectText(present, /Approved/)
    await expectText(main.getByRole('article'), 'Who tells support?')
    await expectText(page.getByRole('banner'), 'Live')
    const { approvals, comments } = await read(id)
    expect([approvals.length, comments.map(({ text }) => text).sort()]).toEqual([
      1,
      ['Fine for Friday.', 'Who tells support?'],
    ])
  })

  it.each([
    ['Approve', 'inReview', /Approved/],
    ['Apply to production now', 'approved', /Applied/],
  ] as const)(
    'after the commit of a step is found by a read, and the step is not sent again: %s',
    async (name, begin, done) => {
      const id = await host[begin](enable('checkout'), 'The new checkout')
      const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
      const { button, main, state: present } = requestScreen(page)
      await button(name).waitFor()
      const end = host.lose(state)
      await button(name).click()
      await expectText(main, /Retrying is safe/)
      const sent = host.received(state).length
      const before = await numberOfEvents()
      end()
      await button('Retry now').click()
      await expectText(present, done)
      await main.getByText('Retrying is safe').waitFor({ state: 'detached' })
      expect(host.received(state)).toHaveLength(sent)
      expect(await numberOfEvents()).toBe(before)
    },
  )

  it('after which another user decided sends nothing, and shows what is there', async () => {
    const id = await host.approved(enable('checkout'), 'The new checkout')
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, main, state: present } = requestScreen(page)
    const end = host.refuse(state, unavailable)
    await button('Apply to production now').click()
    await expectText(main, /Reconnecting/)
    await host.setState('ann', id, 'Cancelled')
    const sent = host.received(state).length
    end()
    await expectText(present, /Cancelled/)
    expect(host.received(state)).toHaveLength(sent)
  })
})

nightly('a failover of a replicated Postgres', () => {
  let pair: ReplicatedPostgres

  beforeAll(async () => {
    pair = await startReplicatedPostgres()
    await pair.synchronize(true)
  })
  afterAll(() => pair?.end())

  const database: TestDatabase = {
    name: 'Postgres',
    async open() {
      const knex = { client: 'pg' as const, connection: pair.proxy.url, searchPath: ['public'] }
      const storage = { acquireTimeoutMs: 2_000, lockTimeoutMs: 2_000, statementTimeoutMs: 2_000 }
      const log = { debug() {}, warn() {}, error() {}, deprecate() {} }
      const opened = openAgain(
        { knex: { ...knex, acquireConnectionTimeout: longTimeoutMs }, storage },
        { pool: { min: 0 }, log },
      )
      await opened.storage.migrate()
      return opened
    },
  }

  it('does each step that is pressed while it happens once, and keeps what is written', async () => {
    await host.close()
    host = await startHost({ database })
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, comment, main, say, state: present } = requestScreen(page)
    await expectText(page.getByRole('banner'), 'Live')
    await say.fill('Who tells support?')
    await pair.primary.stop('kill')
    await expectText(page.getByRole('banner'), 'Reconnecting')
    await comment.fill('Fine for Friday.')
    await button('Approve').click()
    await expectText(main, /Retrying is safe/)
    await pair.failOver('kill')
    await expectText(present, /Approved/)
    await expectText(page.getByRole('banner'), 'Live')
    expect(await say.inputValue()).toBe('Who tells support?')
    await button('Comment').last().click()
    await expectText(main.getByRole('article'), 'Who tells support?')
    await button('Apply to production now').click()
    await expectText(present, /Applied/)
    const { approvals, comments } = await read(id)
    expect([approvals.length, comments.length]).toEqual([1, 2])
    const applied = '/search/events?type=IS:change-request-applied'
    expect(await host.call('cara', 'GET', applied)).toMatchObject({ total: 1 })
  })
})

describe('a network that ends without an event of the browser', () => {
  it('is found by a request when the stream ends, and the page recovers by itself', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { say } = requestScreen(page)
    // From here on, time passes only where the test says so: nothing is polled.
    await page.clock.install()
    await page.reload()
    await say.waitFor()
    await expectText(page.getByRole('banner'), 'Live')
    await page.evaluate("addEventListener('online', (event) => event.stopImmediatePropagation(), true)")
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 5_000)
    const end = host.lose(/./)
    host.breakStreams()
    await expectText(page.locator('body'), /No network.*You see what was true at \d/)
    await expectText(page.getByRole('banner'), 'Offline')
    end()
    await page.clock.runFor(40_000)
    await page.getByText('No network').waitFor({ state: 'detached' })
    await expectText(page.getByRole('banner'), 'Live')
  })
})

describe('a failover that lost events', () => {
  it('is said until one closes it; the log is read again, and followed from its head', async () => {
    await host.changeFlags(enable('checkout'))
    await host.recordFlag('default', 'lost-flag')
    const page = await browser.visit(host.as('ben', '/log'))
    const events = page.getByRole('region', { name: 'Events' })
    const bar = page.getByText('The server lost its latest events.')
    const lost = events.getByRole('listitem').filter({ hasText: 'lost-flag' })
    await expectText(page.getByRole('banner'), 'Live')
    await lost.waitFor()
    const end = host.refuse(/event-stream after /, { status: 409, name: 'ConflictError', code: 'position-lost' })
    await host.loseEvent()
    host.breakStreams()
    await bar.waitFor()
    await lost.waitFor({ state: 'detached' })
    end()
    await expectText(page.getByRole('banner'), 'Live')
    await host.recordFlag('default', 'next-flag')
    await expectText(events, 'next-flag')
    await page.getByRole('button', { name: 'Close' }).click()
    await bar.waitFor({ state: 'detached' })
  })
})

interface Discussion {
  readonly approvals: readonly unknown[]
  readonly comments: readonly { readonly text: string }[]
}

const read = (id: number) => host.call<Discussion>('ben', 'GET', requestPath(id))

async function numberOfEvents(): Promise<number> {
  return (await host.call<{ total: number }>('cara', 'GET', '/search/events?limit=1')).total
}
