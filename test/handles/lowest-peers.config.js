const { join } = require('node:path')
const { projects, testTimeout } = require('../../jest.config.js')

const root = join(__dirname, '../..')
const installed = '<rootDir>/test/handles/node_modules'
const lowest = {
  '^knex$': `${installed}/knex-lowest`,
  '^pg$': `${installed}/pg-lowest`,
}

/** A project of the root with the lowest releases that the package accepts; the root has the highest. */
function withLowest(displayName, testRegex, packages) {
  const project = projects.find((each) => each.displayName === displayName)
  return { ...project, rootDir: root, testRegex, moduleNameMapper: { ...project.moduleNameMapper, ...packages } }
}

const pipeline = '/test/http/(hosts/hosts|pipeline/(bad-input|error-handler|routes))\\.test\\.ts$'

module.exports = {
  projects: [
    withLowest('storage', '/test/storage/(contract|handles/postgres/contract|knex/transaction)\\.test\\.ts$', lowest),
    withLowest('express 5', pipeline, { '^express$': `${installed}/express-5-lowest` }),
    withLowest('express 4', pipeline, {
      '^express$': `${installed}/express-4-lowest`,
      '^express/package.json$': `${installed}/express-4-lowest/package.json`,
    }),
  ],
  testTimeout,
}
