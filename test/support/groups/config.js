const { readdirSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { projects, ...options } = require('../../../jest.config.js')

const rootDir = resolve(__dirname, '../../..')

/**
 * Into how many groups the files of a project are divided. Those of other projects run alone: a process, a browser or the bench
 * takes their time. So do files with snapshots, which Jest stores next to the file that it runs.
 */
const groupsOf = { 'express 5': 3, 'express 4': 1, unit: 3, page: 2, storage: 4 }

const testFiles = ['test', 'examples'].flatMap((folder) =>
  readdirSync(join(rootDir, folder), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(rootDir, folder, file))
    .sort(),
)

/** The project with the same tests: each file of the folder `numbered` loads a group of its files. */
function grouped(project) {
  const count = groupsOf[project.displayName]
  if (count === undefined) return { ...project, rootDir }
  const matches = (patterns, file) => [patterns].flat().some((pattern) => new RegExp(pattern).test(file))
  const { testRegex, testPathIgnorePatterns } = project
  const files = testFiles.filter((file) => matches(testRegex, file) && !matches(testPathIgnorePatterns, file))
  const size = Math.ceil(files.length / count)
  const groups = Array.from({ length: count }, (_, index) => [
    join(__dirname, `numbered/${index + 1}.js`),
    files.slice(index * size, (index + 1) * size),
  ])
  return {
    ...project,
    rootDir,
    testRegex: groups.map(([path]) => `^${path}$`),
    globals: { testGroups: Object.fromEntries(groups) },
  }
}

/**
 * The configuration of `npm test`. Jest loads the sources and all packages again for each file that it runs, which takes longer
 * than most tests, so a file that it runs loads a group of test files.
 */
module.exports = { ...options, rootDir, projects: projects.map(grouped) }
