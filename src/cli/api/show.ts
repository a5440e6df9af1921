import { type Command, parseOptions } from '../command'
import { apiHelp, apiOptions, exitCodes, exitHelp, openApi, requirePlace, withApiErrors } from './api'
import { Report, stateLine } from './report'

export const show: Command = {
  help: `express-change-requests show 12 --project shop: prints a change request

${apiHelp}
${exitHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, apiOptions)
    const place = requirePlace('show', values, positionals)
    const api = openApi(values, io)
    const report = new Report(io, api, values.json ?? false)
    return withApiErrors(io, async () => {
      const { body } = await api.client.review(place)
      const { changeRequest: request } = body
      const { title, environment, createdBy } = request
      report.progress(`#${body.id} ${title}`)
      report.progress(`${environment}, by ${createdBy.username ?? `user ${createdBy.id}`}, ${request.createdAt}`)
      for (const { name, changes } of request.features) {
        for (const { action, payload } of changes) report.progress(`  ${name}: ${action} ${JSON.stringify(payload)}`)
      }
      for (const { name, action, payload } of request.segments) {
        report.progress(`  segment ${name}: ${action} ${JSON.stringify(payload)}`)
      }
      report.progress(stateLine(body))
      report.result(place, body)
      return exitCodes.done
    })
  },
}
