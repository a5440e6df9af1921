import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
const config = { changeRequestsEnabled: true, requiredApprovals: 3 }
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

describe('the settings', () => {
  it('show what another user changes, without a reload', async () => {
    await host.inReview(enable('checkout'))
    const page = await browser.visit(host.as('ben', '/settings?project=default'))
    await page.getByRole('heading', { name: 'Environments' }).waitFor()
    await expectText(page.getByRole('banner'), 'Live')
    await host.call('cara', 'PUT', '/projects/default/environments/production/change-requests/config', config)
    await expectText(page.getByRole('row').filter({ hasText: 'production' }), /3 people besides its author/)
  })
})

describe('a host without change requests', () => {
  it.each([1280, 320])('shows the settings of the project that is entered, %s px wide', async (width) => {
    const page = await browser.visit({ ...host.as('cara', '/settings'), viewport: { width, height: 800 } })
    const show = page.getByRole('button', { name: 'Show', exact: true })
    await show.waitFor()
    const lines = await show.evaluate((button) => {
      const range = button.ownerDocument.createRange()
      range.selectNodeContents(button)
      return range.getClientRects().length
    })
    expect(lines).toBe(1)
    await page.getByLabel('Project').fill('default')
    await show.click()
    await page.getByRole('heading', { name: 'Environments' }).waitFor()
    expect(page.url()).toBe(host.url('/settings?project=default'))
  })

  it('is live for an administrator', async () => {
    const page = await browser.visit(host.as('cara', '/log'))
    await page.getByRole('heading', { name: 'No events yet' }).waitFor()
    await expectText(page.getByRole('banner'), 'Live')
  })

  it('is live for a user with READ_EVENTS in another project, from its first event', async () => {
    const page = await browser.visit(host.as('pia', '/log'))
    await page.context().clock.install()
    await page.reload()
    await expectText(page.getByRole('banner'), 'Every 15 s')
    await host.recordFlag('shop', 'basket')
    await page.clock.runFor(16_000)
    await expectText(page.getByRole('banner'), 'Live')
    expect(host.received(/ text\/event-stream/)).toHaveLength(3)
  })

  it('is requested every 15 s without READ_EVENTS', async () => {
    const page = await browser.visit(host.as('eve', '/log'))
    await expectText(page.getByRole('banner'), 'Every 15 s')
  })
})
