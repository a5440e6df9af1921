import { type Consumer, ConsumerStop } from '../../../src'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

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
    await expectText(page.getByRole('row').filter({ hasText: 'production' }), /3 people in addition to its author/)
  })
})

describe('the consumers of the log', () => {
  let isAway = true
  const consumer: Consumer = {
    name: 'audit-sink',
    from: 'beginning',
    handle() {
      if (isAway) throw new ConsumerStop('The <b>sink</b> was deleted.')
    },
  }

  it.each([1280, 320])('show an admin why one is stopped, and are retried, %s px wide', async (width) => {
    isAway = true
    await host.inReview(enable('checkout'))
    host.consume(consumer)
    const page = await browser.visit({
      ...host.as('cara', '/settings?project=default'),
      viewport: { width, height: 800 },
    })
    const row = page.getByRole('row').filter({ hasText: 'audit-sink' })
    await expectText(row, /Stopped/)
    await expectText(row, /The <b>sink<\/b> was deleted\./)
    await expectText(row, /Event 0.*At most \d+ behind/)
    isAway = false
    await row.getByRole('button', { name: 'Retry audit-sink now' }).click()
    await expectText(row, /Running/)
    await expectText(row, /Nothing waits\./)
    expect(await row.getByRole('button').count()).toBe(0)
  })

  it('are not shown to others, nor when there are none', async () => {
    await host.inReview(enable('checkout'))
    const admin = await browser.visit(host.as('cara', '/settings?project=default'))
    await admin.getByRole('heading', { name: /^Your permissions in/ }).waitFor()
    await until(() => host.received(/ \/api\/admin\/consumers/).length > 0, 'the consumers are requested')
    expect(await admin.getByRole('heading', { name: 'Consumers' }).count()).toBe(0)
    host.consume(consumer)
    const page = await browser.visit(host.as('ben', '/settings?project=default'))
    await page.getByRole('heading', { name: /^Your permissions in/ }).waitFor()
    await page.getByRole('table').nth(1).waitFor()
    expect(await page.getByRole('heading', { name: 'Consumers' }).count()).toBe(0)
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

  it('is live for a user with READ_EVENTS in one project, from its first event', async () => {
    const page = await browser.visit(host.as('pia', '/log'))
    await page.context().clock.install()
    await page.reload()
    await expectText(page.getByRole('banner'), 'Every 15 s')
    await host.recordFlag('default', 'basket')
    await page.clock.runFor(16_000)
    await expectText(page.getByRole('banner'), 'Live')
    expect(host.received(/ text\/event-stream/)).toHaveLength(3)
  })

  it('is requested every 15 s without READ_EVENTS', async () => {
    const page = await browser.visit(host.as('eve', '/log'))
    await expectText(page.getByRole('banner'), 'Every 15 s')
  })
})
