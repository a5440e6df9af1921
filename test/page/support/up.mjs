import bundled from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import postgresUp from '../../support/databases/postgres-up.mjs'

/** Only decides how long it is waited for, and so how slow a machine may be. */
const timeout = 120_000

/**
 * Starts Postgres and one browser for all test files: the Chromium that `npm ci` brings, that of `CHROMIUM_PATH`, or else
 * an installed Chrome. The files connect to `BROWSER_URL`.
 */
export default async function up() {
  await postgresUp()
  const packed = process.platform === 'linux' && process.arch === 'x64'
  const executablePath = process.env.CHROMIUM_PATH ?? (packed ? await bundled.executablePath() : undefined)
  // A process for each visit would take a tenth of the time.
  const args = ['--no-sandbox', '--disable-gpu', '--renderer-process-limit=3', '--disable-site-isolation-trials']
  const found = executablePath ? { executablePath, args } : { channel: 'chrome' }
  globalThis.__browser = await chromium.launchServer({ ...found, host: '127.0.0.1', timeout })
  process.env.BROWSER_URL = globalThis.__browser.wsEndpoint()
}
