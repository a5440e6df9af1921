import { useBrowser } from '../support/browser'
import { focused } from '../support/hands'
import { startHost } from '../support/host'
import { expectOff } from '../support/request-screen'
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
