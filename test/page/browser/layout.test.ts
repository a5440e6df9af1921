import { useBrowser } from '../support/browser'
import { requestPath } from '../support/request-screen'
import { type Showcase, startShowcase } from '../support/showcase'
import { until } from '../support/waits'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

/**
 * What can be pressed and is lower or narrower than 24 px, in the tools than 40 px. Without links in a line of text, and those
 * whose row can be pressed.
 */
const tooSmall = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.vh, .skip, [inert]'))
  .filter((one) => getComputedStyle(one).display !== 'inline' && getComputedStyle(one, '::after').position !== 'absolute')
  .map((one) => ({ one, box: one.getBoundingClientRect(), least: one.closest('.tools') ? 40 : 24 }))
  .filter(({ box, least }) => box.width > 1 && (box.width < 24 || box.height < least))
  .map(({ one, box }) => one.outerHTML.slice(0, 80) + ' ' + Math.round(box.width) + 'x' + Math.round(box.height))`

describe('on a phone', () => {
  it.each([
    ['the inbox', () => '/', 'Cards for many'],
    ['a change request', () => requestPath(showcase.review), 'Requirements'],
    ['the log', () => '/log', 'requested a review'],
    ['the settings', () => '/settings?project=default', 'Approvals needed'],
  ])('what can be pressed is large enough: %s', async (_, path, text) => {
    const page = await browser.visit({ ...showcase.host.as('dan', path()), viewport: { width: 390, height: 844 } })
    await until(async () => ((await page.getByRole('main').textContent()) ?? '').includes(text), 'it is shown')
    expect(await page.evaluate<string[]>(tooSmall)).toEqual([])
  })
})

describe('a bar that comes and goes', () => {
  it.each([
    [1280, 0],
    [1280, 200],
    [390, 200],
  ])('moves nothing on a screen of %i px that is scrolled by %i px', async (width, scrolled) => {
    const place = showcase.host.as('dan', requestPath(showcase.review))
    const page = await browser.visit({ ...place, viewport: { width, height: 700 } })
    await page.getByText('Requirements').first().waitFor()
    await page.evaluate(`window.scrollTo(0, ${scrolled})`)
    const top = () => page.evaluate<number>(`document.querySelector('.req-head').getBoundingClientRect().top`)
    const bar = page.getByText('No network').first()
    const before = await top()
    await page.context().setOffline(true)
    await bar.waitFor()
    expect(await top()).toBe(before)
    await page.context().setOffline(false)
    await bar.waitFor({ state: 'detached' })
    expect(await top()).toBe(before)
  })
})
