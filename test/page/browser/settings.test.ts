import type { Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { expectFocus } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { requestPath } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost({
    freezes: [
      {
        name: 'Sale',
        reason: 'No changes to checkout',
        from: '2040-11-27T00:00:00Z',
        when: { features: ['checkout*'] },
      },
    ],
  })
})
afterEach(() => host.close())

const configPath = (environment: string) => `/projects/default/environments/${environment}/change-requests/config`

async function settingsOf(environment: string) {
  const all = await host.call<{ environment: string }[]>('cara', 'GET', '/projects/default/change-requests/config')
  return all.find((one) => one.environment === environment)
}

const dialogOf = (page: Page) => page.getByRole('dialog')
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

describe('a weaker setting', () => {
  it('of fewer approvals names what becomes weaker, and what open change requests keep', async () => {
    await host.call('cara', 'PUT', configPath('production'), { changeRequestsEnabled: true, requiredApprovals: 2 })
    const open = await host.inReview(enable('checkout'))
    await host.inReview(enable('dark-mode'), 'Dark', 'fay')
    await host.propose(enable('new-search'), 'A draft', 'gus')
    const page = await browser.visit(host.as('cara', '/settings?project=default'))
    const row = rowOf(page, 'production')
    const dialog = dialogOf(page)
    const less = row.getByRole('button', { name: 'One less' })
    await less.click()
    await expectText(dialog, 'Changes to production will need 1 approval instead of 2.')
    await expectText(dialog, '2 open change requests keep the number that they have, and so do drafts.')
    await dialog.getByRole('button', { name: 'Keep 2 approvals' }).click()
    await expectFocus(less)
    expect(await settingsOf('production')).toMatchObject({ requiredApprovals: 2 })
    await less.click()
    await dialog.getByRole('button', { name: 'Require 1 approval' }).click()
    await expectText(row, /needs 1 person in addition to its author/)
    expect(await host.call('ben', 'GET', requestPath(open))).toMatchObject({ minApprovals: 2 })
    await row.getByRole('button', { name: 'One more' }).click()
    await expectText(row, /needs 2 people in addition to its author/)
    expect(await dialog.count()).toBe(0)
  })

  it.each([
    ['production', 1],
    ['development', 0],
  ])('without a review is asked for in %s, too', async (environment, bands) => {
    await host.inReview(roll('checkout', 'checkout-half', '75'))
    const page = await browser.visit(host.as('cara', '/settings?project=default'))
    const toggle = page.getByRole('switch', { name: `Change requests in ${environment}` })
    await toggle.click()
    const dialog = dialogOf(page)
    await expectText(dialog, `Changes to ${environment} will need no review instead of 1 approval.`)
    await expectText(dialog, /pen change requests? keeps? the number/)
    await expectText(dialog, 'Schedules still run.')
    expect(await dialog.locator('.hazard').count()).toBe(bands)
    await dialog.getByRole('button', { name: `Switch off in ${environment}` }).click()
    await until(async () => (await toggle.getAttribute('aria-checked')) === 'false', 'it is off')
    expect(await settingsOf(environment)).toMatchObject({ changeRequestEnabled: false })
    await toggle.click()
    await until(async () => (await toggle.getAttribute('aria-checked')) === 'true', 'it is on')
    expect(await dialog.count()).toBe(0)
  })
})

describe('the settings', () => {
  it('offer the projects in which the user can propose, and find others by a part of their names', async () => {
    const page = await browser.visit(host.as('ann', '/keys'))
    const environments = [{ name: 'production', type: 'production', changeRequestsEnabled: true }]
    await page.route(/\/places(\?|$)/, async (route) => {
      const query = new URL(route.request().url()).searchParams.get('query')
      const names = query === null ? ['default', 'shop'] : ['web-shop']
      await route.fulfill({ json: { places: names.map((project) => ({ project, environments })), complete: false } })
    })
    await page.goto(host.url('/settings'))
    const picker = page.getByRole('combobox', { name: 'Project' })
    await picker.selectOption('shop')
    await until(() => page.url().endsWith('?project=shop'), 'the address names the project')
    await picker.selectOption('Another…')
    await picker.fill('web')
    await page.locator('datalist option[value=web-shop]').waitFor({ state: 'attached' })
  })

  it('show rules and freezes, and where they are set; rules and checks are loaded once for both', async () => {
    const page = await browser.visit(host.as('ben', '/keys'))
    const loaded: string[] = []
    page.on('request', (request) => request.url().endsWith('/change-requests/rules') && loaded.push(request.url()))
    await page.goto(host.url('/settings?project=default'))
    for (const [name, what] of [
      ['Rules in force', /payments owners.*A change of a flag named pay\* needs 1 approval of/],
      ['Freezes', /Sale.*A change of a flag named checkout\* is frozen from .*2040.*: No changes to checkout/],
    ] as const) {
      const section = page.getByRole('region', { name })
      await expectText(section, what)
      await expectText(section, 'Set in the options of the host app.')
    }
    await expectText(page.getByRole('region', { name: 'Checks' }), 'No checks.')
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded).toEqual([...new Set(loaded)])
  })
})
