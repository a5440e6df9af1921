import type { Page } from 'playwright-core'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { expectFocus, tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { proposeMany } from '../support/large'
import { requestPath, requestScreen } from '../support/request-screen'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost
let id: number

beforeAll(async () => {
  host = await startHost()
  id = await proposeMany(host)
})
afterAll(() => host.close())

const group = (page: Page, name: RegExp) => page.getByRole('article', { name })

describe('a change request with 500 changes', () => {
  it('shows equal effects as one row, in at most 3,000 nodes', async () => {
    const start = performance.now()
    const page = await browser.visit(host.as('ben', requestPath(id)))
    await expectText(group(page, /in 180 flags$/), /Enabled: off → on/)
    process.stdout.write(`500 changes: usable after ${Math.round(performance.now() - start)} ms\n`)
    await expectText(group(page, /in 148 flags$/), /Strategy.*25.% → 75.% of everybody.*148 changes/)
    await expectText(group(page, /in 100 flags$/), /adds gradual rollout for 10.% of everybody/)
    await expectText(group(page, /in 70 flags$/), /strategy “.*” deleted/)
    await expectText(group(page, /in 180 flags$/), /1 unresolved comment/)
    await expectText(group(page, /^flag-b-010$/), /Overwrites/)
    await expectText(group(page, /^flag-b-020$/), /Conflict/)
    await expectText(page.getByRole('region', { name: 'Activity' }), /Is it ready/)
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThanOrEqual(3_000)
    expect(await findings(page)).toEqual([])
  })

  it('unfolds to its flags by keyboard', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const rolled = group(page, /in 148 flags$/)
    await tabTo(rolled.getByRole('button', { name: 'Expand' }))
    await page.keyboard.press('Enter')
    const first = group(page, /^flag-b-000$/)
    await tabTo(first.getByRole('button', { name: 'Expand' }))
    await page.keyboard.press('Enter')
    await expectText(first, /Rollout.*25.%.*75.%/)
    const more = rolled.getByRole('button', { name: 'Show 25 more of 123' })
    await more.focus()
    await page.keyboard.press('Enter')
    await expectFocus(group(page, /^flag-b-027$/))
    await page.keyboard.press('n')
    await expectFocus(group(page, /^flag-b-028$/))
    await page.keyboard.press('p')
    await page.keyboard.press('p')
    await expectFocus(group(page, /^flag-b-026$/))
  })

  it('is filtered by flags and kinds of changes', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const filter = page.getByRole('searchbox', { name: 'Filter changes' })
    const status = page.getByRole('search').locator('xpath=following-sibling::*[@role="status"]')
    await filter.fill('flag-a-01')
    await expectText(status, '10 of 500')
    await expectText(group(page, /in 10 flags$/), /Enabled/)
    await filter.fill('deleted')
    await expectText(status, '70 of 500')
    await filter.fill('strategy 099')
    await expectText(status, '2 of 500')
    await group(page, /^flag-c-099$/).waitFor()
    await filter.fill('nothing like it')
    await expectText(status, '0 of 500')
  })

  it('unfolds the change that a comment links to, with any filter', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    await page.getByRole('searchbox', { name: 'Filter changes' }).fill('flag-d')
    await group(page, /in 180 flags$/).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /flag-a-007/ }).click()
    const about = group(page, /^flag-a-007$/)
    await expectText(about, /Switched on/)
    await expectFocus(about.locator('[data-change]'))
  })

  it('can be unfolded completely, and folded again', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button } = requestScreen(page)
    await button('Expand all').click()
    // In short tasks, one after the other.
    await page.locator('[data-change]').nth(499).waitFor()
    await button('Collapse all').click()
    await page.locator('[data-change]').first().waitFor({ state: 'detached' })
  })
})
