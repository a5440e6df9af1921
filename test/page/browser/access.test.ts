import type { Page } from 'playwright-core'
import { isNightly } from '../../support/nightly'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import type { PersonName } from '../support/people'
import { requestPath } from '../support/request-screen'
import { type Showcase, startShowcase } from '../support/showcase'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

type Ready = (page: Page) => Promise<unknown>

const heading =
  (name: RegExp): Ready =>
  (page) =>
    page.getByRole('heading', { level: 1, name }).waitFor()
const text =
  (words: RegExp): Ready =>
  (page) =>
    page.getByText(words).filter({ visible: true }).first().waitFor()
const dialog =
  (name: string): Ready =>
  async (page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').waitFor()
  }

/** Each screen and what can stand on it: its address, and when it is there. */
const screens: readonly (readonly [
  name: string,
  address: (shown: Showcase) => string,
  ready: Ready,
  who?: PersonName,
])[] = [
  ['inbox', () => '', text(/Half of all searches/)],
  ['inbox, all', () => '/?needs=all', text(/Search is down/)],
  ['inbox, nothing found', () => '/?needs=all&query=xyzzy', text(/^Nothing|^No /)],
  ['log', () => '/log', text(/requested a review/)],
  ['log, one event', () => '/log?feature=checkout', openEvent],
  ['settings', () => '/settings', text(/^A change of a flag named pay\* needs/)],
  ['nowhere', () => '/no/such/place', heading(/./)],
  ['not there', () => requestPath(999), text(/not found/i)],
  ['request', ({ review }) => requestPath(review), heading(/Cards for many/)],
  ['keys', ({ review }) => requestPath(review), dialog('Keyboard shortcuts')],
  ['reject', ({ overwrite }) => requestPath(overwrite), dialog('Reject…')],
  ['overwrite', ({ overwrite }) => requestPath(overwrite), text(/Would undo/)],
  ['conflict', ({ conflict }) => requestPath(conflict), text(/Strategy has been deleted/)],
  ['suspended', ({ suspended }) => requestPath(suspended), text(/will not run on/)],
  ['emergency', ({ emergency }) => requestPath(emergency), text(/needs acknowledgement/)],
  ['acknowledge', ({ emergency }) => requestPath(emergency), dialog('Acknowledge…')],
  ['applied', ({ applied }) => requestPath(applied), heading(/A little more checkout/)],
  ['approved', ({ approved }) => requestPath(approved), text(/Apply to/)],
  ['schedule', ({ approved }) => requestPath(approved), dialog('Schedule…')],
  ['rebase', ({ overwrite }) => requestPath(overwrite), choose('Theirs'), 'fay'],
  ['draft', ({ draft }) => requestPath(draft), text(/only you can see it/), 'kim'],
  ['in emergency', ({ review }) => requestPath(review), dialog('Apply in emergency…'), 'cara'],
  ['revert', ({ applied }) => requestPath(applied), dialog('Revert…'), 'cara'],
  ['rejected', ({ rejected }) => requestPath(rejected), text(/Not on a Friday/)],
]

const modes = [320, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
type Mode = (typeof modes)[number]

/** All of them nightly; in the gate one for each screen, another than for the screen before. */
const modesOf = (screen: number, possible = modes) =>
  isNightly ? possible : possible.filter((_, mode) => mode === screen % possible.length)

describe('what axe-core finds', () => {
  it('is nothing on any screen', async () => {
    const { host } = showcase
    const page = await browser.visit(host.as('ben'))
    const found: Record<string, string[]> = {}
    for (const [index, [name, address, ready, who = 'ben']] of screens.entries()) {
      await page.context().addCookies([{ name: 'person', value: who, url: host.url() }])
      // The keys have no button where there is no room for one.
      const possible = name === 'keys' ? modes.filter(({ width }) => width > 400) : modes
      for (const mode of modesOf(index, possible)) {
        await turnTo(page, mode)
        await page.goto(host.url(address(showcase)))
        await ready(page)
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

function choose(name: string): Ready {
  return (page) => page.getByRole('radio', { name }).check()
}

async function openEvent(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^What changed/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'JSON' }).first().click()
}
