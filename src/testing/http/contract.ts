import type { Runner } from '../runner'
import { applying } from './change-requests/apply'
import { talk } from './change-requests/discussion'
import { editing } from './change-requests/edit'
import { lists } from './change-requests/lists'
import { proposing } from './change-requests/propose'
import { reading } from './change-requests/read'
import { resets } from './change-requests/resets'
import { review } from './change-requests/review'
import { settings } from './change-requests/settings'
import { transitions } from './change-requests/transitions'
import { events } from './events/log'
import { eventSearch } from './events/search'
import type { Rule } from './rule'
import { answers } from './wire/answers'
import type { HttpHost } from './wire/host'
import { keys } from './wire/keys'
import { privacy } from './wire/privacy'
import { tags } from './wire/tags'
import { World } from './world'

const groups = [
  proposing,
  reading,
  lists,
  editing,
  review,
  transitions,
  resets,
  applying,
  privacy,
  tags,
  keys,
  settings,
  talk,
  events,
  eventSearch,
  answers,
]

/**
 * Describes what clients rely on over HTTP as rules for a mounted router, one test each: `CR-001 MUST ...`. A host runs
 * it against its own mount, with its own authentication, permissions and flags. CR-014 needs the router mounted before
 * the body parsers of the host; where they come first, {@link HttpHost.parsesBodies} says so.
 *
 * @param makeHost Gives the server for one rule: a fresh one, or the same again.
 *
 * @example
 * ```ts
 * async function startMine(): Promise<HttpHost> {
 *   throw new Error('start your server, and tell where it answers and who calls')
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
    const world = new World(host)
    await world.prepare()
    try {
      await check(world, expect)
    } finally {
      await world.leave()
    }
  } finally {
    await host.close()
  }
}
