const { median } = require('../support/figures')

/** A smaller difference does not count. */
const minDifference = 0.05

/**
 * Compares two builds by the samples of the same rounds. A ratio is the speed of after divided by that of before. The spread
 * is the range in which the median of the ratios lies with a confidence of 95 %. A difference counts if 1 is outside of it,
 * and from 5 % on.
 */
function compare(before, after, lower) {
  const ratios = before.map((sample, round) => speedRatio(sample, after[round], lower)).sort((a, b) => a - b)
  const ratio = median(ratios)
  const spread = spreadOfMedian(ratios)
  const counts = (spread[0] > 1 || spread[1] < 1) && Math.abs(ratio - 1) >= minDifference
  const result = !counts ? 'no difference' : ratio < 1 ? 'slower' : 'faster'
  return { before: median(before), after: median(after), ratio, spread, result }
}

function speedRatio(before, after, lower) {
  if (before === after) return 1
  return lower ? before / after : after / before
}

/** From the ranks of a binomial distribution, so that it holds for noise of any shape. */
function spreadOfMedian(ordered) {
  const rank = Math.max(0, Math.floor((ordered.length - 1.96 * Math.sqrt(ordered.length)) / 2) - 1)
  return [ordered[rank], ordered[ordered.length - 1 - rank]]
}

module.exports = { compare }
