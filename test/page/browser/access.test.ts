import type { Page } from 'playwright-core'
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
  ['log', () => '/log', text(/gave an approval/)],
  ['log, one event', () => '/log?feature=checkout', openEvent],
  ['settings', () => '/settings', text(/^A change of a flag named pay\* needs/)],
  ['nowhere', () => '/no/such/place', heading(/./)],
  ['not there', () => requestPath(999), text(/nothing here/i)],
  ['request', ({ review }) => requestPath(review), heading(/Cards for many/)],
  ['keys', ({ review }) => requestPath(review), dialog('Keyboard shortcuts')],
  ['reject', ({ overwrite }) => requestPath(overwrite), dialog('Reject…')],
  ['overwrite', ({ overwrite }) => requestPath(overwrite), text(/Would undo/)],
  ['conflict', ({ conflict }) => requestPath(conflict), text(/Strategy has been deleted/)],
  ['suspended', ({ suspended }) => requestPath(suspended), text(/will not run on/)],
  ['emergency', ({ emergency }) => requestPath(emergency), text(/needs a second look/)],
  ['second look', ({ emergency }) => requestPath(emergency), dialog('I have looked at it…')],
  ['applied', ({ applied }) => requestPath(applied), heading(/A little more checkout/)],
  ['approved', ({ approved }) => requestPath(approved), text(/Apply to/)],
  ['schedule', ({ approved }) => requestPath(approved), dialog('Schedule…')],
  ['rebase', ({ overwrite }) => requestPath(overwrite), choose('Theirs'), 'fay'],
  ['draft', ({ draft }) => requestPath(draft), text(/only you can see it/), 'kim'],
  ['in emergency', ({ review }) => requestPath(review), dialog('Apply in emergency…'), 'cara'],
  ['revert', ({ applied }) => requestPath(applied), dialog('Revert…'), 'cara'],
  ['rejected', ({ rejected }) => requestPath(rejected), text(/Not on a Friday/)],
]

const widths = [320, 1280]

describe('what axe-core finds in light and dark', () => {
  it.each(widths)('is nothing on any screen, %d px wide', async (width) => {
    const { host } = showcase
    const page = await browser.visit({ ...host.as('ben'), viewport: { width, height: 800 } })
    const found: Record<string, string[]> = {}
    for (const [name, address, ready, who = 'ben'] of screens) {
      // The keys have no button where there is no room for one.
      if (name === 'keys' && width < 400) continue
      await page.context().addCookies([{ name: 'person', value: who, url: host.url() }])
      await page.goto(host.url(address(showcase)))
      await ready(page)
      found[name] = await inBothSchemes(page)
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
  })

  it.each(widths)('is nothing for who may little or is not signed in, %d px wide', async (width) => {
    const page = await browser.visit({ ...showcase.host.as('eve', '/log'), viewport: { width, height: 800 } })
    await text(/READ_EVENTS/)(page)
    const log = await inBothSchemes(page)
    await page.context().clearCookies()
    await page.reload()
    await heading(/Sign in first/)(page)
    expect([log, await inBothSchemes(page)]).toEqual([[], []])
  })
})

async function inBothSchemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await findings(page)).map((finding) => `${colorScheme}: ${finding}`))
  }
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
