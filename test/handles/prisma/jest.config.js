const handles = require('../jest.config.js')

module.exports = {
  ...handles,
  displayName: 'prisma',
  rootDir: '../../..',
  testRegex: '/test/handles/prisma/[^/]+\\.test\\.ts$',
}
