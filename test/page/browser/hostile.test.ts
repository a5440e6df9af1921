import type { Page } from 'playwright-core'
import { isNightly } from '../../support/nightly'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost
let id: number

/** Each would have an effect if it were not shown as text. */
const texts = {
  html: `</p><img src=x onerror="document.title='caught'"><script>document.title='caught'</script><b>bold</b>`,
  markdown: '[click](javascript:alert(1)) **bold** ![x](https://example.com/x.png) <https://example.com>',
  'right-to-left marks': 'left \u202Eright to left \u2067and more \u200Fמשהו',
  'a long word': 'long'.repeat(40),
}
/** Titles must not contain characters that change the text direction, or line ends. */
const title = `${texts.html} ${texts.markdown}`.slice(0, 200)
const hostile = Object.values(texts).join(' ')
const comment = `${hostile}\n${'w'.repeat(10_000)}`.slice(0, 10_000)

const strategy = {
  action: 'addStrategy',
  feature: 'checkout',
  payload: {
    name: 'flexibleRollout',
    title: hostile,
    parameters: { rollout: '5', stickiness: hostile, groupId: hostile },
    constraints: [{ contextName: hostile, operator: 'IN', values: [hostile, ...Object.values(texts)] }],
    variants: [
      {
        name: hostile,
        weight: 1000,
        weightType: 'variable',
        stickiness: 'default',
        payload: { type: 'string', value: hostile },
      },
    ],
  },
}
const segment = { action: 'updateSegment', payload: { id: 1, name: hostile, description: hostile, constraints: [] } }

beforeAll(async () => {
  host = await startHost()
  id = await host.inReview([strategy, segment], title)
  await host.comment('ann', id, comment)
  await host.setState('ben', id, 'Approved', { comment })
  await host.setState('ben', id, 'Scheduled', { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
  await host.setState('ben', id, 'Rejected', { comment: hostile })
  const other = await host.propose(strategy, undefined, 'cara')
  await host.setState('cara', other, 'Applied', { emergency: { reason: comment.slice(0, 1_000) } })
  await host.inReview([strategy, segment], title, 'fay')
})
afterAll(() => host.close())

/** In the gate only the narrow one. */
const widths = isNightly ? [320, 1280] : [320]
const addresses = () => ({
  inbox: '/?needs=all',
  log: '/log',
  search: `/log?query=${encodeURIComponent(hostile.slice(0, 100))}&feature=${encodeURIComponent(texts.html)}`,
  request: requestPath(id),
  emergency: requestPath(id + 1),
  'in review': requestPath(id + 2),
})

/** Checks that no text was executed or rendered, and that nothing is wider than the window. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.title()).not.toBe('caught')
  const made = page
    .getByRole('main')
    .locator('img, script, b:text-is("bold"), [href]:not([href^="/"], [href^="#"], .said a)')
  expect(await made.evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML))).toEqual([])
  for (const link of await page.locator('.said a').all()) {
    const text = await link.textContent()
    expect([text?.startsWith('https://example.com'), await link.getAttribute('href')]).toEqual([true, text])
  }
  expect(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBeLessThanOrEqual(0)
}

/** Texts with marks that change the direction of the text after them, in no element that isolates them. */
function leaks(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = []
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!/[\\u202A-\\u202E\\u2066-\\u2069]/.test(node.data)) continue
      const { unicodeBidi, display } = getComputedStyle(node.parentElement)
      const alone = node.parentElement.childNodes.length === 1 && display !== 'inline'
      if (!/isolate|plaintext/.test(unicodeBidi) && !alone) found.push(node.parentElement.outerHTML.slice(0, 200))
    }
    return found
  })()`)
}

describe('texts of other users', () => {
  it.each(widths)('are shown as text on every screen, %d px wide', async (width) => {
    const page = await browser.visit({ ...host.as('ben', '/keys'), viewport: { width, height: 800 } })
    for (const [screen, address] of Object.entries(addresses())) {
      await page.goto(host.url(address))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('main').getByText('bold').filter({ visible: true }).first().waitFor()
      for (const button of await page.getByRole('button', { name: /JSON|What changed|^Unified/ }).all())
        await button.click()
      await expectHarmless(page)
      expect({ screen, leaks: await leaks(page) }).toEqual({ screen, leaks: [] })
    }
  })

  it('are returned unchanged, or rejected with the reason and kept in their field', async () => {
    const page = await browser.visit(host.as('fay', requestPath(id + 2)))
    const { say, button, main } = requestScreen(page)
    await button('Rename').click()
    await page.getByRole('textbox', { name: /Title/ }).fill(texts.html)
    await page.keyboard.press('Enter')
    await expectText(page.getByRole('heading', { level: 1 }), texts.html)
    await say.fill(comment)
    await button(/^Comment$/)
      .last()
      .click()
    const written = main.getByRole('article').filter({ hasText: 'wwwwwwwwww' })
    await written.waitFor()
    expect((await written.textContent())?.includes(comment.slice(-5_000))).toBe(true)
    await expectHarmless(page)

    await button('Rename').click()
    const field = page.getByRole('textbox', { name: /Title/ })
    await field.fill('left \u202Eright to left')
    await page.keyboard.press('Enter')
    await expectText(main, /U\+202E is not allowed/)
    expect(await field.inputValue()).toBe('left \u202Eright to left')
  })
})

describe('invisible characters', () => {
  it('are marked in a change, with one warning; JSON keeps its value and comments their lines', async () => {
    const values = ['SE ', 'N\u200bO', '@\u202emoc.elpmaxe']
    const payload = {
      ...{ name: 'flexibleRollout', title: 'Half  of them ' },
      parameters: { rollout: '5', stickiness: 'default', groupId: 'checkout' },
      constraints: [{ contextName: 'country', operator: 'IN', values }],
    }
    const changes = [{ action: 'addStrategy', feature: 'checkout', payload }, enable('checkout', false)]
    const odd = await host.inReview(changes, 'Only some', 'cara')
    await host.comment('ann', odd, 'one\n\ntwo\u200b')
    const page = await browser.visit(host.as('ben', requestPath(odd)))
    const { main } = requestScreen(page)
    await expectText(main, "This change contains characters that can't be seen.")
    expect(await main.getByText("characters that can't be seen").count()).toBe(1)
    const text = await main.textContent()
    for (const shown of ['Strategy “Half␣␣of them␣”', 'SE␣', 'N[U+200B]O', '@[U+202E]moc.elpmaxe'])
      expect(text).toContain(shown)
    await main.getByText('two[U+200B]').waitFor()
    // biome-ignore lint/performance/useDomNodeTextContent: the marks of line breaks are hidden in a comment
    expect(await main.locator('.said').innerText()).toBe('one\n\ntwo[U+200B]')
    await main.getByRole('button', { name: /^JSON of Strategy/ }).click()
    const json = (await main.getByRole('region', { name: /^JSON of Strategy/ }).textContent()) ?? ''
    expect(json).toContain('"N\\u200bO"')
    expect(JSON.parse(json)).toMatchObject({ title: payload.title, constraints: [{ values }] })
  })
})
