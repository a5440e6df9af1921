const { relative } = require('node:path')

/** Loads the files of a group, each into a `describe` of its path. */
module.exports = (group) => {
  for (const file of globalThis.testGroups[group]) {
    describe(relative(process.cwd(), file), () => {
      require(file)
      afterAll(() => {
        jest.useRealTimers()
        jest.restoreAllMocks()
      })
    })
  }
}
