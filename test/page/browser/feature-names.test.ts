import type { Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

/** Has what separates in paths, queries and lists. */
const name = 'team/checkout, β?#%2C'

beforeAll(async () => {
  host = await startHost({ featureNames: 'any' })
  await host.addFlags([name, 'team/checkout'])
})
afterAll(() => host.close())

const events = (page: Page) => page.getByRole('region', { name: 'Events' }).getByRole('listitem')
const flag = (page: Page) => page.getByRole('main').getByText(name, { exact: true }).filter({ visible: true }).first()

describe('a flag whose name must be escaped', () => {
  it('is proposed from a link, reviewed, applied, and found in the log', async () => {
    const query = new URLSearchParams({ project: 'default', environment: 'production', feature: name })
    const page = await browser.visit(host.as('ann', `/new?${query}`))
    await expectText(page.getByRole('main'), `Now ${name} is off in production.`)
    await page.getByLabel('Action', { exact: true }).selectOption('updateEnabled')
    await page.getByRole('button', { name: 'Propose', exact: true }).click()
    await page.getByRole('button', { name: 'Send to review' }).click()
    const id = Number(/change-requests\/(\d+)/.exec(page.url())?.[1])
    await flag(page).waitFor()

    await host.setState('ben', id, 'Approved')
    await host.setState('ben', id, 'Applied')
    await host.recordFlag('default', name)
    const log = await browser.visit(host.as('ben', '/log'))
    await log.getByRole('button', { name: 'Flag', exact: true }).click()
    await log.locator('input:focus').fill(name)
    await log.keyboard.press('Enter')
    await log.getByRole('button', { name: `Remove filter Flag is ${name}` }).waitFor()
    await expectText(events(log), `created flag ${name}`)
    await log.reload()
    await events(log)
      .getByRole('link', { name: `#${id}` })
      .first()
      .click()
    await flag(log).waitFor()
    expect(new URL(log.url()).pathname).toContain(requestPath(id))
  })

  it('is found in the inbox', async () => {
    const id = await host.inReview(enable(name))
    const query = new URLSearchParams({ needs: 'all', query: name })
    const page = await browser.visit(host.as('ben', `/?${query}`))
    await flag(page).waitFor()
    await page.getByRole('main').locator('[data-row]').first().click()
    await requestScreen(page).state.waitFor()
    expect(new URL(page.url()).pathname).toContain(requestPath(id))
  })
})
