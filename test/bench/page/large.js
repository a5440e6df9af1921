const { openDatabase } = require('../support/databases')
const { startServer } = require('../support/child')
const { figure, progress } = require('../support/figures')
const { countLongTasks } = require('./in-the-page')
const { launch } = require('./page')

/** Four kinds of changes, each of a flag of its own. */
const [changes, usableMs, maxNodes] = [500, 3_000, 3_000]
/** A processor that is as many times slower stands for a slow machine. */
const slowdown = 4

const kinds = [
  () => ({ action: 'updateEnabled', payload: { enabled: false } }),
  () => ({ action: 'updateStrategy', payload: { id: 's0', constraints: [], parameters: parameters('75') } }),
  () => ({ action: 'deleteStrategy', payload: { id: 's1' } }),
  () => ({ action: 'addStrategy', payload: { name: 'default', constraints: [], parameters: {} } }),
]
const parameters = (rollout) => ({ groupId: 'checkout', rollout, stickiness: 'default' })

/** The screen of a change request with 500 changes, in a real Chromium on a slow processor. */
async function benchLarge({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    let server
    const browser = await launch()
    try {
      server = await startServer('diff-server.js', { way: 'ours', config: database.config, prefix: 'large_' })
      const origin = `http://127.0.0.1:${server.port}`
      const address = `${origin}/review/projects/shop/change-requests/${await propose(origin)}`
      await visit(browser, address)
      const samples = []
      for (let round = 0; round < rounds; round += 1) samples.push(await visit(browser, address))
      report(name, samples)
    } finally {
      await browser.close()
      await server?.stop()
      await database.close()
    }
    progress(`${name}: the change request measured`)
  }
}

async function propose(origin) {
  const body = Array.from({ length: changes }, (_, n) => ({ feature: `flag-${n}`, ...kinds[n % kinds.length]() }))
  const response = await fetch(`${origin}/api/admin/projects/shop/environments/large/change-requests`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { id, message } = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${message}`)
  return id
}

/** Usable: all groups are there, and the filter can be used. */
async function visit(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(countLongTasks)
  await page.goto(address)
  await page.getByRole('searchbox', { name: 'Filter changes' }).waitFor()
  await page
    .locator('.card')
    .nth(kinds.length - 1)
    .waitFor()
  const usableMs = await page.evaluate(() => performance.now())
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  const longestMs = await page.evaluate(() => window.longestMs)
  await context.close()
  return { usableMs, nodes, longestMs }
}

function report(database, samples) {
  const of = (what) => ({ ours: samples.map((sample) => sample[what]) })
  const name = (what) => `the page of ${changes} changes, processor ${slowdown} times slower: ${what}`
  const ms = { database, unit: 'ms', lower: true }
  figure({ ...ms, name: name('usable'), ways: of('usableMs'), thresholds: [{ max: usableMs }] })
  figure({ ...ms, name: name('longest task'), ways: of('longestMs') })
  figure({ ...ms, unit: 'nodes', name: name('nodes'), ways: of('nodes'), thresholds: [{ max: maxNodes }] })
}

module.exports = { benchLarge }
