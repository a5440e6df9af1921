const { spawnSync } = require('node:child_process')
const { existsSync, mkdtempSync, readdirSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { envOfOwnNode } = require('./own-node')

const folder = join(__dirname, '..')
const parent = join(folder, '../..')

/** Replaces `express-change-requests` by the tarball of this repository, as users get it from npm. */
function main() {
  if (!existsSync(join(parent, 'node_modules'))) {
    process.stderr.write('Installing the dependencies of the package, a few minutes …\n')
    npm(parent, 'ci')
  }
  process.stderr.write('Building the package …\n')
  npm(parent, 'run', 'build', '--silent')
  const packed = mkdtempSync(join(tmpdir(), 'express-change-requests-'))
  try {
    npm(parent, 'pack', '--silent', '--pack-destination', packed)
    npm(folder, 'install', '--no-save', '--no-audit', '--no-fund', join(packed, readdirSync(packed)[0]))
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
}

function npm(cwd, ...args) {
  const { status } = spawnSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: envOfOwnNode })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}.`)
}

main()
