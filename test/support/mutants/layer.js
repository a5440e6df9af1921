const { readdirSync } = require('node:fs')
const { join } = require('node:path')

// All tests of a layer in one file, for StrykerJS: Jest would load the code once per mutant and test file.
const { LAYERS = 'domain,kernel,capabilities' } = process.env
for (const layer of LAYERS.split(',')) {
  const folder = join(__dirname, '../..', layer)
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.ts'))
  for (const file of files) describe(`${layer}/${file}`, () => void require(join(folder, file)))
}
