import type { ReviewView } from '../../generated/index'
import { type Command, parseOptions, UsageError } from '../command'
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

/** The review afterwards; undefined if there is none. */
type Work = (api: Api, place: Place, report: Report, text: string) => Promise<ReviewView | undefined>

/** A command for one change request: it takes the id, and with `textHelp` the required option `--text`. */
function commandFor(name: string, summary: string, work: Work, textHelp?: string): Command {
  const hasText = textHelp !== undefined
  return {
    help: `express-change-requests ${name} 12 --project shop${hasText ? ' --text "…"' : ''}: ${summary}

${hasText ? `  --text <text>      ${textHelp}\n` : ''}${apiHelp}
${exitHelp}`,
    async run(args, io) {
      const options = hasText ? { ...apiOptions, text: { type: 'string' } as const } : apiOptions
      const { values, positionals } = parseOptions(args, options)
      const place = requirePlace(name, values, positionals)
      const { text = '' } = values as { readonly text?: string }
      if (hasText && text.trim() === '') throw new UsageError(`Set --text: ${textHelp}.`)
      const api = openApi(values, io)
      const report = createReport(io, api, values.json)
      return withApiErrors(io, async () => {
        report.result(place, await work(api, place, report, text))
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

const objectSummary = `objects, so that a change request cannot be applied

It reads the review first, and objects to exactly that content. The change request stays open.
Object again to replace the text. The server needs the option objections.`

export const object = commandFor(
  'object',
  objectSummary,
  async ({ client }, place, report, text) => {
    const { body } = await client.review(place)
    report.progress(stateLine(body))
    // While the flags cannot be read there is no digest, and an objection needs none.
    await client.object(place, { text, ...(body.digest !== null && { digest: body.digest }) })
    report.progress(`#${place.id} Objected`)
    return readReview(client, place)
  },
  'why; everyone who can see the change request can read it',
)

const liftSummary = `lifts your objection to a change request

It reads and prints the review first. If the change request is scheduled before its approval and nothing else is
missing, this schedules or applies exactly that content.`

export const lift = commandFor('lift', liftSummary, async ({ client }, place, report) => {
  const { body } = await client.review(place)
  report.progress(stateLine(body))
  await client.liftObjection(place, { ifMatch: body.revision })
  report.progress(`#${place.id} Objection lifted`)
  return readReview(client, place)
})
