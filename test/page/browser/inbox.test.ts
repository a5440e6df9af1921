import { type Consumer, ConsumerStop } from '../../../src'
import { useBrowser } from '../support/browser'
import { focused } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath } from '../support/request-screen'
import { enable, type Showcase, startShowcase } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

describe('the inbox', () => {
  it('groups by task what needs the caller, shows what each waits for, and counts, with one request', async () => {
    const { host } = showcase
    const read = /^GET \S*\/api\/admin\/\S*(?:reviews?|search\/change-requests)\b/
    const before = host.received(read).length
    const page = await browser.visit(host.as('dan'))
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await page.getByRole('heading', { name: 'To review' }).waitFor()
    await expectText(row('Cards for many'), /In review.*payments owners missing/)
    await expectText(row('Cards for many'), /production/)
    await expectText(row('Fewer see the new checkout'), /Overwrites.*35.points down/)
    await expectText(row('Half of all searches'), /Conflict/)
    await page.getByRole('heading', { name: 'To acknowledge' }).waitFor()
    await expectText(row('Search is down'), /new-search on → off for everybody/)
    await expectText(row('Search is down'), /Needs acknowledgement.*by Cara Mori/)

    await expectText(page.getByRole('banner'), 'Live')
    const asked = host.received(read).slice(before)
    expect(asked.map(({ line }) => line.split(' ')[1]?.replace(/^.*admin/, ''))).toEqual([
      '/reviews?needs=me&order=waiting&limit=50',
    ])
    const { totals } = await host.call<{ totals: { me: { count: number } } }>('dan', 'GET', '/reviews?needs=me')
    await expectText(page.getByRole('navigation', { name: 'Main' }), new RegExp(`Inbox.*${totals.me.count}`))
    await expectText(page.getByText(/need you\.$/), new RegExp(`^${totals.me.count} need you`))
  })

  it('shows what closed change requests changed, and who closed them', async () => {
    const page = await browser.visit({
      ...showcase.host.as('cara', '/?needs=all'),
      viewport: { width: 1280, height: 2000 },
    })
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await expectText(row('A little more checkout'), /60.% → 65.% of everybody.*Applied.*by Ben Ode/)
    await expectText(row('A little more checkout'), /By Ann Lee\s*Approved by Ben Ode/)
    await expectText(row('Dark for all'), /off → on.*Rejected.*by Ben Ode/)
    await page.getByRole('link', { name: 'Dark for all' }).click()
    await expectText(page.getByRole('main'), /rejected by Ben Ode/)
  })

  it("counts the viewer's own conflicts and overwrites in all places as in the list", async () => {
    const page = await browser.visit(showcase.host.as('fay'))
    await page.getByRole('heading', { name: 'To fix' }).waitFor()
    const everywhere = async (path: string, title: string) => {
      await until(async () => (await page.title()) === title, `the title of ${path}`)
      await expectText(page.getByRole('navigation', { name: 'Main' }), /Inbox\s*1\s*need you/)
    }
    await everywhere('/', '(1) Inbox · Change requests')
    await expectText(page.getByRole('navigation', { name: 'Which change requests' }), /Needs you\s*1/)
    await expectText(page.getByRole('main'), /1 needs you\./)
    // Each of them requests the count.
    for (const path of ['/?needs=all', '/?needs=mine', '/?needs=all&requested=me']) {
      await page.goto(showcase.host.url(path))
      await everywhere(path, '(1) Inbox · Change requests')
    }
    await page.goto(showcase.host.url('/log'))
    await everywhere('/log', '(1) Log · Change requests')
    // Each group can continue on the next page.
    const json = { ...(await showcase.host.call<object>('fay', 'GET', '/reviews?needs=me')), next: '1-1' }
    await page.route(/\/reviews\?/, (route) => route.fulfill({ json }))
    await page.goto(showcase.host.url('/'))
    await expectText(page.getByRole('listitem').filter({ hasText: 'To fix' }), /To fix\s*1\+/)
  })

  it('marks emergencies also for users who cannot acknowledge them, and has a filter for them', async () => {
    const page = await browser.visit(showcase.host.as('eve', '/?needs=all'))
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await expectText(row('Search is down'), /Needs acknowledgement/)
    expect(await row('A little more checkout').textContent()).not.toMatch(/acknowledgement/)
    await page.getByText('Filter', { exact: true }).click()
    await page.getByRole('button', { name: 'Needs acknowledgement' }).click()
    await row('A little more checkout').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('afterReview')).toBe('open')
    await page.reload()
    await expectText(page.getByRole('main'), /1 change request\. With these filters\./)
    await expectText(row('Search is down'), /Needs acknowledgement/)
    await page.getByRole('button', { name: 'Remove filter Needs acknowledgement' }).click()
    await row('A little more checkout').waitFor()
  })

  it('shows who can see a draft: the log has its changes', async () => {
    const { host, draft } = showcase
    const page = await browser.visit(host.as('kim', '/?needs=mine'))
    await expectText(page.getByRole('listitem').filter({ hasText: 'Dark, later' }), /Draft.*not submitted yet/)
    await page.getByRole('link', { name: 'Dark, later' }).click()
    await expectText(
      page.getByRole('main'),
      /Send it to review\. Until then, others see its changes only in the event log\./,
    )
    await page.context().addCookies([{ name: 'person', value: 'ann', url: host.url() }])
    await page.goto(host.url(requestPath(draft)))
    await expectText(page.getByRole('main'), 'Drafts of other users are visible once they are submitted.')
    await page.goto(host.url('/log?type=change-added'))
    await expectText(page.getByRole('region', { name: 'Events', exact: true }), /Kim Tran.*dark-mode/s)
  })

  it('shows authors their own change requests, and returns the focus to the opened row', async () => {
    const page = await browser.visit(showcase.host.as('fay', '/?needs=mine'))
    const link = page.getByRole('link', { name: 'Fewer see the new checkout' })
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Fewer see the new checkout' }).waitFor()
    await page.goBack()
    await link.waitFor()
    await until(async () => /Fewer see/.test(await focused(page)), 'the row has the focus')
  })
})

