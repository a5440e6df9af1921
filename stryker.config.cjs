const { createHash } = require('node:crypto')
const { readdirSync } = require('node:fs')
const { projects } = require('./jest.config.js')
const { displayName: _, ...unit } = projects.find(({ displayName }) => displayName === 'unit')

// Each layer's mutants are killed by the tests of that layer: LAYERS=domain mutates src/domain and runs test/domain only.
// SAMPLE=3 mutates every third file, chosen by SEED.
const { LAYERS: layers = 'domain,kernel,capabilities', SAMPLE: sample = '1', SEED: seed } = process.env
const isChosen = (file) => createHash('sha256').update(`${seed} ${file}`).digest().readUInt32BE() % Number(sample) === 0
const files = layers.split(',').flatMap((layer) =>
  readdirSync(`${__dirname}/src/${layer}`, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${layer}/${file}`),
)
if (sample !== '1') console.log(`SAMPLE=${sample} SEED=${seed}`)

module.exports = {
  // Excludes a table of texts that a test pins: its 180 static mutants would each run all tests again.
  mutate: [...files.filter(isChosen), '!src/domain/events/vocabulary.ts'],
  testRunner: 'jest',
  // One file loads all tests of the layer. The projects of jest.config.js would override `config`; package.json has none.
  jest: {
    configFile: 'package.json',
    config: { ...unit, testMatch: ['<rootDir>/test/support/mutants/layer.js'] },
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // A busy machine is no reason to count a mutant as killed.
  timeoutMS: 60_000,
  ignorePatterns: ['build', 'dist', 'coverage', '.cache'],
  // Stryker 9 reads a tsconfig.json with an API that TypeScript 7 does not have; a file of this name does not exist.
  tsconfigFile: 'none.json',
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutants/${layers}.html` },
  jsonReporter: { fileName: `.cache/mutants/${layers}.json` },
  thresholds: { high: 95, low: 90, break: 90 },
}
