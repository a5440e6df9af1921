import { useBrowser } from '../support/browser'
import { openScreen, screens } from '../support/screens'
import { type Showcase, startShowcase } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

const shown = ['inbox, all', 'request', 'schedule', 'log', 'log, one event', 'settings', 'suspended']

/** Days and times in English. */
const english = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|\d [AP]M\b/

describe.each([
  ['de-DE', /\d\d?\. [A-ZÄ][a-zä]{2,4}\.?,? /, '1.234.567,5'],
  ['ja-JP', /\d\d?月\d\d?日\([月火水木金土日]\)/, '1,234,567.5'],
  ['ar-EG', /[٠-٩]{1,2} [\u0620-\u064a]+/, '١٬٢٣٤٬٥٦٧٫٥'],
])('in a browser in %s', (locale, date, number) => {
  it('dates and numbers have its format, and words are English', async () => {
    const page = await browser.visit({ ...showcase.host.as('ben'), locale, timezoneId: 'Europe/Oslo' })
    expect(await page.evaluate('new Intl.NumberFormat().format(1234567.5)')).toBe(number)
    for (const screen of screens.filter(([name]) => shown.includes(name))) {
      await openScreen(page, showcase, screen)
      expect([screen[0], english.exec((await page.locator('main').textContent()) ?? '')]).toEqual([screen[0], null])
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
    }
    await openScreen(page, showcase, screens.find(([name]) => name === 'schedule') as never)
    await expectText(page.getByRole('dialog'), date)
  })
})

describe('dates of a right-to-left locale', () => {
  it('keep the order of the sentence', async () => {
    const page = await browser.visit({ ...showcase.host.as('ben'), locale: 'ar-EG' })
    await openScreen(page, showcase, screens.find(([name]) => name === 'request') as never)
    await expectText(page.getByRole('main'), /\u2068[٠-٩]+\u00a0%\u2069 → \u2068٧٥\u00a0%\u2069/)
  })
})
