import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The findings of axe-core for WCAG 2.2 AA and best practices, one line per element. A finding at only one scroll position is
 * partly covered by a bar, and can be scrolled out of it.
 */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  // Browsers skip the layout of what is far from the window, and then its elements overlap.
  await page.evaluate(
    'document.querySelectorAll(".card, .row, .stream > li").forEach(({ style }) => (style.contentVisibility = "visible"))',
  )
  const first = await run(page)
  if (first.length === 0) return first
  await page.evaluate('scrollTo(0, scrollY > 0 ? 0 : 200)')
  const placeOf = (finding: string) => finding.split(':', 1)[0]
  const places = (await run(page)).map(placeOf)
  return first.filter((finding) => places.includes(placeOf(finding)))
}

function run(page: Page): Promise<string[]> {
  return page.evaluate(`axe
    .run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`)
}
