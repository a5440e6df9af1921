import { type Command, parseOptions, UsageError } from '../command'
import { apiHelp, apiOptions, exitCodes, exitHelp, openApi, requirePlace, withApiErrors } from './api'
import { createReport } from './report'
import { readReview, requireDigest } from './wait'

const statuses = ['pending', 'passed', 'failed'] as const

const options = {
  ...apiOptions,
  status: { type: 'string' },
  digest: { type: 'string' },
  summary: { type: 'string' },
  link: { type: 'string' },
} as const

/** Reports the result of a check, by default for the content that the review has now. */
export const check: Command = {
  help: `express-change-requests check 12 ci --project shop --status passed: reports the result of a check

  --status <status>  pending, passed or failed
  --digest <digest>  the content that was checked, as \`digest\` of the review; default: the current content
  --summary <text>   the result in words, at most 1,000 characters
  --link <url>       where the result is explained: an https address
${apiHelp}
${exitHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    const [id = '', name = '', ...rest] = positionals
    const place = requirePlace('check', values, [id, ...rest])
    if (name === '') throw new UsageError('check needs the name of the check: express-change-requests check 12 ci')
    const status = statuses.find((one) => one === values.status)
    if (status === undefined) throw new UsageError(`--status must be one of ${statuses.join(', ')}.`)
    const { summary, link: url } = values
    const api = openApi(values, io)
    const report = createReport(io, api, values.json)
    return withApiErrors(io, async () => {
      const digest = values.digest ?? requireDigest((await api.client.review(place)).body)
      const result = { status, digest, ...(summary && { summary }), ...(url && { url }) }
      const { body } = await api.client.reportCheck(place, name, result)
      for (const one of body.checks) report.progress(`  ${one.name}: ${one.status ?? 'no report'}`)
      report.result(place, await readReview(api.client, place))
      return exitCodes.done
    })
  },
}
