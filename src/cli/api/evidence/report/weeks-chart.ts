import { type Html, html } from './html'

const [width, height, top, bottom] = [960, 180, 20, 24]
/** At most this many labels of dates fit below the bars. */
const maxLabels = 13

/** A bar for each week. */
export function weeksChart(weeks: readonly { readonly week: string; readonly count: number }[]): Html {
  const most = Math.max(1, ...weeks.map(({ count }) => count))
  const total = weeks.reduce((sum, { count }) => sum + count, 0)
  const step = width / weeks.length
  const labelled = Math.ceil(weeks.length / maxLabels)
  const base = height - bottom
  const rounded = (value: number) => Math.round(value * 10) / 10
  const bars = weeks.map(({ week, count }, index) => {
    const [middle, size] = [rounded((index + 0.5) * step), rounded((count / most) * (base - top))]
    const barWidth = rounded(Math.min(step * 0.6, 48))
    return html`<g><title>Week of ${week}: ${count}</title>${
      count > 0 &&
      html`<rect class="bar" x="${rounded(middle - barWidth / 2)}" y="${rounded(base - size)}" width="${barWidth}" height="${size}" rx="2"/><text x="${middle}" y="${rounded(base - size - 5)}" text-anchor="middle">${count}</text>`
    }${index % labelled === 0 && html`<text x="${middle}" y="${height - 6}" text-anchor="middle">${week.slice(5)}</text>`}</g>
`
  })
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Exceptions per week: ${total} in ${weeks.length} weeks, at most ${total === 0 ? 0 : most} in one.">
<line class="axis" x1="0" y1="${base}" x2="${width}" y2="${base}"/>
${bars}</svg>
`
}
