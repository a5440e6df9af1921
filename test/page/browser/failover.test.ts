import { type ReplicatedPostgres, startReplicatedPostgres } from '../../faults/support/replicated-postgres'
import { openAgain, type TestDatabase } from '../../support/databases'
import { longTimeoutMs } from '../../support/databases/long-timeouts'
import { nightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { show, useBrowser } from '../support/browser'
import { accountMenu } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { isOff, requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const calls = /\/api\/admin\//
const state = /^PUT .*\/state/
const unavailable = { status: 503, name: 'UnavailableError', retryAfter: '1' }
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

/** Ends the streams and responds to every request with 503, until the returned function is called. */
function failOver(): () => void {
  const end = host.refuse(calls, unavailable)
  host.breakStreams()
  return end
}

describe('a failover', () => {
  it('is shown as reconnecting, keeps texts, and each pressed step is done once', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, comment, main, say, state: shownState } = requestScreen(page)
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
    await expectText(shownState, /Approved/)
    await expectText(main.getByRole('article'), 'Who tells support?')
    await expectText(page.getByRole('banner'), 'Live')
    const { approvals, comments } = await read(id)
    expect([approvals.length, comments.map(({ text }) => text).sort()]).toEqual([
      1,
      ['Fine for Friday.', 'Who tells support?'],
    ])
  })

  it('after the commit of a step is detected by a read, and the step is not sent again', async () => {
    const id = await host.approved(enable('checkout'), 'The new checkout')
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, main, state: shownState } = requestScreen(page)
    await button('Apply to production now').waitFor()
    const end = host.lose(state)
    await button('Apply to production now').click()
    await expectText(main, /Retrying is safe/)
    const sent = host.received(state).length
    const before = await numberOfEvents()
    end()
    await button('Retry now').click()
    await expectText(shownState, /Applied/)
    await main.getByText('Retrying is safe').waitFor({ state: 'detached' })
    expect(host.received(state)).toHaveLength(sent)
    expect(await numberOfEvents()).toBe(before)
  })

  it('sends nothing and shows the current state if another user has decided in the meantime', async () => {
    const id = await host.approved(enable('checkout'), 'The new checkout')
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, main, state: shownState } = requestScreen(page)
    const end = host.refuse(state, unavailable)
    await button('Apply to production now').click()
    await expectText(main, /Reconnecting/)
    await host.setState('ann', id, 'Cancelled')
    const sent = host.received(state).length
    end()
    await expectText(shownState, /Cancelled/)
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

  it('does each step that is pressed meanwhile once, and keeps texts', async () => {
    await host.close()
    host = await startHost({ database })
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, comment, main, say, state: shownState } = requestScreen(page)
    await expectText(page.getByRole('banner'), 'Live')
    await say.fill('Who tells support?')
    await pair.primary.stop('kill')
    await expectText(page.getByRole('banner'), 'Reconnecting')
    await comment.fill('Fine for Friday.')
    await button('Approve').click()
    await expectText(main, /Retrying is safe/)
    await pair.failOver('kill')
    await expectText(shownState, /Approved/)
    await expectText(page.getByRole('banner'), 'Live')
    expect(await say.inputValue()).toBe('Who tells support?')
    await button('Comment').last().click()
    await expectText(main.getByRole('article'), 'Who tells support?')
    await button('Apply to production now').click()
    await expectText(shownState, /Applied/)
    const { approvals, comments } = await read(id)
    expect([approvals.length, comments.length]).toEqual([1, 2])
    const applied = '/search/events?type=IS:change-request-applied'
    expect(await host.call('cara', 'GET', applied)).toMatchObject({ total: 1 })
    await expectConsistent(host.storage)
  })
})

