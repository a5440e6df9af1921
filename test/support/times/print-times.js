const { relative } = require('node:path')
const { longest } = require('./longest')

const maxSeconds = 20

/** Prints the time of each file (of the tests of each file in a group), longest first, the files that are too slow, and how to repeat the run. */
module.exports = class PrintTimes {
  constructor({ rootDir }) {
    this.rootDir = rootDir
    this.times = []
  }

  onTestResult({ path, context }, { perfStats: { start, end }, testResults }) {
    const project = context.config.displayName?.name ?? ''
    if (context.config.globals.testGroups === undefined) {
      this.times.push({ file: relative(this.rootDir, path), project, seconds: (end - start) / 1000 })
      return
    }
    // In a group, each test begins with the path of its file.
    const seconds = new Map()
    for (const { ancestorTitles, duration } of testResults) {
      const [file] = ancestorTitles
      seconds.set(file, (seconds.get(file) ?? 0) + (duration ?? 0) / 1000)
    }
    for (const [file, sum] of seconds) this.times.push({ file, project, seconds: sum })
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
