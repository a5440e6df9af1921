const { defaultVersion } = require('../../demo/start-unleash')

/** Which server the tests start. */
const version = process.env.UNLEASH_VERSION || defaultVersion

module.exports = { version }
