const sorted = (values) => [...values].sort((a, b) => a - b)

function quantile(values, share) {
  const ordered = sorted(values)
  const place = (ordered.length - 1) * share
  const low = ordered[Math.floor(place)]
  return low + (ordered[Math.ceil(place)] - low) * (place % 1)
}

const median = (values) => quantile(values, 0.5)

/** A smaller difference does not count. */
const minDifference = 0.05

/**
 * Compares ours with another way by the samples of the same rounds. A ratio is the speed of ours divided by that of the other. The
 * spread is the range in which the median of the ratios lies with a confidence of 95 %. A difference counts if 1 is outside of
 * it, and from 5 % on.
 */
function compare(ours, other, lower) {
  const ratios = sorted(ours.map((sample, round) => speedRatio(sample, other[round], lower)))
  const ratio = median(ratios)
  const spread = spreadOfMedian(ratios)
  const counts = (spread[0] > 1 || spread[1] < 1) && Math.abs(ratio - 1) >= minDifference
  return { ratio, spread, result: !counts ? 'no difference' : ratio < 1 ? 'slower' : 'faster' }
}

function speedRatio(ours, other, lower) {
  if (ours === other) return 1
  return lower ? other / ours : ours / other
}

/** From the ranks of a binomial distribution, so that it holds for noise of any shape. */
function spreadOfMedian(ordered) {
  const rank = Math.max(0, Math.floor((ordered.length - 1.96 * Math.sqrt(ordered.length)) / 2) - 1)
  return [ordered[rank], ordered[ordered.length - 1 - rank]]
}

function printTable(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)))
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`)
  }
}

/** Prints progress to stderr; figures go to stdout. */
function progress(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
}

module.exports = { compare, median, printTable, progress, quantile }
