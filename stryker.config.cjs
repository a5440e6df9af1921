const { createHash } = require('node:crypto')
const { readdirSync } = require('node:fs')

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
  mutate: files.filter(isChosen),
  testRunner: 'mocha',
  mochaOptions: { spec: ['test/support/mutants/layer.js'] },
  coverageAnalysis: 'perTest',
  // What only runs while a module loads would need a new process for each mutant.
  ignoreStatic: true,
  concurrency: 2,
  // A busy machine is no reason to count a mutant as killed.
  timeoutMS: 30_000,
  ignorePatterns: ['build', 'dist', 'coverage', '.cache'],
  // Stryker 9 reads a tsconfig.json with an API that TypeScript 7 does not have; a file of this name does not exist.
  tsconfigFile: 'none.json',
  tempDirName: '.cache/stryker',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutants/${layers}.html` },
  jsonReporter: { fileName: `.cache/mutants/${layers}.json` },
  // Much of the other layers is tested with a database or HTTP.
  thresholds: { high: 95, low: 90, break: layers === 'domain' ? 90 : null },
}
