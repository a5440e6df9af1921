import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { accountMenu, expectFocus, tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

describe('the account menu', () => {
  it('shows who is signed in, and closes by Escape on a phone at 400 % zoom, too', async () => {
    const page = await browser.visit({ ...host.as('ben'), viewport: { width: 320, height: 256 } })
    await tabTo(accountMenu(page))
    await page.keyboard.press('Enter')
    const menu = page.locator('.menu-list')
    await expectText(menu, /Ben Ode.*Groups: shop/)
    const box = await menu.boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 320).toBe(true)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Tab')
    await expectFocus(page.getByRole('link', { name: 'Sign out' }))
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await expectFocus(accountMenu(page))
    expect(page.url()).toBe(host.url())
  })

  it('signs out of the host, and leaves nothing of what was written in the tab', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    await requestScreen(page).say.fill('Does support know?')
    await accountMenu(page).click()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await expectText(page.locator('body'), 'The host signed you out.')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })
})

describe('the title of the tab', () => {
  it('counts what needs the viewer, live and on each screen, while they are signed in', async () => {
    // Live updates start with the first event.
    await host.recordFlag('default', 'checkout')
    const page = await browser.visit(host.as('ben'))
    await expectText(page.getByRole('banner'), 'Live')
    await until(async () => (await page.title()) === 'Inbox · Change requests', 'nothing is counted')
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    await until(async () => (await page.title()) === '(1) Inbox · Change requests', 'one is counted')
    await page.getByRole('link', { name: 'Log' }).click()
    await until(async () => (await page.title()) === '(1) Log · Change requests', 'one is counted in the log')
    await host.setState('ben', id, 'Approved')
    await host.setState('ben', id, 'Applied')
    await until(async () => (await page.title()) === 'Log · Change requests', 'nothing is counted')
    const next = await host.inReview(enable('checkout', false), 'The old checkout')
    await until(async () => (await page.title()) === '(1) Log · Change requests', 'one is counted')
    host.endSession('ben')
    // The page requests the count again, and gets 401.
    await host.setState('ann', next, 'Cancelled')
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await page.title()).not.toMatch(/^\(/)
  })

  it('counts as far as the inbox does', async () => {
    const totals = {
      me: { count: 1000, atLeast: true },
      toFix: { count: 2, atLeast: false },
      mine: { count: 0, atLeast: false },
      all: null,
    }
    const json = { ...(await host.call<object>('ben', 'GET', '/reviews?needs=me')), totals }
    const page = await browser.visit({ url: host.url('/log') })
    await page.route(/\/reviews/, (route) => route.fulfill({ json }))
    await page.context().addCookies([{ name: 'person', value: 'ben', url: host.url() }])
    await page.reload()
    await until(async () => (await page.title()) === '(1,000+) Log · Change requests', 'more than counted')
  })
})
