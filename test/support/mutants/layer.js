// All tests of a layer in one file for Mocha, which StrykerJS runs in one process for all mutants: Jest would load the code
// again for each of them. What the tests use of Jest is from its packages.
require('../processes/processes-register')
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { ModernFakeTimers } = require('@jest/fake-timers')
const { expect } = require('expect')
const { bind } = require('jest-each')
const { ModuleMocker } = require('jest-mock')

const { LAYERS = 'domain,kernel,capabilities' } = process.env
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis })
const mocker = new ModuleMocker(globalThis)
const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: timers.useRealTimers.bind(timers),
  getTimerCount: timers.getTimerCount.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  runAllTimersAsync: timers.runAllTimersAsync.bind(timers),
}
Object.assign(globalThis, { expect, jest, test: it, beforeAll: globalThis.before, afterAll: globalThis.after })
for (const define of [it, describe, describe.skip]) define.each = bind(define)

for (const layer of LAYERS.split(',')) {
  const folder = join(__dirname, '../..', layer)
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.ts'))
  for (const file of files) {
    describe(`${layer}/${file}`, function () {
      // Fails a test that hangs because of a mutant. Stryker's own limit costs a minute and a new process each time.
      this.timeout(5_000)
      require(join(folder, file))
    })
  }
}
