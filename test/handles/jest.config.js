const { projects, testTimeout } = require('../../jest.config.js')

const storage = projects.find(({ displayName }) => displayName === 'storage')

module.exports = {
  ...storage,
  displayName: 'handles',
  rootDir: '../..',
  testRegex: '/test/handles/[^/]+\\.test\\.ts$',
  testTimeout,
}
