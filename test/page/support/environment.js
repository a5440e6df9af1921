const { TestEnvironment } = require('jest-environment-node')
const { chromium } = require('playwright-core')

/** Loads Playwright once per worker. Jest loads all other modules again for each test file. */
module.exports = class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup()
    this.global.chromium = chromium
  }
}
