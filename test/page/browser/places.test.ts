import { join } from 'node:path'
import { isNightly } from '../../support/nightly'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const express4 = require(join(__dirname, '../../../node_modules/express4'))
let host: PageHost
let id: number

const hosts = [
  { on: 'Express 5', options: {} },
  { on: 'Express 4, below a nested prefix', options: { mount: '/tools/flags/review', express: express4 } },
]

/** All other tests of the page have the first of them. */
const chosen = isNightly ? hosts : hosts.slice(1)

describe.each(chosen)('addresses, on $on', ({ options }) => {
  beforeAll(async () => {
    host = await startHost(options)
    id = await host.inReview(enable('checkout'), 'The new checkout')
    await host.inReview(enable('dark-mode'), 'Dark mode', 'fay')
  })
  afterAll(() => host.close())

  it('of a change request can be shared, reloaded and left by back and forward', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { state } = requestScreen(page)
    await expectText(state, /In review/)
    await page.reload()
    await expectText(state, /In review/)
    await page
      .getByRole('link', { name: /^Inbox/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await page.goBack()
    await expectText(state, /In review/)
    expect(page.url()).toBe(host.url(requestPath(id)))
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  })

  it('are kept with how far one scrolled, and are one entry of the history each', async () => {
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), viewport: { width: 1280, height: 300 } })
    const { state } = requestScreen(page)
    const top = () => page.evaluate<number>('scrollY')
    const scrolledTo = (wanted: number) => until(async () => (await top()) === wanted, `the page is at ${wanted}`)
    const scroll = async (to: number) => {
      await page.mouse.move(640, 200)
      await page.mouse.wheel(0, to - (await top()))
      await until(() => page.evaluate<boolean>(`history.state?.top === ${to}`), `the entry keeps ${to}`)
    }
    // A press that scrolls nothing.
    const link = (name: RegExp) => page.getByRole('banner').getByRole('link', { name })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })

    await expectText(state, /In review/)
    await scroll(210)
    await page.reload()
    await expectText(state, /In review/)
    await scrolledTo(210)

    await link(/^Log/).dispatchEvent('click')
    await heading('Log').waitFor()
    await scrolledTo(0)
    const entries = () => page.evaluate<number>('history.length')
    const before = await entries()
    await link(/^Log/).dispatchEvent('click')
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    expect(await entries()).toBe(before)
    await scroll(120)
    await page.goBack()
    await expectText(state, /In review/)
    await scrolledTo(210)
    await scroll(90)
    await page.goForward()
    await heading('Log').waitFor()
    await scrolledTo(120)
    await page.goBack()
    await scrolledTo(90)

    await page.goto(host.url('/?needs=all'))
    await page.getByRole('link', { name: 'Dark mode' }).waitFor()
    await scroll(100)
    await page.getByRole('link', { name: 'Dark mode' }).dispatchEvent('click')
    await expectText(state, /In review/)
    await page.reload()
    await page.goBack()
    await page.getByRole('link', { name: 'Dark mode' }).waitFor()
    await scrolledTo(100)
  })

  it('of the inbox hold the tab and the search', async () => {
    const page = await browser.visit(host.as('ben'))
    await page.getByRole('link', { name: /^All/ }).click()
    await page.getByRole('link', { name: 'The new checkout' }).waitFor()
    await page.getByRole('searchbox').fill('dark')
    await page.waitForURL(/\bquery=dark\b/)
    await page.getByRole('link', { name: 'The new checkout' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Dark mode' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Dark mode' }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('dark')
    expect(await page.getByRole('link', { name: 'The new checkout' }).count()).toBe(0)
  })

  it('that lead nowhere say so, and lead back', async () => {
    const page = await browser.visit(host.as('ben', '/no/such/place'))
    await page.getByRole('main').getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  })

  it('of a screen that cannot be loaded say so, and the others are there', async () => {
    const end = host.refuse(/\/log-[^/]*\.js/, { status: 503, name: 'UnavailableError' })
    const page = await browser.visit(host.as('ben'))
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })
    await page.getByRole('link', { name: 'Log' }).click()
    await heading('Reload the page').waitFor()
    await page
      .getByRole('link', { name: /^Inbox/ })
      .first()
      .click()
    await heading('Inbox').waitFor()
    await page.getByRole('link', { name: 'Log' }).click()
    await heading('Reload the page').waitFor()
    end()
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await heading('Log').waitFor()
  })

  it('of what one may not see, or is not there, say so', async () => {
    const page = await browser.visit(host.as('ben', requestPath(999)))
    await expectText(page.getByRole('main'), /There is no change request 999|not found/i)
  })

  it('whose part of the page cannot be loaded say so, and the others go on', async () => {
    const page = await browser.visit(host.as('ben'))
    await page.getByRole('link', { name: 'The new checkout' }).waitFor()
    await page.route(/\/assets\/log-/, (route) => route.abort())
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    await page.getByRole('button', { name: 'Reload the page' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'The new checkout' }).waitFor()
  })
})
