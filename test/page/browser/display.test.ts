import type { Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

async function scheduleDialog(options: object) {
  const id = await host.approved(enable('checkout'), 'The new checkout')
  const page = await browser.visit({ ...host.as('ben', requestPath(id)), ...options })
  const screen = requestScreen(page)
  await screen.button('Schedule…').first().click()
  await screen.dialog.getByLabel('Day').waitFor()
  return { page, ...screen }
}

describe('the time of a schedule', () => {
  const inOslo = { timezoneId: 'Europe/Oslo', now: '2026-03-01T12:00:00Z' }

  it('that occurs twice can be chosen', async () => {
    const { dialog } = await scheduleDialog(inOslo)
    await dialog.getByLabel('Day').fill('2026-10-25')
    await dialog.getByLabel('Time', { exact: true }).fill('02:30')
    await expectText(dialog, /The clocks go back: this time occurs twice/)
    await expectText(dialog.locator('#runs'), /00:30/)
    await dialog.getByRole('button', { name: '02:30 UTC+1' }).click()
    await expectText(dialog.locator('#runs'), /01:30/)
  })

  it('that is skipped cannot be chosen', async () => {
    const { dialog, button } = await scheduleDialog(inOslo)
    await dialog.getByLabel('Day').fill('2026-03-29')
    await dialog.getByLabel('Time', { exact: true }).fill('02:30')
    await expectText(dialog, /The clocks go forward: this time does not exist/)
    expect(await button('Schedule…', dialog).getAttribute('aria-disabled')).toBe('true')
  })
})

describe('a freeze', () => {
  // The host lists no freeze that is over by its own clock.
  const now = '2999-01-06T12:00:00Z'
  const sale = { name: 'Sale', reason: 'Sales', from: '2020-01-01T00:00:00Z', until: '2999-01-07T07:30:00Z' }
  const other = { ...sale, name: 'Search', when: { features: ['search'] } }

  it('is shown on the change request, and its times cannot be chosen', async () => {
    const frozen = await startHost({ freezes: () => [sale, other] })
    const id = await frozen.approved(enable('checkout'), 'The new checkout')
    const page = await browser.visit({ ...frozen.as('ben', requestPath(id)), timezoneId: 'Europe/Oslo', now })
    const { dialog, button } = requestScreen(page)
    await button('Schedule…').first().click()
    await expectText(dialog, /Wed, 1 Jan 2020, 01:00 – Mon 7 Jan, 08:30: Sale \(Sales\)/)
    expect(await dialog.getByText('Search').count()).toBe(0)
    await button('Tomorrow 07:00 (freeze)', dialog).click()
    await expectText(dialog, /That time is in a freeze. Choose another./)
    await expectOff(button(/^Schedule for/, dialog))
    await button('Monday 09:00', dialog).click()
    await expectOff(button(/^Schedule for/, dialog), false)
    await frozen.close()
  })

  it('in force now is announced with its end and its reason', async () => {
    const frozen = await startHost({ freezes: [sale] })
    const id = await frozen.approved(enable('checkout'), 'The new checkout')
    const page = await browser.visit({ ...frozen.as('ben', requestPath(id)), timezoneId: 'Europe/Oslo' })
    const { main, button } = requestScreen(page)
    await expectText(main, /Frozen until Mon, 7 Jan 2999, 08:30/)
    await expectText(main, /The freeze "Sale" in production lasts until/)
    await expectOff(button('Apply now'))
    await frozen.close()
  })
})

describe('forced colours', () => {
  const colour = (page: Page, selector: string, pseudo = '') =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(pseudo)}).backgroundColor`,
    )

  it('show the chosen tab and the knob of a switch', async () => {
    const page = await browser.visit(host.as('cara'))
    await page.emulateMedia({ forcedColors: 'active' })
    await page.getByRole('link', { name: /^All/ }).waitFor()
    expect(await colour(page, '.tabs [aria-current]')).not.toBe(await colour(page, '.tabs a:not([aria-current])'))
    expect(await colour(page, '.nav [aria-current]', '::after')).not.toBe(await colour(page, '.top'))
    await page.goto(host.url('/settings?project=default'))
    await page.getByRole('switch').first().waitFor()
    expect(await colour(page, '.knob', '::after')).not.toBe(await colour(page, '.knob'))
  })
})

describe('a day without events', () => {
  it('is not headed with another day', async () => {
    await host.inReview(enable('checkout'), 'The new checkout')
    const today = new Date().toISOString().slice(0, 10)
    const page = await browser.visit(host.as('ben', `/log?from=${today}&to=${today}`))
    const events = page.getByRole('region', { name: 'Events', exact: true })
    const day = await events.getByRole('heading').first().textContent()
    await page.keyboard.press('[')
    await events.getByRole('heading', { name: 'No event fits these filters' }).waitFor()
    expect(await events.getByRole('heading').first().textContent()).not.toBe(day)
  })
})