describe('a network failure without an event of the browser', () => {
  it('is detected by a request when the stream ends, and the page recovers by itself', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { say } = requestScreen(page)
    // From here on, only the test moves the clock, so nothing is polled.
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
  it('is announced until the user closes the message; the log is read again, and followed from its head', async () => {
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

describe('writes', () => {
  let id: number
  beforeEach(async () => {
    id = await host.inReview(enable('checkout'), 'The new checkout')
  })

  describe('a step', () => {
    it('shows immediately that it is running, and two presses send it once', async () => {
      const page = await browser.visit(host.as('ben', requestPath(id)))
      const { button, state: shownState } = requestScreen(page)
      const width = (await button('Approve').boundingBox())?.width
      const release = host.hold(state)
      await button('Approve').click()
      const busy = button('Approving…')
      await busy.waitFor()
      expect(await busy.getAttribute('aria-busy')).toBe('true')
      expect(await isOff(busy)).toBe(true)
      expect((await busy.boundingBox())?.width).toBe(width)
      await busy.click({ force: true })
      release()
      await expectText(shownState, /Approved/)
      expect(host.received(state)).toHaveLength(1)
    })

    it('is shown as done if its response was lost and a read finds it done', async () => {
      const page = await browser.visit(host.as('ben', requestPath(id)))
      const { button, state: shownState } = requestScreen(page)
      await button('Approve').waitFor()
      host.loseOnce(state)
      await button('Approve').click()
      await page.getByText('You approved it').waitFor({ state: 'attached' })
      await expectText(shownState, /Approved/)
      await page.getByText(/nothing was changed/).waitFor({ state: 'detached' })
      expect((await read(id)).approvals).toHaveLength(1)
    })
  })

  describe('a step that is repeated', () => {
    it('is reported as possibly done by its first attempt, for each result of the retry', async () => {
      const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
      const { button, main } = requestScreen(page)
      host.lose(state)
      await button('Approve').click()
      await button('Retry now').waitFor()
      expect(await page.getByText('No network').count()).toBe(0)
      host.answer(/\/api\/admin\//, { status: 302, headers: { Location: '/login' } })
      await button('Retry now').click()
      await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor()
      await expectText(main, /You are signed out.*Your first attempt may have succeeded/)
      expect(await page.getByText('Nothing was changed').count()).toBe(0)
      expect((await read(id)).approvals).toHaveLength(1)
    })

    it('is not retried as another user', async () => {
      const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
      const { button, comment } = requestScreen(page)
      const end = host.refuse(state, { status: 503, name: 'UnavailableError' })
      await comment.fill('Fine with me.')
      await button('Approve').click()
      await button('Retry now').waitFor()
      await page.context().addCookies([{ name: 'person', value: 'dan', url: host.url() }])
      end()
      await button('Retry now').click()
      await expectText(accountMenu(page), 'Dan Roe')
      await until(async () => (await comment.inputValue()) === '', 'the comment is not shown to another user')
      expect((await read(id)).approvals).toEqual([])

      await show(page, 'hidden')
      await page.context().addCookies([{ name: 'person', value: 'ben', url: host.url() }])
      await show(page, 'visible')
      await expectText(accountMenu(page), 'Ben Ode')
      await until(async () => (await comment.inputValue()) === 'Fine with me.', 'the comment is there again')
    })
  })

  describe('a step whose screen is left while it is sent', () => {
    it('continues, and its outcome is shown on the next screen', async () => {
      const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
      const { button, state: shownState } = requestScreen(page)
      const inbox = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ })
      const bar = page.getByRole('status')
      const release = host.hold(state)
      await button('Approve').click()
      await button('Approving…').waitFor()
      await inbox.click()
      await expectText(bar, /Still sending.*The new checkout/)
      release()
      await expectText(bar, /Done.*The new checkout/)
      expect((await read(id)).approvals).toHaveLength(1)
      await page.getByRole('link', { name: 'Show' }).click()
      await expectText(shownState, /Approved/)

      const end = host.refuse(state, { status: 503, name: 'UnavailableError' })
      await button('Apply to production now').click()
      await button('Retry now').waitFor()
      await inbox.click()
      await expectText(bar, /Not sent yet/)
      await host.setState('ann', id, 'Cancelled')
      end()
      await expectText(bar, /The result is unknown.*#1 The new checkout/)
      await button('Close').last().click()
      await page.getByText('The result is unknown.').waitFor({ state: 'detached' })
    })

    it('is shown when the user returns before its end, and its text cannot be sent again', async () => {
      const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
      const { button, main, say } = requestScreen(page)
      const release = host.hold(/^POST .*\/comments/)
      await say.fill('Who tells support?')
      await button('Comment').last().click()
      await button('Sending…').waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
      await page.goBack()
      await expectText(page.getByRole('status'), /Still sending.*The new checkout/)
      expect(await say.inputValue()).toBe('Who tells support?')
      release()
      await main.getByRole('article').filter({ hasText: 'Who tells support?' }).waitFor()
      await until(async () => (await say.inputValue()) === '', 'the field is empty')
      await page.getByText('Still sending').waitFor({ state: 'detached' })

      const releaseSecond = host.hold(/^POST .*\/comments/)
      await say.fill('A second one.')
      await button('Comment').last().click()
      await button('Sending…').waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
      await page.goBack()
      await say.fill('A third one, not sent yet.')
      releaseSecond()
      await main.getByRole('article').filter({ hasText: 'A second one.' }).waitFor()
      await page.getByText('Still sending').waitFor({ state: 'detached' })
      await page.reload()
      await until(async () => (await say.inputValue()) === 'A third one, not sent yet.', 'the other text is kept')
      expect((await read(id)).comments).toHaveLength(2)
    })

    it('continues when its dialog is closed, and does not open another screen', async () => {
      const draft = await host.propose(enable('dark-mode'), 'Dark', 'fay')
      const page = await browser.visit({ ...host.as('fay', requestPath(draft)), behind: true })
      const { button, dialog } = requestScreen(page)
      const release = host.hold(/^DELETE /)
      await button('Discard…').click()
      await button('Discard the draft', dialog).click()
      await button('Discarding…', dialog).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
      release()
      await expectText(page.getByRole('status'), /Done.*Dark/)
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    })
  })

  describe('a rejection', () => {
    it('is not sent if another user has commented, shows why, and is sent on the next press', async () => {
      const cards = await host.inReview(enable('pay-by-card'), 'Cards', 'fay')
      const page = await browser.visit({ ...host.as('dan', requestPath(cards)), behind: true })
      const { button, dialog, main, state: shownState } = requestScreen(page)
      await button('Reject…').click()
      await dialog.getByRole('textbox').fill('Not before Friday.')
      await host.comment('ann', cards, 'Support knows of it.')
      await button(/^Reject/, dialog).click()
      await expectText(main, /nothing was changed.*voted or commented in the meantime/)
      expect(await host.stateOf(cards)).toBe('In review')
      await button(/^Reject/, dialog).click()
      await expectText(shownState, /Rejected/)
    })
  })

  describe('a comment', () => {
    it('is written once if the response was lost', async () => {
      const page = await browser.visit(host.as('ben', requestPath(id)))
      const { button, say, main } = requestScreen(page)
      const end = host.lose(/^POST .*\/comments/)
      await say.fill('Who tells support?')
      await button('Comment').last().click()
      await expectText(main, /Retrying is safe/)
      expect((await read(id)).comments).toHaveLength(1)
      const release = host.hold(/^POST .*\/comments/)
      end()
      await button('Retry now').click()
      release()
      await main.getByRole('article').filter({ hasText: 'Who tells support?' }).waitFor()
      await until(async () => (await say.inputValue()) === '', 'the field is empty')
      expect((await read(id)).comments).toHaveLength(1)
      const keys = host.received(/^POST .*\/comments/).map(({ headers }) => headers['idempotency-key'])
      expect(keys.length).toBeGreaterThan(1)
      expect(new Set(keys).size).toBe(1)
    })
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
