const { delimiter, join } = require('node:path')

const binaries = join(__dirname, '../node_modules/.bin')

/** The environment for other programs: npm puts the Node 22 for Unleash 8.2 before the Node that runs this. */
const envOfOwnNode = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== binaries)
    .join(delimiter),
}

module.exports = { envOfOwnNode }
