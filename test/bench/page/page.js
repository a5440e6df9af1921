const { chromium } = require('playwright-core')
const { openDatabase } = require('../support/databases')
const { startServer } = require('../support/child')
const { figure, progress } = require('../support/figures')
const { fillEvents, searchDraft } = require('../support/fill')
const { afterNextLog, countLongTasks, scrollLog } = require('./in-the-page')
const { withLongestTask } = require('./tasks')

const prefix = 'page_'
const [firstContentMs, longTaskMs] = [500, 50]
/** The day in the middle of the log of benches, with an event each second. */
const middleOf = (rows) => new Date(1_700_000_000_000 + rows * 500).toISOString().slice(0, 10)

/** The log screen of the review page, on a log of `rows` events, in a real Chromium. */
async function benchPage({ databases, rounds, rows }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    let server
    const browser = await launch()
    try {
      await fillEvents(database, prefix, rows, searchDraft)
      server = await startServer('../page/page-server.js', { config: database.config, prefix })
      const address = `http://127.0.0.1:${server.port}/review/log`
      // One unmeasured run: the first caller of a process waits for compilation and prepared statements.
      await visit(browser, address, middleOf(rows))
      const samples = []
      for (let round = 0; round < rounds; round += 1) samples.push(await visit(browser, address, middleOf(rows)))
      report(name, rows, samples)
    } finally {
      await browser.close()
      await server?.stop()
      await database.close()
    }
    progress(`${name}: the page measured`)
  }
}

/** One user with their own browser: opens the log, goes to another day, and scrolls. */
async function visit(browser, address, day) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(countLongTasks)
  await page.goto(address)
  await page.locator('.ev-line').first().waitFor()
  const contentMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  const listMs = await page.evaluate(() => window.firstEventMs)
  const scrolled = await withLongestTask(page, () => page.evaluate(scrollLog, 3_000))
  await page.goto(`${address}?from=${day}&to=${day}`)
  await page.locator('.ev-line').first().waitFor()
  await page.evaluate(afterNextLog)
  await page.keyboard.press('[')
  const dayMs = await page.evaluate(() => window.dayShown)
  await context.close()
  return { contentMs, listMs, dayMs, ...scrolled }
}

function report(database, rows, samples) {
  const of = (what) => ({ ours: samples.map((sample) => sample[what]) })
  const log = (what) => `the log of ${rows} events: ${what}`
  const ms = { database, unit: 'ms', lower: true }
  figure({ ...ms, name: log('first content'), ways: of('contentMs'), thresholds: [{ max: firstContentMs }] })
  figure({ ...ms, name: log('first events'), ways: of('listMs') })
  figure({ ...ms, name: log('to the day before'), ways: of('dayMs') })
  const longest = log('longest task while scrolling')
  figure({ ...ms, name: `${longest}, processor`, ways: of('longestCpuMs'), thresholds: [{ max: longTaskMs }] })
  figure({ ...ms, name: `${longest}, including waits`, ways: of('longestMs') })
  figure({ database, unit: 'events', name: log('scrolled in 3 s'), ways: of('events') })
}

/** As in the tests: the Chromium of `CHROMIUM_PATH`, the one that `npm ci` installs, or an installed Chrome. */
async function launch() {
  const packed = process.platform === 'linux' && process.arch === 'x64'
  const path =
    process.env.CHROMIUM_PATH ?? (packed && (await (await import('@sparticuz/chromium')).default.executablePath()))
  return chromium.launch(path ? { executablePath: path, args: ['--no-sandbox'] } : { channel: 'chrome' })
}

module.exports = { benchPage, launch }
