const { execFileSync } = require('node:child_process')
const { existsSync, mkdtempSync, rmSync, symlinkSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join, resolve } = require('node:path')

const here = join(__dirname, '../..')
const bundle = 'rolldown.config.mjs'
const git = (...args) => execFileSync('git', args, { cwd: here, encoding: 'utf8' }).trim()

/**
 * Checks out and builds another commit with the packages of this checkout, in a worktree that is removed on exit. A folder with a
 * build is used as it is.
 */
function buildAt(ref) {
  if (existsSync(join(ref, 'dist/index.js'))) return { root: resolve(ref), name: ref }
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`)
  const folder = mkdtempSync(join(tmpdir(), 'change-requests-before-'))
  const root = join(folder, 'checkout')
  process.once('exit', () => {
    git('worktree', 'remove', '--force', root)
    rmSync(folder, { recursive: true, force: true })
  })
  git('worktree', 'add', '--quiet', '--detach', root, commit)
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'))
  const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  run(join(here, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json')
  // Commits before the bundle publish what the compiler writes.
  if (existsSync(join(root, bundle))) run(join(here, 'node_modules/rolldown/bin/cli.mjs'), '-c', bundle)
  return { root, name: git('log', '-1', '--format=%h %s', commit) }
}

module.exports = { buildAt, here }
