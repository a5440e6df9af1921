import type { Page } from 'playwright-core'
import { apiKeys } from '../../../src'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { accountMenu, expectFocus, tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { people } from '../support/people'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

afterEach(() => host.close())

describe('signing in by key', () => {
  beforeEach(async () => {
    host = await startHost({ signIn: 'key' })
  })

  it('opens the requested screen, and keeps the key only in the tab', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', `/projects/default/change-requests/${id}`))
    await page.getByLabel('API key').fill(people.ben.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'The new checkout' }).waitFor()

    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([people.ben.key])
    expect(await page.evaluate('Object.values(localStorage).join() + document.cookie')).not.toContain(people.ben.key)
    expect(await page.context().cookies()).toEqual([])
    const other = await page.context().newPage()
    await other.goto(host.url('/log'))
    await other.getByLabel('API key').waitFor()
  })

  it('shows the error of an unknown key at the field', async () => {
    const page = await browser.visit(host.as('ben'))
    await page.getByLabel('API key').fill('user:mistyped')
    await page.keyboard.press('Enter')
    const field = page.locator('[aria-invalid=true]')
    await field.waitFor()
    await expectText(page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`), /This key is not known/)
    expect(await field.inputValue()).toBe('user:mistyped')
  })

  it('ends at the sign-out, also after a reload', async () => {
    const page = await browser.visit(host.as('ben'))
    await signIn(page)
    await accountMenu(page).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await page.reload()
    await page.getByLabel('API key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })
})

describe('a session by key that ends', () => {
  it('requests a key over the page, which continues with the typed text', async () => {
    host = await startHost({ signIn: 'key' })
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, say, main } = requestScreen(page)
    await signIn(page)
    await say.fill('Who tells support?')
    host.before(/^POST .*\/comments/, () => host.endSession('ben'))
    await button('Comment').last().click()
    await expectText(page.getByText(/Your text is kept/), `#${id} of default`)
    await expectFocus(page.getByLabel('API key'))
    host.beginSession('ben')
    await signIn(page)
    await until(async () => (await say.inputValue()) === 'Who tells support?', 'the text is there')
    expect(page.url()).toBe(host.url(requestPath(id)))
    await button('Comment').last().click()
    await main.getByRole('article').filter({ hasText: 'Who tells support?' }).waitFor()
  })
})

