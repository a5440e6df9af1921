import type { Browser, BrowserContextOptions, BrowserType, Page } from 'playwright-core'
import { patienceMs } from './waits'

/** What a page did that none may do; every test ends with it being empty. */
export type Trouble = string[]

export interface Visit extends BrowserContextOptions {
  /** Where the browser goes first. */
  readonly url: string
  /** Cookies for the origin of the URL. */
  readonly cookies?: Readonly<Record<string, string>>
  /** The tab is behind another one all the time: the page hears of nothing, and asks for nothing by itself. */
  readonly behind?: boolean
  /** What the clock of the browser says. */
  readonly now?: string
}

let browser: Browser
let trouble: Trouble = []

/** The browser of all test files; each visit is a person with a browser of their own. */
export function useBrowser(): { visit(visit: Visit): Promise<Page> } {
  beforeAll(async () => {
    const { chromium } = globalThis as unknown as { readonly chromium: BrowserType }
    browser = await chromium.connect(process.env.BROWSER_URL ?? '', { timeout: patienceMs })
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    const found = trouble
    trouble = []
    expect([...new Set(found)]).toEqual([])
  })
  afterAll(() => browser.close())
  return { visit }
}

async function visit({ url, cookies = {}, behind = false, now, ...options }: Visit): Promise<Page> {
  const { origin } = new URL(url)
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: origin })))
  await context.exposeBinding('reportViolation', (_source, text: string) => void trouble.push(`policy: ${text}`))
  await context.addInitScript(reportViolations)
  await context.addInitScript(neverGiveUp)
  if (behind) await context.addInitScript(turnTo('hidden'))
  if (now !== undefined) await context.clock.setFixedTime(now)
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) trouble.push(`left the origin: ${url}`)
  })
  context.on('console', (message) => {
    // Answers that are no success are part of many tests, and Chromium writes a line about each.
    if (message.type() === 'error' && !/^Failed to load resource|net::ERR_/.test(message.text()))
      trouble.push(`console: ${message.text()}`)
  })
  context.on('weberror', (failure) => void trouble.push(`uncaught: ${failure.error().message}`))
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** The tab goes behind another one, or comes to the front; Chromium without a window never does that itself. */
export async function show(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate(`${turnTo(state)}; document.dispatchEvent(new Event('visibilitychange'))`)
}

const turnTo = (state: 'visible' | 'hidden') => `
  Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
  Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true })`

/** A page asks again when there is no answer for 20 s; on a busy machine that says nothing about the host. */
const neverGiveUp = 'AbortSignal.timeout = () => new AbortController().signal'

const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  reportViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample))`
