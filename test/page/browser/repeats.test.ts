import { show, useBrowser } from '../support/browser'
import { accountMenu } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { isOff, requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost
let id: number

beforeEach(async () => {
  host = await startHost()
  id = await host.inReview(enable('checkout'), 'The new checkout')
})
afterEach(() => host.close())

interface Discussion {
  readonly approvals: readonly unknown[]
  readonly comments: readonly { readonly text: string }[]
}

const read = () => host.call<Discussion>('ben', 'GET', requestPath(id))

describe('a step', () => {
  it('says at once that it is under way, and is not sent twice by two presses', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, state } = requestScreen(page)
    const width = (await button('Approve').boundingBox())?.width
    const release = host.hold(/^PUT .*\/state/)
    await button('Approve').click()
    const busy = button('Approving…')
    await busy.waitFor()
    expect(await busy.getAttribute('aria-busy')).toBe('true')
    expect(await isOff(busy)).toBe(true)
    expect((await busy.boundingBox())?.width).toBe(width)
    await busy.click({ force: true })
    release()
    await expectText(state, /Approved/)
    expect(host.received(/^PUT .*\/state/)).toHaveLength(1)
  })

  it('whose answer got lost is found done, and told as done', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, state } = requestScreen(page)
    await button('Approve').waitFor()
    host.loseOnce(/^PUT .*\/state/)
    await button('Approve').click()
    await page.getByText('You approved it').waitFor({ state: 'attached' })
    await expectText(state, /Approved/)
    await page.getByText(/nothing was changed/).waitFor({ state: 'detached' })
    expect((await read()).approvals).toHaveLength(1)
  })
})

describe('a step that is repeated', () => {
  const sending = /^PUT .*\/state/

  it('may have been done by its first try, whatever the repeat gets', async () => {
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, main } = requestScreen(page)
    host.lose(sending)
    await button('Approve').click()
    await button('Retry now').waitFor()
    expect(await page.getByText('No network').count()).toBe(0)
    host.answer(/\/api\/admin\//, { status: 302, headers: { Location: '/login' } })
    await button('Retry now').click()
    await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor()
    await expectText(main, /You are signed out.*Your first attempt may have succeeded/)
    expect(await page.getByText('Nothing was changed').count()).toBe(0)
    expect((await read()).approvals).toHaveLength(1)
  })

  it('is not repeated as another user', async () => {
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, comment } = requestScreen(page)
    const end = host.refuse(sending, { status: 503, name: 'UnavailableError' })
    await comment.fill('Fine with me.')
    await button('Approve').click()
    await button('Retry now').waitFor()
    await page.context().addCookies([{ name: 'person', value: 'dan', url: host.url() }])
    end()
    await button('Retry now').click()
    await expectText(accountMenu(page), 'Dan Roe')
    await until(async () => (await comment.inputValue()) === '', 'the comment is not shown to another user')
    expect((await read()).approvals).toEqual([])

    await show(page, 'hidden')
    await page.context().addCookies([{ name: 'person', value: 'ben', url: host.url() }])
    await show(page, 'visible')
    await expectText(accountMenu(page), 'Ben Ode')
    await until(async () => (await comment.inputValue()) === 'Fine with me.', 'the comment is there again')
  })
})

describe('a step whose screen is left while it is sent', () => {
  const sending = /^PUT .*\/state/

  it('goes on, and its outcome is shown on the next screen', async () => {
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, state } = requestScreen(page)
    const inbox = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ })
    const bar = page.getByRole('status')
    const release = host.hold(sending)
    await button('Approve').click()
    await button('Approving…').waitFor()
    await inbox.click()
    await expectText(bar, /Still sending.*The new checkout/)
    release()
    await expectText(bar, /Done.*The new checkout/)
    expect((await read()).approvals).toHaveLength(1)
    await page.getByRole('link', { name: 'Show' }).click()
    await expectText(state, /Approved/)

    const end = host.refuse(sending, { status: 503, name: 'UnavailableError' })
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

  it('is shown where one comes back before its end, and its text is not there to be sent again', async () => {
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
    expect((await read()).comments).toHaveLength(2)
  })

  it('goes on when its window is closed, and does not take the viewer to another screen', async () => {
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
  it('before which another user commented rejects nothing, shows why, and the next press counts', async () => {
    const cards = await host.inReview(enable('pay-by-card'), 'Cards', 'fay')
    const page = await browser.visit({ ...host.as('dan', requestPath(cards)), behind: true })
    const { button, dialog, main, state } = requestScreen(page)
    await button('Reject…').click()
    await dialog.getByRole('textbox').fill('Not before Friday.')
    await host.comment('ann', cards, 'Support knows of it.')
    await button(/^Reject/, dialog).click()
    await expectText(main, /nothing was changed.*voted or commented in the meantime/)
    expect(await host.stateOf(cards)).toBe('In review')
    await button(/^Reject/, dialog).click()
    await expectText(state, /Rejected/)
  })
})

describe('a comment', () => {
  it('whose answer got lost is written once', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, say, main } = requestScreen(page)
    const end = host.lose(/^POST .*\/comments/)
    await say.fill('Who tells support?')
    await button('Comment').last().click()
    await expectText(main, /Retrying is safe/)
    expect((await read()).comments).toHaveLength(1)
    const release = host.hold(/^POST .*\/comments/)
    end()
    await button('Retry now').click()
    release()
    await main.getByRole('article').filter({ hasText: 'Who tells support?' }).waitFor()
    await until(async () => (await say.inputValue()) === '', 'the field is empty')
    expect((await read()).comments).toHaveLength(1)
    const keys = host.received(/^POST .*\/comments/).map(({ headers }) => headers['idempotency-key'])
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
  })
})
