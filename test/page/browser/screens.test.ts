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

interface Mode {
  readonly width: number
  readonly scheme: 'light' | 'dark'
  readonly forcedColors?: 'active' | 'none'
}

/** 320 px are a phone, and 1,280 px enlarged to 400 %. */
const modes: readonly Mode[] = [320, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
)
const nightlyModes: readonly Mode[] = [...modes, { width: 1280, scheme: 'light', forcedColors: 'active' }]

/** Together they have all parts of the page. */
const gateScreens = [
  ...[
    'inbox, all',
    'schedule, four weeks',
    'log, one event',
    'settings',
    'request',
    'overwrite',
    'conflict',
    'objection',
    'emergency',
    'rebase',
    'draft',
  ],
  ...[
    'ask reviewers',
    'schedule',
    'find a flag',
    'own open request',
    'flag, edited',
    'propose an edit',
    'revert, own open request',
  ],
]

/** Nightly each screen in each mode; in the gate some screens, each in another mode. */
const walked = screens.flatMap((screen, index) => {
  const [name] = screen
  // Narrow screens have no button for the keys.
  const possible = (isNightly ? nightlyModes : modes).filter(({ width }) => name !== 'keys' || width > 400)
  if (isNightly) return possible.map((mode) => ({ screen, mode }))
  return gateScreens.includes(name) ? possible.slice(index % 4, (index % 4) + 1).map((mode) => ({ screen, mode })) : []
})

describe('a screen', () => {
  it('has no findings of axe-core, does not scroll sideways, and marks invisible characters', async () => {
    const page = await browser.visit(showcase.host.as('ben', '/keys'))
    await page.route('**/api/admin/**', async (route) => {
      if ((await route.request().headerValue('accept'))?.includes('event-stream')) return route.continue()
      // Names of flags are parts of URLs, too.
      const response = await route.fetch({ url: route.request().url().replace(encodeURIComponent(unseen), '') })
      // Descriptions of fields are written by the host.
      if (!response.headers()['content-type']?.includes('json') || route.request().url().includes('/actions'))
        return route.fulfill({ response })
      return route.fulfill({ response, json: withUnseen(await response.json()) })
    })
    const found: Record<string, string[]> = {}
    for (const { screen, mode } of walked) {
      await turnTo(page, mode)
      await openScreen(page, showcase, screen)
      const problems = [...(await findingsOn(page)), ...(await page.evaluate<string[]>(unmarked))]
      if (problems.length > 0) found[`${screen[0]}, ${Object.values(mode).join(', ')}`] = problems
      expect(await page.locator('.unseen').count()).toBeGreaterThan(0)
    }
    expect(found).toEqual({})
    expect(walked.length).toBeGreaterThanOrEqual(gateScreens.length)
  })

  it('has no findings of axe-core for a user without permissions, and before the sign-in', async () => {
    const page = await browser.visit(showcase.host.as('eve'))
    await turnTo(page, { width: 320, scheme: 'dark' })
    await page.goto(showcase.host.url('/log'))
    await text(/READ_EVENTS/)(page)
    const log = await findingsOn(page)
    await page.context().clearCookies()
    await page.reload()
    await heading(/Sign in first/)(page)
    expect([log, await findingsOn(page)]).toEqual([[], []])
  })
})

async function turnTo(page: Page, { width, scheme, forcedColors = 'none' as const }: Mode): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme: scheme, forcedColors })
}

async function findingsOn(page: Page): Promise<string[]> {
  const found = await findings(page)
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return isWide ? [...found, 'it scrolls sideways'] : found
}

/** Each differs from a text that looks the same. */
const unseen = '\u200b\u00a0\t\u202e '

/** Properties with free text of a user or the host. Names of projects and environments are parts of URLs. */
const freeTexts: ReadonlySet<string> = new Set([
  ...[
    'title',
    'username',
    'name',
    'reason',
    'text',
    'comment',
    'summary',
    'createdBy',
    'groups',
    'conflict',
    'description',
  ],
  ...['contextName', 'values', 'value', 'stickiness', 'groupId', 'feature', 'lastError'],
])

/** The response with an invisible character at the end of each such text. */
function withUnseen(answer: unknown, property = ''): unknown {
  if (property === 'summary' && typeof answer === 'string') return answer.replace(/\b\*\*/, `${unseen}**`)
  if (typeof answer === 'string') return freeTexts.has(property) ? answer + unseen : answer
  if (Array.isArray(answer)) return answer.map((one) => withUnseen(one, property))
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withUnseen(value, name)]))
}

/** Texts, labels and tooltips with invisible characters, and ends of values without a mark. */
const unmarked = `(() => {
  const raw = /[\\u200b\\u202e\\t]|(?<!\\d)\\u00a0|\\u00a0(?!%|min|h|d|s)/
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode
    const isEnd = data === '[U+202E]' && parentElement.nextSibling?.textContent !== '␣' && parentElement.nextSibling?.textContent !== ''
    if (isEnd || raw.test(data)) found.push((isEnd ? parentElement.parentElement : parentElement).outerHTML.replace(/<[^>]*"unseen[^>]*>/g, ''))
  }
  const labels = [...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => [one.title, one.ariaLabel ?? ''])
  return [...found, ...[document.title, ...labels].filter((text) => raw.test(text) || /\\[U\\+202E\\](?!␣)/.test(text) && text !== '[U+202E]')]
})()`
