import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost
afterEach(() => host.close())

describe('pictures', () => {
  it.each([[1280, 'wide'], [360, 'phone']])('%s', async (width, name) => {
    host = await startHost()
    const shot = (page: any, what: string) => page.screenshot({ path: `/tmp/d-${what}-${name}.png`, fullPage: true })
    const page = await browser.visit({ ...host.as('ann', '/new'), viewport: { width, height: 800 } })
    await page.getByRole('combobox', { name: 'Flag' }).waitFor()
    await shot(page, 'new')
    await page.keyboard.type('che')
    await page.getByRole('option').first().waitFor()
    await shot(page, 'new-found')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'checkout' }).waitFor()
    await page.getByLabel('Rollout', { exact: false }).first().waitFor()
    await shot(page, 'flag')
    await page.goto(host.url('/projects/default/segments/1?environment=production'))
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Testers')
    await expectText(page.getByRole('main'), /Testers/)
    await page.getByRole('button', { name: 'Propose…' }).first().and(page.locator(':not([aria-disabled=true])')).waitFor()
    await shot(page, 'segment')
    const id = await host.propose([enable('checkout'), roll('checkout', 'checkout-half', '75')], 'The new checkout')
    await page.goto(host.url(requestPath(id)))
    await requestScreen(page).button(/^Edit Strategy/).click()
    await page.getByRole('dialog').getByLabel('Rollout', { exact: false }).first().waitFor()
    await shot(page, 'edit')
    await page.keyboard.press('Escape')
    await page.goto(host.url('/projects/default/segments/1?environment=production'))
    await page.getByRole('button', { name: 'Propose…' }).first().and(page.locator(':not([aria-disabled=true])')).click()
    await page.getByRole('button', { name: 'Send to review' }).click()
    await page.getByRole('button', { name: /Add to/ }).waitFor()
    await shot(page, 'own')
  })
})
