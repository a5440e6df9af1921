import type { Page } from 'playwright-core'
import { isNightly } from '../../support/nightly'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { heading, openScreen, screens, text } from '../support/screens'
import { type Showcase, startShowcase } from '../support/showcase'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

const modes = [320, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
type Mode = (typeof modes)[number]

/** All of them nightly; in the gate one for each screen, another than for the screen before. */
const modesOf = (screen: number, possible = modes) =>
  isNightly ? possible : possible.filter((_, mode) => mode === screen % possible.length)

describe('what axe-core finds', () => {
  it('is nothing on any screen', async () => {
    const page = await browser.visit(showcase.host.as('ben'))
    const found: Record<string, string[]> = {}
    for (const [index, screen] of screens.entries()) {
      const [name] = screen
      // The keys have no button where there is no room for one.
      const possible = name === 'keys' ? modes.filter(({ width }) => width > 400) : modes
      for (const mode of modesOf(index, possible)) {
        await turnTo(page, mode)
        await openScreen(page, showcase, screen)
        found[`${name}, ${mode.width} px, ${mode.scheme}`] = await findingsOn(page)
      }
    }
    expect(Object.keys(found).length).toBeGreaterThanOrEqual(screens.length)
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
  })

  it.each(modesOf(1))('is nothing for who may little or is not signed in, $width px wide, $scheme', async (mode) => {
    const page = await browser.visit(showcase.host.as('eve'))
    await turnTo(page, mode)
    await page.goto(showcase.host.url('/log'))
    await text(/READ_EVENTS/)(page)
    const log = await findingsOn(page)
    await page.context().clearCookies()
    await page.reload()
    await heading(/Sign in first/)(page)
    expect([log, await findingsOn(page)]).toEqual([[], []])
  })
})

async function turnTo(page: Page, { width, scheme }: Mode): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme: scheme })
}

async function findingsOn(page: Page): Promise<string[]> {
  const found = await findings(page)
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return isWide ? [...found, 'it scrolls sideways'] : found
}
