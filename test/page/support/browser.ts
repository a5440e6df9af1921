import type { Browser, BrowserContextOptions, BrowserType, Page } from 'playwright-core'
import { patienceMs } from './waits'

/** Errors of a page; empty at the end of every test. */
export type Trouble = string[]

export interface Visit extends BrowserContextOptions {
  /** The first URL. */
  readonly url: string
  /** Cookies for the origin of the URL. */
  readonly cookies?: Readonly<Record<string, string>>
  /** The tab is permanently hidden: the page receives no events and requests nothing by itself. */
  readonly behind?: boolean
  /** The clock of the browser. */
  readonly now?: string
  /** Trouble that is part of the test. */
  readonly expected?: RegExp
}

let browser: Browser
let trouble: Trouble = []

/** The browser of all test files; each visit has a separate context. */
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

async function visit({ url, cookies = {}, behind = false, now, expected, ...options }: Visit): Promise<Page> {
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
  const report = (text: string) => {
    if (!expected?.test(text)) trouble.push(text)
  }
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) report(`left the origin: ${url}`)
  })
  context.on('console', (message) => {
    // Error responses are part of many tests, and Chromium logs a line about each.
    if (message.type() === 'error' && !/^Failed to load resource|net::ERR_/.test(message.text()))
      report(`console: ${message.text()}`)
  })
  context.on('weberror', (failure) => void trouble.push(`uncaught: ${failure.error().message}`))
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** Hides or shows the tab; headless Chromium never does that itself. */
export async function show(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate(`${turnTo(state)}; document.dispatchEvent(new Event('visibilitychange'))`)
}

const turnTo = (state: 'visible' | 'hidden') => `
  Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
  Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true })`

/** A page retries after 20 s without a response; on a busy machine that is no fault of the host. */
const neverGiveUp = 'AbortSignal.timeout = () => new AbortController().signal'

const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  reportViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample))`
