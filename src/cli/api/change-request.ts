import type { ReviewView } from '../../generated/index'
import { type Command, parseOptions } from '../command'
import {
  type Api,
  apiHelp,
  apiOptions,
  exitCodes,
  exitHelp,
  openApi,
  type Place,
  requirePlace,
  withApiErrors,
} from './api'
import { createReport, type Report, reviewLines, stateLine } from './report'
import { readReview, requireDigest } from './wait'

/** A command for one change request: it takes the id. The work returns the review afterwards; undefined if there is none. */
function commandFor(
  name: string,
  summary: string,
  work: (api: Api, place: Place, report: Report) => Promise<ReviewView | undefined>,
): Command {
  return {
    help: `express-change-requests ${name} 12 --project shop: ${summary}

${apiHelp}
${exitHelp}`,
    async run(args, io) {
      const { values, positionals } = parseOptions(args, apiOptions)
      const place = requirePlace(name, values, positionals)
      const api = openApi(values, io)
      const report = createReport(io, api, values.json)
      return withApiErrors(io, async () => {
        report.result(place, await work(api, place, report))
        return exitCodes.done
      })
    },
  }
}

export const show = commandFor('show', 'prints a change request', async ({ client }, place, report) => {
  const { body } = await client.review(place)
  const { title, environment, createdBy, createdAt, features, segments } = body.changeRequest
  report.progress(`#${body.id} ${title}`)
  report.progress(`${environment}, by ${createdBy.username ?? `user ${createdBy.id}`}, ${createdAt}`)
  for (const { name, changes } of features) {
    for (const { action, payload } of changes) report.progress(`  ${name}: ${action} ${JSON.stringify(payload)}`)
  }
  for (const { name, action, payload } of segments) {
    report.progress(`  segment ${name}: ${action} ${JSON.stringify(payload)}`)
  }
  report.progress(stateLine(body))
  return body
})

export const review = commandFor(
  'review',
  'prints what is missing, and the possible steps',
  async ({ client }, place, report) => {
    const { body } = await client.review(place)
    report.progress(`#${body.id} ${body.state}, digest ${body.digest}`)
    for (const line of reviewLines(body)) report.progress(line)
    return body
  },
)

const applySummary = `applies a change request

It reads and prints the review first, and applies exactly that content.`

export const apply = commandFor('apply', applySummary, async ({ client }, place, report) => {
  const { body } = await client.review(place)
  report.progress(stateLine(body))
  for (const line of reviewLines(body)) report.progress(line)
  await client.setState(place, { state: 'Applied', digest: requireDigest(body) })
  report.progress(`#${place.id} Applied`)
  return readReview(client, place)
})

export const cancel = commandFor('cancel', 'cancels a change request', async ({ client }, place, report) => {
  await client.setState(place, { state: 'Cancelled' })
  report.progress(`#${place.id} Cancelled`)
  return readReview(client, place)
})
