const { relative } = require('node:path')
const { longest } = require('./longest')

const maxSeconds = 20

/** Prints the time of each file, longest first, the files that are too slow, and how to repeat the run. */
module.exports = class PrintTimes {
  constructor({ rootDir }) {
    this.rootDir = rootDir
    this.times = []
  }

  onTestResult({ path, context }, { perfStats: { start, end } }) {
    const project = context.config.displayName?.name ?? ''
    this.times.push({ file: relative(this.rootDir, path), project, seconds: (end - start) / 1000 })
  }

  onRunComplete() {
    const slowestFirst = [...this.times].sort((one, other) => other.seconds - one.seconds)
    const lines = slowestFirst.map(
      ({ file, project, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${project.padEnd(9)}  ${file}`,
    )
    // On a busy machine every file is slow, so this is only a warning.
    const unexplained = slowestFirst.filter(({ file, seconds }) => seconds > maxSeconds && !reasonOf(file))
    const warnings = [...new Set(unexplained.map(({ file }) => file))].map(
      (file) => `warning: ${file} takes more than ${maxSeconds} s, and test/support/times/longest.js gives no reason.`,
    )
    const { SEED, RUNS } = process.env
    const seed = `Random tests: SEED=${SEED}${RUNS === undefined ? '' : ` RUNS=${RUNS}`}`
    process.stderr.write(`\n${[...lines, ...warnings, seed].join('\n')}\n`)
  }
}

function reasonOf(file) {
  return longest.find(([name]) => name === file)?.[1]
}
