import type { Page } from 'playwright-core'
import { findings } from '../support/axe'
import { show, useBrowser } from '../support/browser'
import { expectFocus } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { roll } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
const state = /^PUT .*\/state/
let host: PageHost
let id: number

beforeEach(async () => {
  host = await startHost()
  id = await host.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
})
afterEach(() => host.close())

/** Ben at the change request, in a tab that receives no events. */
async function openUnheard(): Promise<Page> {
  const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
  await requestScreen(page).comment.fill('Fine with me.')
  return page
}

async function edit(rollout: string): Promise<void> {
  const request = await host.call<{ features: { changes: { id: number }[] }[] }>('ann', 'GET', requestPath(id))
  const change = request.features[0]?.changes[0]?.id
  await host.call('ann', 'PUT', `${requestPath(id)}/changes/${change}`, roll('checkout', 'checkout-half', rollout))
}

const approvals = async () =>
  (await host.call<{ approvals: unknown[] }>('ben', 'GET', requestPath(id))).approvals.length

describe('a rejected request', () => {
  it('412: shows that nothing was done, keeps the comment, and allows a vote once the change is seen', async () => {
    const page = await openUnheard()
    const { button, comment, main, state } = requestScreen(page)
    await edit('100')
    await button('Approve').click()
    await expectText(page.locator('body'), /nothing was changed/i)
    await expectOff(button('Approve'))
    expect(await approvals()).toBe(0)
    expect(await comment.inputValue()).toBe('Fine with me.')

    await button('Show what changed').first().click()
    await expectText(main, /100.%/)
    await button('Approve').click()
    await expectText(state, /Approved/)
    expect(await approvals()).toBe(1)
  })

  it('409: lists the missing requirements at the step', async () => {
    await host.setState('ben', id, 'Approved')
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, main } = requestScreen(page)
    await button('Apply to production now').waitFor()
    await host.changeFlags({ action: 'deleteStrategy', feature: 'checkout', payload: { id: 'checkout-half' } })
    await button('Apply to production now').click()
    await expectText(main, /Not possible now/)
    await expectText(main, /checkout.*Strategy has been deleted/i)
    expect(await button(/^Apply/).count()).toBe(0)
    expect(await host.stateOf(id)).toBe('Approved')
  })

  it('403: names the permission and the environment; the focus and the comment are kept', async () => {
    const page = await openUnheard()
    const { button, main } = requestScreen(page)
    host.take('ben', 'APPROVE_CHANGE_REQUEST')
    await button('Approve').press('Enter')
    await expectText(main, /You can't approve/)
    await expectText(main, /APPROVE_CHANGE_REQUEST in project default and environment production/)
    await button('Approve').waitFor({ state: 'detached' })
    await expectFocus(page.getByRole('region', { name: 'Next step' }))
    const kept = page.getByRole('textbox', { name: 'Your comment, not sent yet' })
    expect(await kept.inputValue()).toBe('Fine with me.')
  })

  it('no network: shows the time of the data, keeps texts, and continues by itself', async () => {
    const page = await openUnheard()
    const { button, comment, state: shownState } = requestScreen(page)
    await page.context().setOffline(true)
    await button('Approve').click()
    await expectText(page.locator('body'), /No network/)
    await expectText(page.locator('body'), /You see what was true at \d/)
    await expectText(page.getByRole('banner'), /Offline/)
    expect(await comment.inputValue()).toBe('Fine with me.')
    await page.context().setOffline(false)
    await expectText(shownState, /Approved/)
    expect(await approvals()).toBe(1)
  })
})

describe('a response that is not from the router', () => {
  const json = { 'Content-Type': 'application/json' }
  const others = [
    { status: 204, headers: { ETag: '"1-9"' } },
    { status: 200, headers: { ...json, ETag: '"1-9"' }, body: '{"id":2,"username":"ben","groups":[]}' },
    { status: 500, headers: { 'Content-Type': 'text/html' }, body: '<h1>Internal error</h1>' },
  ]

  it('is no approval: a read shows whether it is stored', async () => {
    const page = await openUnheard()
    const { button, comment, main, state: shownState } = requestScreen(page)
    for (const other of others) {
      const end = host.answer(state, other)
      await button('Approve').click()
      await expectText(main, /The result is unknown.*your step is not there/)
      expect(await page.getByText('You approved it').count()).toBe(0)
      expect([await approvals(), await comment.inputValue()]).toEqual([0, 'Fine with me.'])
      await button('Close', main).click()
      end()
    }
    host.answer(state, { status: 200, isCarriedOut: true })
    await button('Approve').click()
    await expectText(shownState, /Approved/)
    await page.getByText('You approved it').waitFor({ state: 'attached' })
    expect(await page.getByText('The result is unknown').count()).toBe(0)
    expect(await approvals()).toBe(1)
  })

  it('is no comment and no discarded draft, for which the router sends no body', async () => {
    const draft = await host.propose(roll('checkout', 'checkout-half', '60'), 'A draft', 'fay')
    const page = await browser.visit({ ...host.as('fay', requestPath(draft)), behind: true })
    const { button, dialog, main, say } = requestScreen(page)
    await say.fill('Who tells support?')
    const end = host.answer(/^(POST .*\/comments|DELETE) /, { status: 200 })
    await button('Comment').last().click()
    await expectText(main, /The result is unknown.*Your comment is kept/)
    expect(await say.inputValue()).toBe('Who tells support?')
    await button('Discard…').click()
    await button('Discard the draft', dialog).click()
    await expectText(dialog, /The result is unknown/)
    end()
    const endOfAll = host.answer(/\/api\/admin\/projects\//, { status: 404, body: 'default backend - 404' })
    await button('Discard the draft', dialog).click()
    await expectText(dialog, /The step failed.*returned 404, and no JSON/)
    expect(await page.getByText(/no longer exists|Not found/).count()).toBe(0)
    endOfAll()
    await button('Discard the draft', dialog).click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  })

  it('is no saved setting', async () => {
    const page = await browser.visit({ ...host.as('cara', '/settings?project=default'), behind: true })
    const { main, button } = requestScreen(page)
    host.answer(/^PUT .*\/config /, { status: 204 })
    const more = button('One more').first()
    await more.click()
    await expectText(main, /The result is unknown/)
    host.answer(/^GET .*\/config /, { status: 403 })
    await more.click()
    await expectText(main, /Could not read/)
    await expectText(main, /The result is unknown/)
    expect(await page.getByText(/^Saved/).count()).toBe(0)
  })

  it('is no content: the screen shows that it could not be read', async () => {
    const endOfLoss = host.lose(/\/review /)
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), behind: true })
    const { button, main, state: shownState } = requestScreen(page)
    await expectText(main, /Reconnecting.*Retrying in/)
    expect(await page.getByText('No network').count()).toBe(0)
    const end = host.answer(/\/review /, { status: 200, headers: json, body: '{"status":"ok"}' })
    endOfLoss()
    await button('Try again').click()
    await expectText(main, /Could not read the change request.*returned 200, but not a response of the router/)
    end()
    await button('Try again').click()
    await expectText(shownState, /In review/)
  })
})

