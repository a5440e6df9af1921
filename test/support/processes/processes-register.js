// Node 20 does not run TypeScript, so modules of a test process are compiled as in Jest.
const { readFileSync } = require('node:fs')
const { transformSync } = require('@swc/core')

const options = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
  swcrc: false,
}

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename)
}
