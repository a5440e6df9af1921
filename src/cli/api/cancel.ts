import { type Command, parseOptions } from '../command'
import { apiHelp, apiOptions, exitCodes, exitHelp, openApi, requirePlace, withApiErrors } from './api'
import { Report } from './report'
import { readReview } from './wait'

export const cancel: Command = {
  help: `express-change-requests cancel 12 --project shop: cancels a change request

${apiHelp}
${exitHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, apiOptions)
    const place = requirePlace('cancel', values, positionals)
    const api = openApi(values, io)
    const report = new Report(io, api, values.json ?? false)
    return withApiErrors(io, async () => {
      await api.client.setState(place, { state: 'Cancelled' })
      report.progress(`#${place.id} Cancelled`)
      report.result(place, await readReview(api.client, place))
      return exitCodes.done
    })
  },
}