describe('a long inbox', () => {
  it('has exact counts and the order of the server, adds pages, and reads again only visible pages', async () => {
    const host = await startHost()
    const names = Array.from({ length: 25 }, (_, n) => `Change ${String(n).padStart(2, '0')}`)
    for (const name of names) await host.setState('ann', await host.propose(enable('dark-mode'), name), 'Cancelled')
    // Without the event stream, the inbox is read every 15 s.
    const page = await browser.visit({ ...host.as('eve', '/keys'), viewport: { width: 1280, height: 400 } })
    // Pages of 10 instead of 50.
    await page.route(/limit=50/, (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=10') }),
    )
    await page.context().clock.install()
    await page.goto(host.url('/?needs=all'))
    const rows = page.getByRole('heading', { level: 3 })
    const shows = (count: number) => until(async () => (await rows.count()) === count, `${count} rows are shown`)
    const [read, others] = [/^GET \S*\/reviews\?needs=all/, /^GET \S*\/reviews\?needs=all\S*cursor/]
    await expectText(page.getByRole('main'), /25 change requests\./)
    for (const count of [10, 20]) {
      await shows(count)
      expect(await rows.allTextContents()).toEqual(names.toReversed().slice(0, count))
      await page.getByRole('button', { name: 'Load more' }).click()
    }
    await shows(25)
    await page.reload()
    await shows(25)

    const scrollTo = (title: string) =>
      page.getByRole('heading', { level: 3, name: title, exact: true }).scrollIntoViewIfNeeded()
    // From now on, only the test moves the clock. The jump polls, too: not while pages further down are visible.
    await scrollTo('Change 24')
    await page.clock.pauseAt(Date.now() + 60_000)
    const poll = async () => {
      const before = host.received(read).length
      await page.clock.runFor(15_000)
      await until(() => host.received(read).length > before, 'the first page is read')
      await page.locator('section[aria-busy="true"]').waitFor({ state: 'detached' })
    }
    await poll()
    const loaded = host.received(others).length
    await poll()
    await scrollTo('Change 08')
    await poll()
    await until(() => host.received(others).length > loaded, 'the page in the window is read')
    // New rows move the next pages.
    await host.inReview(enable('checkout'), 'The new checkout')
    await scrollTo('Change 24')
    await poll()
    await page.getByRole('button', { name: '1 new' }).click()
    await shows(26)
    await poll()
    await poll()
    expect(host.received(others).length - loaded).toBe(1)
    await host.close()
  })
})

describe('the settings', () => {
  it('of an environment can be changed with the permission, and explain their effect', async () => {
    const page = await browser.visit(showcase.host.as('cara', '/settings?project=default'))
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('development').getByRole('switch', { name: 'Change requests in development' }).click()
    await page.getByRole('button', { name: 'Switch off in development' }).click()
    await expectText(row('development'), /Anyone who can edit flags changes them immediately/)
    await row('production').getByRole('button', { name: 'One more' }).click()
    await expectText(row('production'), /2 people in addition to its author/)
    const settings = await showcase.host.call<readonly object[]>(
      'cara',
      'GET',
      '/projects/default/change-requests/config',
    )
    expect(settings).toContainEqual(expect.objectContaining({ environment: 'production', requiredApprovals: 2 }))
  })

  it('are disabled for other users, name the required permission, and list the active rules', async () => {
    const page = await browser.visit(showcase.host.as('ben', '/settings?project=default'))
    await expectOff(page.getByRole('switch', { name: 'Change requests in production' }))
    await expectText(page.getByRole('main'), /PROJECT_CHANGE_REQUEST_WRITE/)
    await expectText(page.getByRole('main'), /payments owners.*1 approval.*payments/)
  })
})

describe('a separate host', () => {
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

    it('show an admin why one is stopped, and are retried', async () => {
      await host.inReview(enable('checkout'))
      host.consume(consumer)
      const page = await browser.visit({
        ...host.as('cara', '/settings?project=default'),
        viewport: { width: 320, height: 800 },
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

    it('are not shown to other users, or if there are none', async () => {
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
    it('shows the settings of the entered project', async () => {
      const page = await browser.visit({ ...host.as('eve', '/settings'), viewport: { width: 320, height: 800 } })
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

    it('is live for an administrator, and requested every 15 s without READ_EVENTS', async () => {
      const page = await browser.visit(host.as('cara', '/log'))
      await page.getByRole('heading', { name: 'No events yet' }).waitFor()
      await expectText(page.getByRole('banner'), 'Live')
      await page.context().addCookies([{ name: 'person', value: 'eve', url: host.url() }])
      await page.reload()
      await expectText(page.getByRole('banner'), 'Every 15 s')
    })
  })
})
