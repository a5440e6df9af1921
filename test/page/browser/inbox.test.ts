import { useBrowser } from '../support/browser'
import { focused } from '../support/hands'
import { startHost } from '../support/host'
import { expectOff, requestPath } from '../support/request-screen'
import { enable, roll, type Showcase, startShowcase } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

describe('the inbox', () => {
  it('groups what waits for one by what there is to do, and says what each waits for', async () => {
    const page = await browser.visit(showcase.host.as('dan'))
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await page.getByRole('heading', { name: 'To review' }).waitFor()
    await expectText(row('Cards for many'), /In review.*payments owners missing/)
    await expectText(row('Cards for many'), /production/)
    await expectText(row('Fewer see the new checkout'), /Overwrites.*35.points down/)
    await expectText(row('Half of all searches'), /Conflict/)
    await page.getByRole('heading', { name: 'To acknowledge' }).waitFor()
    await expectText(row('Search is down'), /new-search on → off for everybody/)
    await expectText(row('Search is down'), /Needs acknowledgement.*by Cara Mori/)
  })

  it('takes one request, which has the number of those that need the caller', async () => {
    const { host } = showcase
    const read = /^GET \S*\/api\/admin\/\S*(?:reviews?|search\/change-requests)\b/
    const before = host.received(read).length
    const page = await browser.visit(host.as('dan'))
    await page.getByRole('heading', { name: 'To review' }).waitFor()
    await expectText(page.getByRole('banner'), 'Live')
    const asked = host.received(read).slice(before)
    expect(asked.map(({ line }) => line.split(' ')[1]?.replace(/^.*admin/, ''))).toEqual([
      '/reviews?needs=me&order=waiting&limit=50',
    ])
    const { totals } = await host.call<{ totals: { me: { count: number } } }>('dan', 'GET', '/reviews?needs=me')
    await expectText(page.getByRole('navigation', { name: 'Main' }), new RegExp(`Inbox.*${totals.me.count}`))
    await expectText(page.getByText(/need you\.$/), new RegExp(`^${totals.me.count} need you`))
  })

  it('says of what is closed what it changed, and who ended it', async () => {
    const page = await browser.visit({
      ...showcase.host.as('cara', '/?needs=all'),
      viewport: { width: 1280, height: 2000 },
    })
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await expectText(row('A little more checkout'), /60.% → 65.% of everybody.*Applied.*by Ben Ode/)
    await expectText(row('Dark for all'), /off → on.*Rejected.*by Ben Ode/)
    await page.getByRole('link', { name: 'Dark for all' }).click()
    await expectText(page.getByRole('main'), /rejected by Ben Ode/)
  })

  it("counts the viewer's own conflicts and overwrites everywhere, as it lists them", async () => {
    const page = await browser.visit(showcase.host.as('fay'))
    await page.getByRole('heading', { name: 'To fix' }).waitFor()
    const everywhere = async (path: string, title: string) => {
      await until(async () => (await page.title()) === title, `the title of ${path}`)
      await expectText(page.getByRole('navigation', { name: 'Main' }), /Inbox\s*1\s*need you/)
    }
    await everywhere('/', '(1) Inbox · Change requests')
    await expectText(page.getByRole('navigation', { name: 'Which change requests' }), /Needs you\s*1/)
    await expectText(page.getByRole('main'), /1 needs you\./)
    // Each of them reads the count by itself.
    for (const path of ['/?needs=all', '/?needs=mine', '/?needs=all&requested=me']) {
      await page.goto(showcase.host.url(path))
      await everywhere(path, '(1) Inbox · Change requests')
    }
    await page.goto(showcase.host.url('/log'))
    await everywhere('/log', '(1) Log · Change requests')
    // Of any group, more rows may be on the next page.
    const json = { ...(await showcase.host.call<object>('fay', 'GET', '/reviews?needs=me')), next: '1-1' }
    await page.route(/\/reviews\?/, (route) => route.fulfill({ json }))
    await page.goto(showcase.host.url('/'))
    await expectText(page.getByRole('listitem').filter({ hasText: 'To fix' }), /To fix\s*1\+/)
  })

  it('marks emergencies for those who cannot acknowledge them, too, and finds them by a filter', async () => {
    const page = await browser.visit(showcase.host.as('eve', '/?needs=all'))
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await expectText(row('Search is down'), /Needs acknowledgement/)
    expect(await row('A little more checkout').textContent()).not.toMatch(/acknowledgement/)
    await page.getByRole('button', { name: 'Needs acknowledgement' }).click()
    await row('A little more checkout').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('afterReview')).toBe('open')
    await page.reload()
    await expectText(page.getByRole('main'), /1 change request\. With these filters\./)
    await expectText(row('Search is down'), /Needs acknowledgement/)
    await page.getByRole('button', { name: 'Remove filter Needs acknowledgement' }).click()
    await row('A little more checkout').waitFor()
  })

  it('names authors and those who approved', async () => {
    const page = await browser.visit(showcase.host.as('eve', '/?needs=all'))
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await expectText(row('A little more checkout'), /By Ann Lee\s*Approved by Ben Ode/)
    await expectText(row('Search is down'), /By Cara Mori/)
  })

  it('names who caused an overwrite or a conflict, although the viewer cannot read the log', async () => {
    const { host, overwrite, conflict, emergency } = showcase
    const page = await browser.visit(host.as('eve', requestPath(overwrite)))
    await expectText(page.getByRole('main'), /Would undo what Ben Ode changed.*live now, by Ben Ode/s)
    await page.goto(host.url(requestPath(conflict)))
    await expectText(page.getByRole('main'), /By Cara Mori, .*event/)
    for (const id of [overwrite, conflict, emergency]) {
      await page.goto(host.url(requestPath(id)))
      await page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor()
      expect(await page.getByRole('main').textContent()).not.toContain('@example.com')
    }
  })

  it('says of a draft who sees it: the log has its changes', async () => {
    const { host, draft } = showcase
    const page = await browser.visit(host.as('kim', '/?needs=mine'))
    await expectText(page.getByRole('listitem').filter({ hasText: 'Dark, later' }), /Draft.*not submitted yet/)
    await page.getByRole('link', { name: 'Dark, later' }).click()
    await expectText(
      page.getByRole('main'),
      /A draft\.\s*Others find it once you submit it; users who may read the event log see its changes there\./,
    )
    await page.context().addCookies([{ name: 'person', value: 'ann', url: host.url() }])
    await page.goto(host.url(requestPath(draft)))
    await expectText(page.getByRole('main'), 'Drafts of others are found once they are submitted.')
    await page.goto(host.url('/log?type=change-added'))
    await expectText(page.getByRole('region', { name: 'Events', exact: true }), /Kim Tran.*dark-mode/s)
  })

  it('says that what is approved is not applied yet', async () => {
    const page = await browser.visit(showcase.host.as('ben'))
    await page.getByRole('heading', { name: 'To apply' }).waitFor()
    await expectText(page.getByRole('listitem').filter({ hasText: 'The new checkout' }), /Approved.*not applied yet/)
  })

  it('shows authors their own, and gives the focus back to the row that one came from', async () => {
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
  it('has exact counts and the order of the server, and adds pages', async () => {
    const host = await startHost()
    try {
      const names = Array.from({ length: 53 }, (_, n) => `Change ${String(n).padStart(2, '0')}`)
      for (const name of names)
        await host.setState('ann', await host.propose(enable('dark-mode'), name, 'ann'), 'Cancelled')
      const page = await browser.visit({ ...host.as('ann', '/?needs=mine'), viewport: { width: 1280, height: 800 } })
      const titles = () => page.getByRole('heading', { level: 3 }).allInnerTexts()
      await expectText(page.getByRole('main'), /53 of yours\./)
      expect(await titles()).toEqual(names.toReversed().slice(0, 50))
      const asked = host.received(/^GET \S*\/reviews\?needs=mine/).length
      await page.getByRole('button', { name: 'Load more' }).click()
      await until(async () => (await titles()).length === 53, 'all are shown')
      expect(await titles()).toEqual(names.toReversed())
      const [first, second] = host.received(/^GET \S*\/reviews\?needs=mine/).slice(asked)
      expect([first?.line, second?.line]).toEqual([
        expect.not.stringContaining('cursor'),
        expect.stringContaining('cursor'),
      ])
      await page.reload()
      await until(async () => (await titles()).length === 53, 'all are shown again')
    } finally {
      await host.close()
    }
  })

  it('reads every 15 s only the first page and those with rows in the window', async () => {
    const host = await startHost()
    try {
      for (let n = 0; n < 101; n++) {
        await host.setState('ann', await host.propose(enable('dark-mode'), `Change ${n}`, 'ann'), 'Cancelled')
      }
      const page = await browser.visit({ ...host.as('eve', '/?needs=all'), viewport: { width: 1280, height: 800 } })
      await page.context().clock.install()
      await page.reload()
      const rows = page.getByRole('heading', { level: 3 })
      for (const loaded of [50, 100]) {
        await until(async () => (await rows.count()) === loaded, `${loaded} rows are shown`)
        await page.getByRole('button', { name: 'Load more' }).click()
      }
      await until(async () => (await rows.count()) === 101, 'all rows are shown')
      const scrollTo = (title: string) =>
        page.getByRole('heading', { level: 3, name: title, exact: true }).scrollIntoViewIfNeeded()
      await scrollTo('Change 100')
      // From now on, only the test moves the clock.
      await page.clock.pauseAt(Date.now() + 60_000)
      const [read, others] = [/^GET \S*\/reviews\?needs=all/, /^GET \S*\/reviews\?needs=all\S*cursor/]
      const poll = async () => {
        const before = host.received(read).length
        await page.clock.runFor(15_000)
        await until(() => host.received(read).length > before, 'the first page is read')
      }
      await poll()
      const loaded = host.received(others).length
      await poll()
      await scrollTo('Change 30')
      await poll()
      await until(() => host.received(others).length > loaded, 'the page in the window is read')
      // What is new moves the next pages.
      await host.inReview(enable('checkout'), 'The new checkout', 'fay')
      await scrollTo('Change 100')
      await poll()
      await page.getByRole('button', { name: '1 new' }).click()
      await until(async () => (await rows.count()) === 102, 'the new one is shown')
      await poll()
      await poll()
      expect(host.received(others).length - loaded).toBe(1)
    } finally {
      await host.close()
    }
  })

  it('shows an overwrite as soon as another user edits the flag', async () => {
    const host = await startHost()
    try {
      await host.inReview(roll('checkout', 'checkout-half', '30'), 'Fewer see it', 'ann')
      const page = await browser.visit(host.as('ann', '/?needs=mine'))
      const row = page.getByRole('listitem').filter({ hasText: 'Fewer see it' })
      await expectText(row, /In review/)
      expect(await row.textContent()).not.toMatch(/Overwrites/)
      await host.changeFlags(roll('checkout', 'checkout-half', '60'))
      await expectText(row, /Overwrites/)
    } finally {
      await host.close()
    }
  })
})

describe('the settings', () => {
  it('of an environment are changed by who may, and say what they mean', async () => {
    const page = await browser.visit(showcase.host.as('cara', '/settings?project=default'))
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('development').getByRole('switch', { name: 'Change requests in development' }).click()
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

  it('are off for others, with the permission that it takes, and list the rules in force', async () => {
    const page = await browser.visit(showcase.host.as('ben', '/settings?project=default'))
    await expectOff(page.getByRole('switch', { name: 'Change requests in production' }))
    await expectText(page.getByRole('main'), /PROJECT_CHANGE_REQUEST_WRITE/)
    await expectText(page.getByRole('main'), /payments owners.*1 approval.*payments/)
  })
})
