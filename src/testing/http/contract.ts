import type { Runner } from '../runner'
import { Api } from './api'
import { applying } from './change-requests/apply'
import { discussion } from './change-requests/discussion'
import { editing } from './change-requests/edit'
import { lists } from './change-requests/lists'
import { missingRequirements } from './change-requests/missing-requirements'
import { proposing } from './change-requests/propose'
import { reading } from './change-requests/read'
import { resets } from './change-requests/resets'
import { review } from './change-requests/review'
import { schedules } from './change-requests/schedules'
import { settings } from './change-requests/settings'
import { transitions } from './change-requests/transitions'
import { events } from './events/log'
import { eventSearch } from './events/search'
import { approvalRules } from './extensions/approval-rules'
import { checks } from './extensions/checks'
import { consumers } from './extensions/consumers'
import { copies } from './extensions/copies'
import { emergencies } from './extensions/emergencies'
import { changeRequestExport } from './extensions/export'
import { followUps } from './extensions/follow-ups'
import { freezes } from './extensions/freezes'
import { gate } from './extensions/gate'
import { objections } from './extensions/objections'
import { presetSchedules } from './extensions/preset-schedules'
import { previews } from './extensions/previews'
import { projectWide } from './extensions/project-wide'
import { rebases } from './extensions/rebases'
import { reverts } from './extensions/reverts'
import { playground } from './hooks/playground'
import type { Rule } from './rule'
import { answers } from './wire/answers'
import type { HttpHost } from './wire/host'
import { keys } from './wire/keys'
import { privacy } from './wire/privacy'
import { tags } from './wire/tags'

const groups = [
  proposing,
  reading,
  lists,
  editing,
  review,
  missingRequirements,
  playground,
  approvalRules,
  emergencies,
  freezes,
  checks,
  previews,
  presetSchedules,
  followUps,
  objections,
  projectWide,
  gate,
  rebases,
  reverts,
  copies,
  consumers,
  changeRequestExport,
  transitions,
  resets,
  applying,
  schedules,
  privacy,
  tags,
  keys,
  settings,
  discussion,
  events,
  eventSearch,
  answers,
]

/**
 * Defines one test for each rule that clients rely on over HTTP: `CR-001 MUST ...`. Run it against your own app, with
 * your own authentication, permissions and flags. CR-014 needs the router mounted before the body parsers of the host app;
 * if they come first, set {@link HttpHost.parsesBodies}.
 *
 * @param makeHost Returns the server for one rule: a new one, or the same one for all rules.
 *
 * @example
 * ```ts
 * async function startMine(): Promise<HttpHost> {
 *   throw new Error('start your server, and return its URL and its callers')
 * }
 * describeHttp({ describe, it, expect }, startMine)
 * ```
 */
export function describeHttp({ describe, it, expect }: Runner, makeHost: () => Promise<HttpHost>): void {
  describe('change requests over HTTP', () => {
    for (const { title, rules } of groups) {
      describe(title, () => {
        for (const rule of rules) {
          it(`${rule.id} ${rule.level} ${rule.sentence}`, () => holds(rule, expect, makeHost))
        }
      })
    }
  })
}

async function holds({ check }: Rule, expect: Runner['expect'], makeHost: () => Promise<HttpHost>): Promise<void> {
  const host = await makeHost()
  try {
    const api = new Api(host)
    await api.prepare()
    try {
      await check(api, expect)
    } finally {
      await api.leave()
    }
  } finally {
    await host.close()
  }
}