describe('signing in with the host', () => {
  it('links to the sign-in of the host, and continues after the return', async () => {
    host = await startHost()
    const page = await browser.visit({ url: host.url('/settings?project=default') })
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    const address = await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')
    expect(address).toBe(new URL('/sign-in?returnTo=%2Freview%2Fsettings%3Fproject%3Ddefault', host.url()).href)
    await page.context().addCookies([{ name: 'person', value: 'ben', url: host.url() }])
    await page.getByRole('button', { name: 'I am signed in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  })
})

describe('a page with a wrong setup', () => {
  it('shows what it requested', async () => {
    host = await startHost({ signIn: 'key', api: '/api' })
    const page = await browser.visit({ url: host.url() })
    await signIn(page)
    await expectText(
      page.locator('main'),
      /\/api\/me returned 404, and no JSON\. Check that the option api is the URL of the router/,
    )
  })

  it('shows that signIn: host does not fit a host with keys only', async () => {
    const { key, id } = people.ben
    host = await startHost({ authenticate: apiKeys([{ key, user: { id } }]) })
    const page = await browser.visit({ url: host.url() })
    await expectText(page.locator('main'), /accepts API keys only\. To use them here, set signIn: 'key'/)
  })
})

describe('a session with the host that ends', () => {
  it('requests a sign-in over a dialog too, and keeps its text', async () => {
    host = await startHost()
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, dialog, state } = requestScreen(page)
    await button('Reject…').click()
    await dialog.getByRole('textbox').fill('Not on a Friday.')
    host.before(/^PUT .*\/state/, () => host.endSession('ben'))
    await button(/^Reject/, dialog).click()
    await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor()
    await expectFocus(page.getByRole('link', { name: 'Sign in' }))
    host.beginSession('ben')
    await button('I am signed in').click()
    await until(
      async () => (await dialog.getByRole('textbox').inputValue()) === 'Not on a Friday.',
      'the reason is there',
    )
    await button(/^Reject/, dialog).click()
    await expectText(state, /Rejected/)
  })
})

describe('a proxy that requires a sign-in', () => {
  const api = /\/api\/admin\//
  const redirect = { status: 302, headers: { Location: '/login?to=flags' } }
  const page200 = { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: '<h1>Sign in</h1>' }

  it('is shown instead of the form for a key, with a link that loads the page through the proxy', async () => {
    host = await startHost({ signIn: 'key' })
    const page = await browser.visit({ url: host.url('/log?project=default') })
    const end = host.answer(api, redirect)
    await signIn(page)
    await expectText(page.getByRole('main'), /Sign in first.*A proxy in front of the app requires a sign-in/)
    const link = page.getByRole('link', { name: 'Sign in' })
    expect(await link.getAttribute('href')).toBe(host.url('/log?project=default'))
    end()
    await link.click()
    await signIn(page)
    await page.getByRole('region', { name: 'Events', exact: true }).waitFor()
  })

  it('is shown at the first read, in the stream, at a step and at an export, and nothing is done or lost', async () => {
    host = await startHost()
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const endOfReads = host.answer(api, redirect)
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, comment, main, state } = requestScreen(page)
    await expectText(main, /Sign in first.*A proxy in front of the app requires a sign-in/)
    await button('I am signed in').click()
    await expectText(main, 'You are not signed in yet.')
    endOfReads()
    await button('I am signed in').click()
    expect(host.received(/login/)).toEqual([])
    const signedOut = page.getByRole('heading', { level: 1, name: 'You are signed out' })
    const comeBack = async (end: () => void) => {
      await signedOut.waitFor()
      end()
      await button('I am signed in').click()
      await signedOut.waitFor({ state: 'detached' })
    }
    await expectText(page.getByRole('banner'), 'Live')
    await comment.fill('Fine with me.')
    const end = host.answer(/event-stream/, redirect)
    host.breakStreams()
    await comeBack(end)
    await expectText(page.getByRole('banner'), 'Live')

    const endOfSteps = host.answer(/^PUT .*\/state/, page200)
    await button('Approve').click()
    await comeBack(endOfSteps)
    expect(await comment.inputValue()).toBe('Fine with me.')
    await button('Approve').click()
    await expectText(state, /Approved/)

    const downloads: unknown[] = []
    page.on('download', (download) => downloads.push(download))
    await page.getByRole('link', { name: 'Log' }).first().click()
    await page.locator('summary', { hasText: 'Export' }).click()
    const endOfExports = host.answer(/text\/csv/, page200)
    await button(/^CSV/).click()
    await comeBack(endOfExports)
    await expectText(page.getByRole('region', { name: 'Export' }), /Nothing was saved. You are signed out/)
    expect(downloads).toEqual([])
  })
})

describe('the account menu', () => {
  it('shows the user, and closes with Escape, also on a phone at 400 % zoom', async () => {
    host = await startHost()
    const page = await browser.visit({ ...host.as('ben'), viewport: { width: 320, height: 256 } })
    await tabTo(accountMenu(page))
    await page.keyboard.press('Enter')
    const menu = page.getByRole('banner').locator('.menu-list')
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

  it('signs out of the host, and removes typed texts from the tab', async () => {
    host = await startHost()
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
  it('counts what needs the viewer, live and on each screen, while the viewer is signed in', async () => {
    host = await startHost()
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

  it('has the same limit as the inbox', async () => {
    host = await startHost()
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

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(people.ben.key)
  await page.keyboard.press('Enter')
}
