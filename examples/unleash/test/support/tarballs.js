const { spawnSync } = require('node:child_process')
const { readdirSync } = require('node:fs')
const { join } = require('node:path')

const folder = join(__dirname, '../..')

/** Packs the front and the package of this repository into a folder. The package must be built. @returns {string[]} */
function packTarballs(into) {
  for (const cwd of [join(folder, '../..'), folder]) {
    const { status } = spawnSync('npm', ['pack', '--silent', '--pack-destination', into], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error(`npm pack failed in ${cwd}.`)
  }
  return readdirSync(into)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(into, name))
}

module.exports = { packTarballs }