describe('a screen whose data cannot be read', () => {
  it('shows the error while the server is busy, and the data after a retry', async () => {
    const page = await browser.visit(host.as('ben', '/no/such/place'))
    const { main, button } = requestScreen(page)
    for (const [path, fits, shown] of [
      ['', /\/reviews/, /More checkout/],
      [requestPath(1), /\/review /, /More checkout/],
      ['/log', /\/search\/events\?/, /requested a review/],
      ['/settings?project=default', /\/config/, /Approvals needed/],
    ] as const) {
      const end = host.refuse(fits, { status: 503, name: 'UnavailableError' })
      await page.goto(host.url(path))
      await expectText(main, /Reconnecting.*Retrying in/)
      const release = host.hold(fits)
      end()
      await button('Try again').first().click()
      release()
      await expectText(main, shown)
    }
  })
})

describe('a change request whose flags cannot be read', () => {
  let failing: PageHost
  let found: number
  let isDown = false
  beforeEach(async () => {
    isDown = false
    failing = await startHost({
      flags: (gateway) => ({
        ...gateway,
        current: async (...args) => (isDown ? Promise.reject(new Error('down')) : gateway.current(...args)),
      }),
    })
    found = await failing.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
  })
  afterEach(() => failing.close())

  const notice = (page: Page) => page.getByRole('heading', { name: "Flags can't be read now" })
  const poll = async (page: Page) => {
    await show(page, 'hidden')
    await show(page, 'visible')
  }

  it('says so once, with the reason at the steps, and compares as soon as they can be read', async () => {
    isDown = true
    const page = await browser.visit(failing.as('ben', requestPath(found)))
    const { button, main } = requestScreen(page)
    await notice(page).waitFor()
    await expectText(main, /unknown/)
    await expectText(main, /It can be approved and applied once flags can be read again\./)
    expect(await button(/^(Approve|Apply|Schedule)/).count()).toBe(0)
    await requestScreen(page).otherSteps.click()
    const reason = page.getByText('The current flags could not be read (flags.current). Try again.')
    await reason.waitFor()
    expect(await reason.count()).toBe(1)
    expect(await findings(page)).toEqual([])

    isDown = false
    await poll(page)
    await notice(page).waitFor({ state: 'detached' })
    await expectText(main, /50.%.*75.%/)
    await button('Approve').waitFor()
    isDown = true
    await poll(page)
    await notice(page).waitFor()
    await expectText(main, /50.%.*75.%/)
    expect(await page.getByText(/changed while you looked/).count()).toBe(0)
  })

  it.each([
    ['the revision alone, although the flags were read before', false],
    ['the revision alone', true],
  ])('is discussed and rejected with %s', async (_, isDownAtFirst) => {
    isDown = isDownAtFirst
    const page = await browser.visit(failing.as('ben', requestPath(found)))
    const { button, dialog, main, say, state: shownState } = requestScreen(page)
    await button('Reject…').first().waitFor()
    isDown = true
    await poll(page)
    await notice(page).waitFor()
    await say.fill('The flags are down.')
    await button('Comment').last().click()
    await main.getByRole('article').filter({ hasText: 'The flags are down.' }).waitFor()
    const sent = page.waitForRequest((one) => state.test(`${one.method()} ${one.url()}`))
    await button('Reject…').first().click()
    await button(/^Reject/, dialog).click()
    const request = await sent
    expect(request.postDataJSON()).toEqual({ state: 'Rejected' })
    expect(await request.headerValue('If-Match')).toMatch(/^"?\d+-\d+"?$/)
    await expectText(shownState, /Rejected/)
  })
})
