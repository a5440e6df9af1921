import { type Command, parseOptions } from '../command'
import { apiHelp, apiOptions, exitCodes, exitHelp, openApi, requirePlace, withApiErrors } from './api'
import { Report, stateLine } from './report'
import { reviewLines } from './review'
import { readReview } from './wait'

export const apply: Command = {
  help: `express-change-requests apply 12 --project shop: applies a change request

It reads and prints the review first, and applies exactly that content.

${apiHelp}
${exitHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, apiOptions)
    const place = requirePlace('apply', values, positionals)
    const api = openApi(values, io)
    const report = new Report(io, api, values.json ?? false)
    return withApiErrors(io, async () => {
      const { body } = await api.client.review(place)
      report.progress(stateLine(body))
      for (const line of reviewLines(body)) report.progress(line)
      await api.client.setState(place, { state: 'Applied', digest: body.digest })
      report.progress(`#${place.id} Applied`)
      report.result(place, await readReview(api.client, place))
      return exitCodes.done
    })
  },
}
