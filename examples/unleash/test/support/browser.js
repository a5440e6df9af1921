const { chromium } = require('playwright-core')

/** Long timeouts for a busy machine. */
const timeoutMs = 120_000

/** Starts the Chromium of `CHROMIUM_PATH`, or that of `npm ci`. */
async function startBrowser() {
  // The package is an ES module.
  const { default: bundled } = await import('@sparticuz/chromium')
  const executablePath = process.env.CHROMIUM_PATH || (await bundled.executablePath())
  // Its own arguments keep all pages in one process, where a second person gets none.
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: timeoutMs })
}

/** A person in a browser of their own, who reaches the front and nothing else. */
async function visit(browser, url) {
  // The page does not start with the locale that Chromium finds in a container.
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1400, height: 900 } })
  context.setDefaultTimeout(timeoutMs)
  await context.route(
    ({ origin }) => origin !== url,
    (route) => route.abort(),
  )
  const page = await context.newPage()
  // A newer server welcomes people with a dialog over all else.
  await page.addLocatorHandler(page.getByRole('button', { name: /let's get started/i }), (button) => button.click())
  return page
}

module.exports = { startBrowser, visit }
