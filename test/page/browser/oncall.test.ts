import type { Page } from 'playwright-core'
import type { ReviewView } from '../../../src/generated'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

const flagPath = '/projects/default/flags/new-search?environment=production'
const created = /^POST .*(change-requests|revert) application/
const stated = /^PUT .*\/state/
const copied = /^POST .*\/copy/
const because = 'Nobody finds anything since 10:40.'
const phone = { viewport: { width: 360, height: 640 } }

const screenOf = (page: Page) => ({
  page,
  ...requestScreen(page),
  title: page.getByRole('heading', { level: 1 }),
  reason: page.getByRole('dialog').getByLabel('Reason'),
})

/** The window that switches new-search off. */
async function openSwitchOff(who: PersonName, behind = false) {
  const screen = screenOf(await browser.visit({ ...host.as(who, flagPath), behind }))
  await screen.button('Switch off now…').click()
  await screen.reason.waitFor()
  return screen
}

/** The window that reverts a change request. */
async function openRevert(who: PersonName, id: number) {
  const screen = screenOf(await browser.visit(host.as(who, requestPath(id))))
  await screen.button('Revert now…').click()
  await screen.reason.waitFor()
  return screen
}

const applied = async (...changes: Parameters<PageHost['changeFlags']>) => {
  const id = await host.approved(changes, 'A new thing', 'noa')
  await host.setState('ben', id, 'Applied')
  return id
}

const reviewOf = (id: number) => host.call<ReviewView>('cara', 'GET', `${requestPath(id)}/review`)
const isOn = async (feature = 'new-search') => (await host.place(feature)).enabled

