import type { ReviewView } from '../../generated/index'
import { type Command, parseOptions } from '../command'
import { apiHelp, apiOptions, exitCodes, exitHelp, openApi, requirePlace, withApiErrors } from './api'
import { Report } from './report'

export const review: Command = {
  help: `express-change-requests review 12 --project shop: prints what is missing, and the possible steps

${apiHelp}
${exitHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, apiOptions)
    const place = requirePlace('review', values, positionals)
    const api = openApi(values, io)
    const report = new Report(io, api, values.json ?? false)
    return withApiErrors(io, async () => {
      const { body } = await api.client.review(place)
      report.progress(`#${body.id} ${body.state}, digest ${body.digest}`)
      for (const line of reviewLines(body)) report.progress(line)
      report.result(place, body)
      return exitCodes.done
    })
  },
}

/** The requirements and the steps, as a table. */
export function reviewLines({ requirements, steps }: ReviewView): string[] {
  const approvals = requirements.map(({ name, given, approvals: needed }) => [
    name,
    `${given} of ${needed} approvals`,
    '',
  ])
  const offered = steps
    .filter((one) => one.offered)
    .map(({ step, allowed, missing }) => [
      ...[step, allowed ? 'allowed' : 'blocked', missing.map(({ message }) => message).join(' ')],
    ])
  const rows = [...approvals, ...offered]
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const [first, second] = [width(0), width(1)]
  return rows.map(([a = '', b = '', c = '']) => `  ${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`.trimEnd())
}
