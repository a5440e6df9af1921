import { useBrowser } from '../support/browser'
import { expectFocus, focused, hasFocus, tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
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
  it('a moves the focus to Approve and never votes', async () => {
    const { page, button } = await open()
    await page.keyboard.press('a')
    await expectFocus(button('Approve'))
    await page.keyboard.press('a')
    expect(host.received(/^PUT/)).toEqual([])
  })

  it('are off in fields', async () => {
    const { page, comment } = await open()
    await comment.focus()
    await page.keyboard.type('a r s g l ?')
    expect(await comment.inputValue()).toBe('a r s g l ?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('are listed by ?, where single keys can be switched off', async () => {
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
  it('goes into a dialog, stays there, and comes back to its button', async () => {
    const { page, button, dialog } = await open()
    await tabTo(button('Reject…'))
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

  it('begins with a way past the top bar, and goes through effects, changes, decision and discussion', async () => {
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

  it('goes to the heading of a screen that a link leads to', async () => {
    const { page } = await open()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(await focused(page)).toMatch(/^h1 Settings/)
  })

  it('is not lost when a step takes its button away', async () => {
    const { page, button, state } = await open()
    await tabTo(button('Approve'))
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