describe('on call', () => {
  it('"Switch off now…" says what will be different, and applies it in an emergency with a reason', async () => {
    const { dialog, reason, button, main, title } = await openSwitchOff('cara')
    await expectText(dialog, /new-search on → off for everybody/)
    await expectText(dialog, /nobody else reviews it[\s\S]*You skip minimum: 0 of 1 approvals/)
    expect(await dialog.locator('.hazard').count()).toBe(1)
    await expectOff(button('Apply in emergency'))
    await reason.fill('Too short')
    await expectOff(button('Apply in emergency'))
    await reason.fill(because)
    await button('Apply in emergency').dblclick()
    await expectText(main, /Applied without approval: needs acknowledgement/)
    await expectText(main, because)
    await expectText(title, /new-search: on → off for everybody/)
    expect(await isOn()).toBe(false)
    expect((await reviewOf(1)).emergency).toMatchObject({ reason: because, acknowledgedBy: null })
    expect([host.received(created).length, host.received(stated).length]).toEqual([1, 1])
  })

  it('without the permission, it says what is missing, and is sent to review with the reason', async () => {
    const { dialog, reason, button, state, main } = await openSwitchOff('ann')
    await expectText(dialog, /Missing to apply it in an emergency[\s\S]*You need the permission SKIP_CHANGE_REQUEST/)
    await expectText(dialog, /It will need[\s\S]*0 of 1/)
    expect(await button('Apply in emergency').count()).toBe(0)
    await reason.fill(because)
    await button('Send to review').click()
    await expectText(state, /In review/)
    await expectText(main, because)
    expect(await isOn()).toBe(true)
  })

  it('"Revert now…" reverts what can be reverted, during a freeze and from a phone, too', async () => {
    await host.close()
    host = await startHost({ freezes: [{ name: 'Sale', reason: 'No changes now', from: '2020-01-01T00:00:00Z' }] })
    const ids = await host.propose([enable('dark-mode'), roll('checkout', 'checkout-half', '80')], 'Dark', 'cara')
    const emergency = { reason: 'It has to be dark tonight.' }
    await host.setState('cara', ids, 'Applied', { emergency })
    await host.changeFlags(roll('checkout', 'checkout-half', '90'))
    const { page, dialog, reason, button, main } = await openRevert('cara', ids)
    await page.setViewportSize(phone.viewport)
    await expectText(dialog, /checkout 90.% → 50.% of everybody/)
    await expectText(dialog, /Sale: No changes now/)
    await reason.fill(because)
    await button('Apply in emergency').click()
    await expectText(main, /Applied without approval: needs acknowledgement/)
    await expectText(main, `Reverts #${ids}`)
    expect(await isOn('dark-mode')).toBe(false)
  })

  it('a revert leaves out what is irreversible, and can be saved as a draft', async () => {
    const id = await applied(enable('dark-mode'), { action: 'archiveFeature', feature: 'checkout', payload: {} })
    const { dialog, button, state, title } = await openRevert('noa', id)
    await expectText(dialog, /Can't be reverted, and stays as it is[\s\S]*checkout/)
    await button('Save as draft').click()
    await expectText(state, /Draft/)
    await expectText(title, /Revert "A new thing"/)
  })

  it('explains to those who cannot propose why they cannot revert, and offers nothing where the flag is off', async () => {
    const id = await applied(enable('dark-mode'))
    const page = await browser.visit(host.as('eve', requestPath(id)))
    const { main } = requestScreen(page)
    await main.getByText('Other steps').click()
    await expectText(main, /You need the permission CREATE_CHANGE_REQUEST/)
    const enabled = main.locator('button:not([aria-disabled=true])', { hasText: 'Revert now…' })
    expect(await enabled.count()).toBe(0)
    await host.changeFlags(enable('new-search', false))
    const flag = await browser.visit(host.as('ann', flagPath))
    await flag.getByRole('switch', { name: 'Flag in production' }).waitFor()
    expect(await flag.getByRole('button', { name: 'Switch off now…' }).count()).toBe(0)
  })

  it('says if it was switched off meanwhile', async () => {
    const { dialog, reason, button } = await openSwitchOff('cara', true)
    await host.changeFlags(enable('new-search', false))
    await reason.fill(because)
    await button('Apply in emergency').click()
    await expectText(dialog, /It is off already/)
    expect(host.received(stated)).toHaveLength(0)
  })

  it('waits while the flags cannot be read', async () => {
    const accept = host.refuse(/^POST .*\/preview/, { status: 503, name: 'UnavailableError', retryAfter: '1' })
    const { dialog, reason, button } = await openSwitchOff('cara')
    await expectText(dialog, /the server is unavailable or busy/)
    await reason.fill(because)
    await expectOff(button('Send to review'))
    accept()
    await button('Try again', dialog).click()
    await expectOff(button('Apply in emergency'), false)
  })
})

describe('an own open request', () => {
  let own: number

  beforeEach(async () => {
    own = await host.inReview(enable('dark-mode'), 'Dark for all', 'cara')
    await host.call('cara', 'PUT', `${requestPath(own)}/approvers`, { reviewers: [2, 4] })
    await host.setState('ben', own, 'Approved')
  })

  it('is cancelled first, which the window says beforehand, and offered again afterwards', async () => {
    const { page, dialog, reason, button, state, main, title } = await openSwitchOff('cara')
    await expectText(dialog, new RegExp(`Your open change request #${own} is cancelled first`))
    await expectText(dialog, /Dark for all[\s\S]*It loses its 1 approval and reviewers\. You can propose it again/)
    expect(await host.stateOf(own)).toBe('Approved')
    await reason.fill(because)
    await button('Apply in emergency').click()
    await expectText(main, /Applied without approval: needs acknowledgement/)
    expect([await host.stateOf(own), await isOn(), await isOn('dark-mode')]).toEqual(['Cancelled', false, false])
    await page.reload()
    const refused = host.refuse(copied, { status: 409, name: 'ConflictError' })
    await button(`Propose #${own} again`).click()
    await expectText(main, /Not possible now/)
    refused()
    await button(`Propose #${own} again`).click()
    await expectText(title, /Copy of "Dark for all"/)
    await expectText(state, /Draft/)
  })

  it('is offered again once the other one is closed, if that waits for a review', async () => {
    const { reason, button, state, main } = await openSwitchOff('cara')
    await reason.fill(because)
    await button('Send to review').click()
    await expectText(state, /In review/)
    await expectText(main, new RegExp(`You can propose #${own} again once this one is closed`))
    expect(await button(`Propose #${own} again`).count()).toBe(0)
    await host.setState('ben', own + 1, 'Rejected')
    await button(`Propose #${own} again`).waitFor()
  })

  it('does not prevent a revert', async () => {
    const id = await applied(roll('new-search', 'new-search-few', '9'))
    const { dialog, button, state } = await openRevert('cara', id)
    await expectText(dialog, new RegExp(`Your open change request #${own} is cancelled first`))
    await button('Send to review').click()
    await expectText(state, /In review/)
    expect(await host.stateOf(own)).toBe('Cancelled')
  })

  it('each call that fails leaves the others to be sent', async () => {
    const { dialog, reason, button, main } = await openSwitchOff('cara')
    await reason.fill(because)
    let accept = host.refuse(stated, { status: 409, name: 'ConflictError' })
    await button('Apply in emergency').click()
    await expectText(dialog, /Not possible now/)
    expect([await host.stateOf(own), host.received(created).length]).toEqual(['Approved', 0])
    accept()

    accept = host.refuse(created, { status: 400, name: 'BadDataError' })
    await button('Apply in emergency').click()
    await expectText(dialog, new RegExp(`#${own} is cancelled, and nothing else was done yet`))
    await expectText(dialog, /The step failed/)
    await button(`Propose #${own} again`, dialog).waitFor()
    expect(await host.stateOf(own)).toBe('Cancelled')
    accept()

    accept = host.refuse(stated, { status: 409, name: 'ConflictError' })
    await button('Try again', dialog).click()
    await expectText(main, /It is not applied yet/)
    expect(await isOn()).toBe(true)
    accept()
    await button('Try again', main).click()
    await expectText(main, /Applied without approval: needs acknowledgement/)
    await button(`Propose #${own} again`).waitFor()
    const writes = host.requests.filter(({ line }) => /^(POST|PUT) (?!.*preview)/.test(line))
    expect(writes.map(({ line }) => line.split(' ')[0])).toEqual(['PUT', 'PUT', 'POST', 'POST', 'PUT', 'PUT', 'PUT'])
  })

  it('each call whose response is lost is done once', async () => {
    const { page, reason, button, main } = await openSwitchOff('cara')
    await reason.fill(because)
    for (const lost of [stated, created]) host.loseOnce(lost)
    await button('Apply in emergency').click()
    await expectText(main, /Applied without approval: needs acknowledgement/)
    host.loseOnce(copied)
    await button(`Propose #${own} again`).click()
    await page.waitForURL(`**${requestPath(own + 2)}`)
    expect(await host.stateOf(own + 2)).toBe('Draft')
    const { reviews } = await host.call<{ reviews: unknown[] }>('cara', 'GET', '/reviews?needs=mine')
    expect(reviews).toHaveLength(3)
  })

  it('is not cancelled again if it is unknown whether the other one was created', async () => {
    const { dialog, reason, button, main } = await openSwitchOff('cara')
    await reason.fill(because)
    const end = host.answer(created, { status: 200, isCarriedOut: true })
    await button('Apply in emergency').click()
    await expectText(dialog, /The result is unknown/)
    expect(await dialog.getByText(/is cancelled first/).count()).toBe(0)
    end()
    await button('Apply in emergency').click()
    await expectText(main, /Applied without approval: needs acknowledgement/)
    expect((await reviewOf(own + 1)).state).toBe('Applied')
    expect(new Set(host.received(created).map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('is not lost if the session ends between the calls', async () => {
    const { page, dialog, reason, button, state } = await openSwitchOff('cara')
    await reason.fill(because)
    host.before(created, () => host.endSession('cara'))
    await button('Send to review').click()
    await until(() => host.received(created).length === 1, 'the change request was to be created')
    await page.getByText('You are signed out').first().waitFor()
    host.beginSession('cara')
    await page.goto(host.url(flagPath))
    await button('Switch off now…').click()
    await expectText(dialog, new RegExp(`#${own} is cancelled, and nothing else was done yet`))
    expect(await reason.inputValue()).toBe(because)
    await button('Send to review').click()
    await expectText(state, /In review/)
  })

  it('is found on the way, if another tab opened it meanwhile', async () => {
    await host.setState('cara', own, 'Cancelled')
    const { dialog, button, state } = await openSwitchOff('cara', true)
    await expectOff(button('Send to review'), false)
    const other = await host.propose(enable('dark-mode'), 'Dark again', 'cara')
    await button('Send to review').click()
    await expectText(dialog, new RegExp(`Your open change request #${other} is cancelled first`))
    expect(await host.stateOf(other)).toBe('Draft')
    await button('Send to review').click()
    await expectText(state, /In review/)
    expect(await host.stateOf(other)).toBe('Cancelled')
  })
})

describe('from a cold open on a phone, at most 4 taps lead to', () => {
  const visit = async () => {
    const page = await browser.visit({ ...host.as('cara'), ...phone, hasTouch: true, isMobile: true })
    let taps = 0
    const tap = async (role: 'button' | 'link' | 'option', name: string | RegExp) => {
      await page.getByRole(role, { name }).filter({ visible: true }).first().tap()
      taps += 1
    }
    return { page, tap, taps: () => taps }
  }

  it('"Switch off now…"', async () => {
    const { page, tap, taps } = await visit()
    await tap('link', 'Propose a change')
    await page.getByRole('combobox', { name: 'Flag' }).waitFor()
    await page.keyboard.type('new-s')
    await tap('option', 'new-search')
    await tap('button', 'Switch off now…')
    await expectText(page.getByRole('dialog'), /new-search on → off for everybody/)
    expect(taps()).toBeLessThanOrEqual(4)
  })

  it('"Revert now…"', async () => {
    await applied(enable('dark-mode'))
    const { page, tap, taps } = await visit()
    await tap('link', /^All/)
    await tap('link', 'A new thing')
    await tap('button', 'Revert now…')
    await expectText(page.getByRole('dialog'), /on → off for everybody/)
    expect(taps()).toBeLessThanOrEqual(4)
  })
})
