import type { Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
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
