import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { expectFocus, focused, hasFocus } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const express4 = require(join(__dirname, '../../../node_modules/express4'))

describe('addresses', () => {
  let host: PageHost
  let id: number

  beforeAll(async () => {
    host = await startHost({ mount: '/tools/flags/review', express: express4 })
    id = await host.inReview(enable('checkout'), 'The new checkout')
    await host.inReview(enable('dark-mode'), 'Dark mode', 'fay')
  })
  afterAll(() => host.close())

  it('of a change request can be shared, reloaded, and left with back and forward', async () => {
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

  it('are one history entry each, with their scroll position', async () => {
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), viewport: { width: 1280, height: 300 } })
    const { state } = requestScreen(page)
    const top = () => page.evaluate<number>('scrollY')
    const scrolledTo = (wanted: number) => until(async () => (await top()) === wanted, `the page is at ${wanted}`)
    const scroll = async (to: number) => {
      await page.mouse.move(640, 200)
      await page.mouse.wheel(0, to - (await top()))
      await until(() => page.evaluate<boolean>(`history.state?.top === ${to}`), `the entry keeps ${to}`)
    }
    // A click that does not scroll.
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

  it('of a comment and of a change scroll to it, also by back and forward', async () => {
    const last = Array.from({ length: 8 }, (_, n) => `Comment ${n}\n`.repeat(10))
    for (const text of last) await host.comment('fay', id, text)
    const visit = { ...host.as('ben', requestPath(id)), viewport: { width: 1280, height: 400 } }
    const before = await browser.visit(visit)
    const link = before.locator('a[href^="#comment-"]').last()
    const comment = (await link.getAttribute('href')) ?? ''
    const change = await before.evaluate<string>(`'#' + document.querySelector('[data-change]').id`)
    const page = await browser.visit({ ...visit, url: visit.url + comment })
    const isAt = (hash: string) => {
      const top = `document.querySelector('${hash}')?.getBoundingClientRect().top`
      return until(
        () => page.evaluate<boolean>(`location.hash === '${hash}' && ${top} >= 0 && ${top} < innerHeight`),
        hash,
      )
    }
    await isAt(comment)
    await page.evaluate(`location.hash = '${change}'`)
    await isAt(change)
    await page.goBack()
    await isAt(comment)
    await page.reload()
    await isAt(comment)
  })

  it('of the inbox contain the tab and the search', async () => {
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

  it('of no screen show that, with a link to the inbox', async () => {
    const page = await browser.visit(host.as('ben', requestPath(999)))
    await expectText(page.getByRole('main'), /There is no change request 999|not found/i)
    await page.goto(host.url('/no/such/place'))
    await page.getByRole('main').getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  })

  it('of a screen that cannot be loaded show that, and other screens work', async () => {
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
})

describe('a flag whose name must be escaped', () => {
  let host: PageHost

  /** Contains separators of paths, queries and lists. */
  const name = 'team/checkout, β?#%2C'

  beforeAll(async () => {
    host = await startHost({ featureNames: 'any' })
    await host.addFlags([name, 'team/checkout'])
  })
  afterAll(() => host.close())

  const events = (page: Page) => page.getByRole('region', { name: 'Events' }).getByRole('listitem')
  const flag = (page: Page) => page.getByRole('main').getByText(name, { exact: true }).filter({ visible: true }).first()

  it('is proposed from a link, reviewed, applied, and in the log', async () => {
    const query = new URLSearchParams({ project: 'default', environment: 'production', feature: name })
    const page = await browser.visit(host.as('ann', `/new?${query}`))
    await page.getByRole('switch', { name: 'Flag in production' }).click()
    const open = page.getByRole('button', { name: 'Propose…' }).first()
    await expectOff(open, false)
    await open.click()
    await page.getByRole('button', { name: 'Send to review' }).click()
    await expectText(requestScreen(page).state, /In review/)
    const id = Number(/change-requests\/(\d+)/.exec(page.url())?.[1])
    await flag(page).waitFor()

    await host.setState('ben', id, 'Approved')
    await host.setState('ben', id, 'Applied')
    await host.recordFlag('default', name)
    const log = await browser.visit(host.as('ben', '/log'))
    await log.keyboard.press('f')
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

describe('a change request by keyboard', () => {
  let host: PageHost
  let id: number

  beforeAll(async () => {
    host = await startHost()
    id = await host.inReview([enable('checkout'), roll('checkout', 'checkout-half', '75')], 'The new checkout')
  })
  afterAll(() => host.close())

  const open = async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const screen = requestScreen(page)
    await screen.button('Approve').waitFor()
    return { page, ...screen }
  }

  describe('keys', () => {
    it('a focuses Approve and never votes, and none works in fields', async () => {
      const { page, button, comment } = await open()
      await page.keyboard.press('a')
      await expectFocus(button('Approve'))
      await page.keyboard.press('a')
      expect(host.received(/^PUT/)).toEqual([])
      await comment.focus()
      await page.keyboard.type('a r s g l ?')
      expect(await comment.inputValue()).toBe('a r s g l ?')
      expect(await page.getByRole('dialog').count()).toBe(0)
    })

    it('are listed by ?, where single keys can be disabled', async () => {
      const { page, button } = await open()
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Approve').waitFor()
      await dialog.getByRole('checkbox').uncheck()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('a')
      expect(await hasFocus(button('Approve'))).toBe(false)
      await page.keyboard.press('g')
      await page.keyboard.press('l')
      expect(page.url()).toBe(host.url(requestPath(id)))
    })

    it('g l and g i go to the log and the inbox, where j and Enter open a change request', async () => {
      const { page } = await open()
      await page.keyboard.press('g')
      await page.keyboard.press('l')
      await page.getByRole('heading', { level: 1, name: 'Log' }).waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('i')
      await page.getByRole('link', { name: 'The new checkout' }).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'The new checkout' }).waitFor()
    })
  })

  describe('the focus', () => {
    it('moves into a dialog, stays there, and returns to its button', async () => {
      const { page, button, dialog } = await open()
      await button('Reject…').focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      for (let steps = 0; steps < 8; steps += 1) {
        expect(
          await page.evaluate(
            'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
          ),
        ).toBe(true)
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expectFocus(button('Reject…'))
    })

    it('begins with a skip link, and goes through effects, changes, decision and discussion', async () => {
      const { page } = await open()
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press('Tab')
      await until(async () => (await focused(page)) === 'button Skip to content', 'the way past has the focus')
      await page.keyboard.press('Enter')
      const names: string[] = []
      for (let steps = 0; steps < 40; steps += 1) {
        await page.keyboard.press('Tab')
        names.push(await focused(page))
      }
      const places = [/ checkout$/, /JSON/, /Comment with it/, / Approve$/, / Reject…$/, /textarea Comment$/].map(
        (name) => names.findIndex((found) => name.test(found)),
      )
      expect({ names, places }).toEqual({
        names,
        places: [...places].filter((place) => place >= 0).sort((one, other) => one - other),
      })
    })

    it('moves to the heading of a linked screen', async () => {
      const { page } = await open()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect(await focused(page)).toMatch(/^h1 Settings/)
    })

    it('is not lost when a step removes its button', async () => {
      const { page, button, state } = await open()
      await button('Approve').focus()
      await page.keyboard.press('Enter')
      await expectText(state, /Approved/)
      await button('Approving…').waitFor({ state: 'detached' })
      await button('Approve').waitFor({ state: 'detached' })
      await until(
        async () => (await page.evaluate('document.activeElement.tagName')) !== 'BODY',
        'something has the focus',
      )
    })
  })
})
