/** Figures of one run: samples by way and round, their medians, the ratios between ways, and the thresholds they must clear. */
const figures = []

const sorted = (values) => [...values].sort((a, b) => a - b)

function quantile(values, share) {
  const ordered = sorted(values)
  const place = (ordered.length - 1) * share
  const low = ordered[Math.floor(place)]
  return low + (ordered[Math.ceil(place)] - low) * (place % 1)
}

const median = (values) => quantile(values, 0.5)

/** Half the distance between the quartiles, as a share of the median. */
const noise = (values) => (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / (median(values) || 1)

const round = (value, digits = 3) => (value === undefined ? undefined : Number(value.toPrecision(digits)))

/**
 * Records a figure. `ways` holds the samples, one per round. With `lower` a smaller sample is better. A ratio is the speed
 * of ours divided by the speed of the other in the same round, so 1 means as fast. A threshold is `{ of: way, min }` for a
 * ratio, or `{ max }` for the value of ours.
 */
function figure({ name, database, unit, lower = false, ways, thresholds = [], note }) {
  const ratios = {}
  for (const [way, samples] of Object.entries(ways)) {
    if (way === 'ours') continue
    ratios[way] = samples.map((other, index) => (lower ? other / ways.ours[index] : ways.ours[index] / other))
  }
  const checked = thresholds.map(({ of, min, max }) => {
    const value = of === undefined ? median(ways.ours) : median(ratios[of])
    const text = of === undefined ? `<= ${max} ${unit}` : `>= ${round(min)} x ${of}`
    return { threshold: text, value: round(value), pass: of === undefined ? value <= max : value >= min }
  })
  const line = {
    figure: name,
    database,
    unit,
    medians: mapValues(ways, (samples) => round(median(samples), 4)),
    noise: mapValues(ways, (samples) => round(noise(samples), 2)),
    ratios: mapValues(ratios, (values) => round(median(values))),
    ratioRange: mapValues(ratios, (values) => [round(quantile(values, 0)), round(quantile(values, 1))]),
    thresholds: checked,
    ...(note === undefined ? {} : { note }),
  }
  figures.push(line)
  console.log(JSON.stringify(line))
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

/** Prints all figures as one table; returns whether they meet every threshold. */
function printTable() {
  if (figures.length === 0) return true
  const head = ['database', 'figure', 'unit', 'ours', 'others', 'speed of ours', 'noise', 'threshold', 'result']
  const rows = figures.flatMap(({ database, figure: name, unit, medians, ratios, noise: spread, thresholds }) => {
    const others = Object.keys(ratios)
    // Zero divided by zero has no ratio.
    const compared = others.filter((way) => Number.isFinite(ratios[way]))
    const cells = [
      database,
      name,
      unit,
      String(medians.ours),
      others.map((way) => `${way} ${medians[way]}`).join(', '),
      compared.map((way) => `${ratios[way]} x ${way}`).join(', '),
      `${Math.round(Math.max(...Object.values(spread)) * 100)} %`,
    ]
    if (thresholds.length === 0) return [[...cells, '', '']]
    return thresholds.map(({ threshold, pass }, index) => [
      ...(index === 0 ? cells : cells.map(() => '')),
      threshold,
      pass ? 'pass' : 'FAIL',
    ])
  })
  printRows(head, rows)
  return figures.every(({ thresholds }) => thresholds.every(({ pass }) => pass))
}

function printRows(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)))
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`)
  }
}

/** Prints progress to stderr; figures go to stdout. */
function progress(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
}

module.exports = { figure, printRows, printTable, median, progress, quantile }
