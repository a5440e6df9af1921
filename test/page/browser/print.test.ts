import type { Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { proposeMany } from '../support/large'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

/** The visible controls. */
const controls = `[...document.querySelectorAll('button, input, select, textarea, summary, nav, [role=tab], .dock, .top')]
  .filter((one) => one.checkVisibility() && !one.matches('summary'))
  .map((one) => one.outerHTML.slice(0, 80))`

const colours = (page: Page) =>
  page.evaluate<string[]>(`['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])`)

interface Discussed {
  readonly discussion: readonly { readonly id: number }[]
}

describe('a change request on paper', () => {
  it('has all comments and decisions, black on white, and no controls', async () => {
    const changes = [enable('pay-by-card'), roll('pay-by-card', 'pay-by-card-few', '75')]
    const id = await host.inReview(changes, 'Cards for many')
    await host.comment('ann', id, 'Support knows of it.')
    await host.call('ann', 'PUT', `${requestPath(id)}/comments/1/resolution`, { resolved: true })
    await host.setState('ben', id, 'Approved')
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), colorScheme: 'dark' })
    const { main } = requestScreen(page)
    await page
      .getByRole('region', { name: 'Activity' })
      .getByRole('button', { name: /^Events/ })
      .click()
    expect(await page.evaluate<string[]>(controls)).not.toEqual([])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expectText(main, 'Cards for many')
    for (const said of [
      /by Ann Lee/,
      /In review/,
      /Switched on/,
      /Rollout.*75/,
      /payments owners/,
      /You approved/,
      /Support knows of it/,
      /requested a review/,
    ]) {
      await expectText(main, said)
    }
    const { revision, digest, discussion } = await host.call<Record<'revision' | 'digest', string> & Discussed>(
      'ben',
      'GET',
      `${requestPath(id)}/review`,
    )
    const record = page.getByRole('region', { name: 'Record' })
    for (const said of [
      `#${id} of default, production`,
      revision,
      digest,
      'minimum: 1 of 1',
      'payments owners: 0 of 1',
      'Ben Ode (user 2) approved 20',
      `${discussion[0]?.id}: Ann Lee (user 1)`,
      'change-request-approval-added',
      'by Ben Ode (user 2)http',
    ]) {
      await expectText(record, said)
    }
    // Folded on the screen, because it is resolved.
    await page.getByText('Support knows of it.').waitFor()
    expect(await page.evaluate<string[]>(controls)).toEqual([])
    expect(await colours(page)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.change')).breakInside`)).toBe('avoid')
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await requestScreen(page).button('Schedule…').first().waitFor()
    expect(await colours(page)).not.toContain('rgb(255, 255, 255)')
  })

  it('has all 100 changes with any filter, and is folded again afterwards', async () => {
    const large = await startHost()
    const id = await proposeMany(large, 0.2)
    const page = await browser.visit(large.as('ben', requestPath(id)))
    await page.getByRole('searchbox', { name: 'Filter changes' }).fill('flag-d')
    await page.getByRole('article', { name: /in 14 flags$/ }).waitFor()
    await expectText(page.getByRole('region', { name: 'Activity' }), /added 100 changes/)
    await page.evaluate(`addEventListener('beforeprint', () => {
      window.printed = document.querySelectorAll('[data-change]').length
      window.events = document.querySelectorAll('.stream details li').length
    })`)
    const pdf = await page.pdf()
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await page.evaluate('[window.printed, window.events]')).toEqual([100, 100])
    await page.getByRole('article', { name: /in 14 flags$/ }).waitFor()
    expect(await page.locator('[data-change]').count()).toBe(0)
    await large.close()
  })
})
